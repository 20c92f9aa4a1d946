/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of base share, and what other modules use of it. */
#ifndef IV_BASE_BASE_PRIVATE_H
#define IV_BASE_BASE_PRIVATE_H

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "intervale/base.h"

/* ---------------------------------------------------------------- base -- */
/* What the other modules use of base beside what programs do. */

/* Hands an error on to the caller: copies it to err (which may be NULL) and returns
 * its code. */
int iv_fail_as(iv_err *err, const iv_err *why);

void iv_result_input(iv_result *r, const char *path, uint64_t bytes);

/* A note on how to read what is shown, or how it was made: pages have it beside the tables. */
void iv_result_legend(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

/* A legend of what only people's columns have, such as stars: for text, markdown and latex. */
void iv_result_key(iv_result *r, const char *fmt, ...) IV_PRINTF(2, 3);

bool iv_result_wants_charts(const iv_result *r);

/* Wants the tables of `showing` and those before it in iv_showing, or only the one
 * that is named ("": only the first); and charts or not.  See iv_report_wish(). */
void iv_result_wish(iv_result *r, const char *table, iv_showing showing, bool charts);

/* SIZE_MAX: none */
iv_cell iv_table_cell(const iv_table *t, size_t row, size_t column);

/* For qsort() of texts (char *). */
int iv_by_text(const void *a, const void *b);

/* Are two names the same, in any case and with a blank or a hyphen for _?  Doc ID is doc_id. */
bool iv_same_name(iv_str a, iv_str b);

/* Is it one of these names, which commas separate? */
bool iv_is_named(iv_str s, const char *names);

/* Is it what people call a row of totals or means: "Total", "all", "average"? */
bool iv_is_summary_word(iv_str name);

/* The SHA-256 (FIPS 180-4) of len bytes in hexadecimal, terminated.  Returns out.  Takes
 * time linear in len; allocates nothing. */
const char *iv_sha256(char out[IV_SHA256_SIZE], const void *bytes, size_t len);

/* The SHA-256 of the file of that name, borrowed; NULL when it was not read. */
const char *iv_digests_find(const iv_digests *d, const char *path);

/* The digest of bytes that come one after another. */
typedef struct iv_sha256_state {
    uint32_t h[8];
    uint64_t len;
    unsigned char held[64]; /* less than a block */
} iv_sha256_state;
void iv_sha256_begin(iv_sha256_state *s);
void iv_sha256_add(iv_sha256_state *s, const void *bytes, size_t len);
const char *iv_sha256_end(char out[IV_SHA256_SIZE], const iv_sha256_state *s);

/* Adds a file's digest to the list, unless it is there; from any thread. */
IV_MUST_CHECK int iv_digests_put(iv_digests *d, const char *path, const char *sha256, iv_err *err);

/* Which means are equal but for rounding. */

/* Statistics of numbers up to 1 that are this close are equal: the order of
 * adding makes less of a difference. */
#define IV_SLACK 1e-12

/* The same for means of numbers like these, in whatever unit they are.  Passes over NaN. */
double iv_slack_of(const double *x, size_t count);

/* Gives means that are no further than slack below another the value of that one: systems
 * that tie are tied.  IV_ENOMEM only. */
IV_MUST_CHECK int iv_tie_means(double *means, size_t count, double slack, iv_err *err);

/* A difference of means, 0 where it is rounding's. */
static inline double iv_true_difference(double difference, double slack)
{
    return difference > slack || difference < -slack ? difference : 0.0;
}

/*
 * One lock for the few lines that threads of a loop may not run at once.  Nothing that waits, and
 * no function of the caller, belongs between the two calls.  A child of fork() finds it free.
 */

void iv_lock(void);
void iv_unlock(void);

/* UTF-8 one character at a time, for whoever must show bytes to a person. */

/*
 * Decodes the character that begins at s.ptr[at] (at < s.len) into *code and
 * returns how many bytes it takes, or 0 when no valid character begins there
 * (overlong forms and surrogates are not valid); *code is then the byte.
 */
size_t iv_utf8_next(uint32_t *code, iv_str s, size_t at);

/* Would a terminal act on it?  C0, DEL, C1, and the bidirectional overrides. */
bool iv_is_control(uint32_t code);

/* Would a spreadsheet take it for the beginning of a formula, whatever byte separates cells
 * there?  prev: the byte before it, '\0' at the beginning. */
bool iv_starts_formula(char c, char prev);

/* -------------------------------------------------------------- reader -- */
/*
 * A file or a pipe, read from its beginning to its end through a buffer: what was taken is
 * gone.  Unpacked on the way when it is gzip or zstd, which is told by content, never by name.
 */

typedef enum iv_packing { IV_PLAIN, IV_GZIP, IV_ZSTD } iv_packing;

/* What the first bytes say. */
iv_packing iv_packing_of(const char *ptr, size_t len);

/* How an open file is packed. */
iv_packing iv_packing_at(int fd);

typedef struct iv_reader {
    const char *name;
    int fd;              /* -1: memory is read */
    const iv_work *work; /* asked while nothing comes */
    bool regular;        /* it can be read again */
    uint64_t stored;     /* bytes of a regular file or of memory, or read so far */
    uint64_t read;       /* bytes of it that were read */
    iv_packing packing;
    void *unpacker;      /* NULL: it is read as it is kept */
    bool between;        /* members or frames: the data could end here */
    size_t wanted;       /* bytes that the unpacker asks for next */
    iv_str raw;          /* bytes as they are kept, read and not yet used ... */
    char *room;          /* ... and where they are */
    bool raw_ended;
    uint64_t made;       /* bytes that came into the buffer */
    uint64_t lines;      /* that were taken; who takes them counts */
    char *buffer;
    size_t capacity, begin, end; /* what is in the buffer and not yet taken */
    size_t whole;        /* the end of its last whole line, after iv_reader_fill() */
    bool begun;          /* a byte-order mark was skipped, or cannot come any more */
    bool ended;          /* nothing comes behind the buffer */
    iv_sha256_state *digest; /* of what was read; NULL: nobody asks */
} iv_reader;

/* Opens a file, or a pipe as soon as somebody writes to it; asks the work when a signal comes. */
IV_MUST_CHECK int iv_open_file(int *fd, const char *path, const iv_work *work, iv_err *err);

/*
 * Opens path ("-": standard input), or takes an open file over that stands for it (-1: none).
 * RAW: nothing is unpacked; DIGEST: with a digest of what is read, if the work keeps any.  IV_EIO,
 * also for more bytes than the work allows; IV_EPARSE for a packing that is not read.  *in starts
 * as zeros, and is closed in any case; the work must live as long.
 */
enum { IV_READ_RAW = 1, IV_READ_DIGEST = 2 };
IV_MUST_CHECK int iv_reader_open(iv_reader *in, const char *path, int fd, unsigned how,
                                const iv_work *work, iv_err *err);

/* The same for packed bytes in memory. */
void iv_reader_close(iv_reader *in);

/* Back to the beginning of a regular file. */
IV_MUST_CHECK int iv_reader_rewind(iv_reader *in, iv_err *err);

/*
 * What comes next into the buffer, which has room for `capacity` bytes then: in->ended when
 * nothing does.  IV_EIO, also for a file that became shorter meanwhile or has more bytes than the
 * work allows; IV_EPARSE, at the line, for packed data that are damaged or end early.
 */
IV_MUST_CHECK int iv_reader_some(iv_reader *in, size_t capacity, iv_err *err);

/*
 * Fills the buffer, which has room for `capacity` bytes from now on, if half of it is free or
 * it holds no whole line; skips a byte-order mark.  IV_EPARSE for a line that does not fit into
 * `most` bytes.
 */
IV_MUST_CHECK int iv_reader_fill(iv_reader *in, size_t capacity, size_t most, iv_err *err);

/* The whole lines in the buffer, all lines at the end of the file. */
static inline iv_str iv_reader_text(const iv_reader *in)
{
    return (iv_str){ in->buffer + in->begin, in->whole - in->begin };
}

/* Lets go of so many bytes. */
static inline void iv_reader_take(iv_reader *in, size_t bytes)
{
    in->begin += bytes;
}

/* Puts the digest of what was read on the work's list, if there is one. */
IV_MUST_CHECK int iv_reader_digested(const iv_reader *in, iv_err *err);

/* How many lines end in a text. */
uint64_t iv_lines_in(iv_str text);

/* The next line of a text, without its end, behind which the text begins then; false: there is
 * none. */
bool iv_next_line(iv_str *line, iv_str *text);

/* --------------------------------------------------------------- bytes -- */
/* A whole file as bytes, unpacked when it is gzip or zstd; "-" and pipes as they come. */

typedef struct iv_bytes {
    char *ptr;       /* not terminated; not to be written to */
    size_t len;
    uint64_t stored; /* the size of the file as it is kept */
    iv_packing packing;
} iv_bytes;

/*
 * Reads path ("-": standard input); of a pipe or packed data no more than to the first NUL byte,
 * which no text has.  Damaged compressed data are IV_EPARSE
 * at the line where they break off; what the system refuses, a file that becomes shorter
 * while it is read, one of more than work's most_bytes and one that unpacks to what no text does
 * are IV_EIO.
 */
IV_MUST_CHECK int iv_bytes_load(iv_bytes *out, const char *path, const iv_work *work,
                                iv_err *err);

/* The same, as it is kept: what may be no text, and is not unpacked. */
IV_MUST_CHECK int iv_bytes_load_raw(iv_bytes *out, const char *path, const iv_work *work,
                                    iv_err *err);

/*
 * The same, for a reader that can tell by the beginning of a text that it is none of its
 * own: no more is read when `sound` says no to its first lines, which are the result then.
 */
IV_MUST_CHECK int iv_bytes_load_sound(iv_bytes *out, const char *path,
                                      bool (*sound)(const iv_bytes *first, const void *how),
                                      const void *how, const iv_work *work, iv_err *err);

/* An open file, which is closed; name stands in messages. */
IV_MUST_CHECK int iv_bytes_read(iv_bytes *out, int fd, const char *name, const iv_work *work,
                                iv_err *err);

/* A copy of len bytes, unpacked like a file's. */
IV_MUST_CHECK int iv_bytes_copy(iv_bytes *out, const char *name,
                                const void *bytes, size_t len, const iv_work *work,
                                iv_err *err);

/* What packed bytes unpack to. */
IV_MUST_CHECK int iv_bytes_unpack(iv_bytes *out, const char *name, iv_str packed,
                                  iv_packing packing, const iv_work *work, iv_err *err);

void iv_bytes_free(iv_bytes *b);

/* -------------------------------------------------------------- memory -- */
/* Memory: growable arrays, and an arena for what lives and dies together. */

/*
 * Makes room for `need` elements of `size` bytes in the array that a pointer holds, which `array`
 * points to; it has *capacity of them, and may move.  False, and it is as it was, when memory is
 * out.  Grows by half, so that appending one by one is linear.
 */
bool iv_room(void *array, size_t *capacity, size_t need, size_t size);
#define IV_ROOM(array, capacity, need) iv_room(&(array), &(capacity), need, sizeof *(array))

/*
 * Memory for an array that will be filled from end to end, not zeroed; freed
 * with free().  Large ones ask for huge pages where the system has them: the
 * fault for a small page can cost as much as parsing twenty lines.
 */
void *iv_alloc_filled(size_t count, size_t size);

/* Keeps a copy of s in memory that has *room bytes and grows; false when memory is out.  Start from
 * zeros; the bytes are freed with free(). */
bool iv_str_keep(iv_str *kept, size_t *room, iv_str s);

/* Many pieces, freed together, in any case and in one place.  {0} is a valid empty arena. */
typedef struct iv_arena {
    struct iv_arena_block *blocks;
    struct iv_owned *owned;
    bool failed; /* memory was out once: iv_taken() tells it */
} iv_arena;

/* `size` bytes aligned for any type, not zeroed; NULL when memory is out. */
void *iv_arena_alloc(iv_arena *a, size_t size);

/* Fails with IV_ENOMEM. */
int iv_no_memory(iv_err *err);

/* A terminated copy of s; NULL when memory is out. */
char *iv_arena_copy(iv_arena *a, iv_str s);

/*
 * Zeroed room for count elements of size.  NULL when memory is out, which the arena
 * remembers: who takes many pieces asks iv_taken() once, behind the last of them.
 */
void *iv_take(iv_arena *a, size_t count, size_t size);

/* The same of an array of the arena, for one more element behind its `count`. */
bool iv_arena_room(iv_arena *a, void *array, size_t *capacity, size_t count, size_t size);
#define IV_ARENA_ROOM(a, array, capacity, count) \
    iv_arena_room(a, &(array), &(capacity), count, sizeof *(array))

/* Texts in an arena; {0} is a valid empty list.  When memory is out the list stays as it was. */
typedef struct iv_words {
    const char **at;
    size_t count, capacity;
} iv_words;
void iv_words_add(iv_arena *a, iv_words *list, const char *text);

/* IV_OK, or IV_ENOMEM when something could not be had. */
IV_MUST_CHECK int iv_taken(const iv_arena *a, iv_err *err);

/* Lets the arena free an object, which may be NULL, by its own function.  Returns it; NULL
 * when memory is out, and then it is freed already. */
void *iv_own(iv_arena *a, void *object, void (*end)(void *object));

/* Defines iv_end_<T>(), such a function. */
#define IV_ENDS(T) static inline void iv_end_##T(void *object) { iv_##T##_free(object); }

/* The same, of an object that is there, as a status: IV_OK or IV_ENOMEM. */
IV_MUST_CHECK int iv_keep(iv_arena *a, void *object, void (*end)(void *object), iv_err *err);

/* Gives every piece back and keeps the memory, as one block: what is as large the next time need
 * not be had anew. */
void iv_arena_reuse(iv_arena *a);

/* Frees every piece, what it owns last come first; the arena is empty again. */
void iv_arena_free(iv_arena *a);

/* Defines iv_<T>_free(), which frees an object with all that its arena has; NULL is fine. */
#define IV_FREES(T, arena)            \
    void iv_##T##_free(iv_##T *object) \
    {                                 \
        if (object != NULL)           \
            iv_arena_free(&object->arena); \
        free(object);                 \
    }

/* Leaves a function at the first error: one that has nothing to free, since what it took
 * is an arena's. */
#define IV_TRY(call)               \
    do {                           \
        const int rc_ = (call);    \
        if (rc_ != IV_OK)          \
            return rc_;            \
    } while (0)

/* ------------------------------------------------------------ checking -- */
/*
 * What a caller can get wrong that no type prevents: lists that are NULL or hold NULL,
 * numbers that no enum has, NaN.  Each is refused in one line, with IV_EARG, before
 * anything is done; `what` names it in the message.
 */

/* Something that must be there is. */
IV_MUST_CHECK int iv_check_given(const void *at, const char *what, iv_err *err);

/* So is a list, unless it is empty; `what` is one of it. */
IV_MUST_CHECK int iv_check_list(const void *at, size_t count, const char *what, iv_err *err);

/* And none of its pointers, or of its numbers, is NULL or NaN. */
IV_MUST_CHECK int iv_check_each(const void *pointers, size_t count, const char *what, iv_err *err);
IV_MUST_CHECK int iv_check_reals(const double *at, size_t count, const char *what, iv_err *err);

/* A value of an enum has one of the names, which NULL ends. */
IV_MUST_CHECK int iv_check_choice(unsigned value, const char *const *names, const char *what,
                                  iv_err *err);

/* A member of options or of a question. */
typedef struct iv_part {
    enum {
        IV_IS_LIST,     /* a pointer, and a size_t elsewhere: IV_LIST_OF() */
        IV_IS_EACH,     /* the same, of pointers */
        IV_IS_TEXTS,    /* iv_texts without NULL */
        IV_IS_PATHS,    /* iv_texts without NULL or "" */
        IV_IS_NAMES,    /* iv_texts without NULL or "", each once */
        IV_IS_PATH,     /* const char *, NULL or not "" */
        IV_IS_INTEGERS, /* iv_integers */
        IV_IS_REALS,    /* iv_reals without NaN */
        IV_IS_REAL,     /* double, not NaN */
        IV_IS_CONFIDENCE, /* the same, of intervals: 0 is 0.95 */
        IV_IS_CHOICE    /* an enum, as many values as names: IV_CHOICE_OF() */
    } kind;
    size_t at; /* in the struct */
    const char *what;
    const char *const *(*names)(void);
    size_t count; /* where that of a list is */
} iv_part;

#define IV_PART_OF(T, member, is, what) { IV_IS_##is, offsetof(T, member), what, NULL, 0 }
#define IV_CHOICE_OF(T, member, names, what) \
    { IV_IS_CHOICE, offsetof(T, member), what, names, 0 }
#define IV_LIST_OF(T, member, count, is, what) \
    { IV_IS_##is, offsetof(T, member), what, NULL, offsetof(T, count) }

/* All of a struct; NULL is the default of options, and right. */
IV_MUST_CHECK int iv_check_parts(const void *of, const iv_part *parts, size_t count, iv_err *err);

#define IV_CHECK(of, err, ...)                                                       \
    iv_check_parts(of, (const iv_part[]){ __VA_ARGS__ },                             \
                   sizeof((const iv_part[]){ __VA_ARGS__ }) / sizeof(iv_part), err)

/* An option, by the member of a question that holds it; of a list, its count.  In a function that
 * calls its question T. */
typedef struct iv_option {
    const char *name;
    size_t at, size;
} iv_option;

#define IV_IDLE(member, name) { name, offsetof(T, member), sizeof(((T *)0)->member) }

/* Refuses options that were given (they are not zero) and would do nothing; `where` says when,
 * "with --scores". */
IV_MUST_CHECK int iv_refuse_idle(const void *of, const iv_option *options, size_t count,
                                 const char *where, iv_err *err);

#define IV_REFUSE(of, where, err, ...)                                             \
    iv_refuse_idle(of, (const iv_option[]){ __VA_ARGS__ },                         \
                   sizeof((const iv_option[]){ __VA_ARGS__ }) / sizeof(iv_option), where, err)

/* ----------------------------------------------------------------- ids -- */
/*
 * Ids (topics, documents, runs) as numbers 0, 1, 2, ... in the order they are
 * first seen.  The bytes of an id are borrowed: they must outlive the table.
 */

/* Drawn anew by every process, so that nobody can make ids that fall together. */
extern uint64_t iv_hash_key; /* 1 to 2^59 */

/* a b modulo 2^61 - 1, up to 2^62, for a below 2^63 and b up to 2^59. */
static inline uint64_t iv_times(uint64_t a, uint64_t b)
{
    const uint64_t p = (UINT64_C(1) << 61) - 1;
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    const wide product = (wide)a * b;

    return ((uint64_t)product & p) + (uint64_t)(product >> 61);
#else
    const uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    const uint64_t low = a0 * b0, middle = a1 * b0 + a0 * b1; /* below 2^64 */
    const uint64_t top = a1 * b1 + (middle >> 32), rest = (middle << 32) + low;
    const uint64_t high = top + (rest < low);

    return (rest & p) + (high << 3 | rest >> 61);
#endif
}

/*
 * A hash for tables in memory: the bytes, seven at a time, as a polynomial of the key modulo
 * 2^61 - 1.  Whoever does not know the key finds two ids of n words that fall together with
 * probability n / 2^59.
 *
 * Ref: J. L. Carter and M. N. Wegman (1979), Universal classes of hash functions.
 */
static inline uint64_t iv_hash(iv_str s)
{
    const uint64_t seven = (UINT64_C(1) << 56) - 1;
    const bool little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    uint64_t h = s.len, word = 0;
    size_t at = 0;

    for (; at + 8 <= s.len; at += 7) {
        memcpy(&word, s.ptr + at, 8);
        h = iv_times(h + (little ? word & seven : word >> 8), iv_hash_key);
    }
    word = 0;
    if (s.len >= 8) { /* the last seven, which may overlap those before */
        memcpy(&word, s.ptr + s.len - 8, 8);
        word = little ? word >> 8 : word & seven;
    } else {
        for (size_t i = 0; i < s.len; i++)
            word = word << 8 | (unsigned char)s.ptr[i];
    }
    h = iv_times(h + word, iv_hash_key);
    h *= UINT64_C(0xbf58476d1ce4e5b9); /* so that the lower bits depend on all */
    return h ^ h >> 32;
}

/* Ids are short: comparing them in place beats a call. */
static inline bool iv_str_eq(iv_str a, iv_str b)
{
    uint64_t x, y;

    if (a.len != b.len)
        return false;
    if (a.len < 4) /* the middle and the last may be the first again */
        return a.len == 0
            || (a.ptr[0] == b.ptr[0] && a.ptr[a.len / 2] == b.ptr[a.len / 2]
                && a.ptr[a.len - 1] == b.ptr[a.len - 1]);
    if (a.len < 8) { /* two halves, which may overlap */
        uint32_t first[2], last[2];
        memcpy(&first[0], a.ptr, 4);
        memcpy(&first[1], b.ptr, 4);
        memcpy(&last[0], a.ptr + a.len - 4, 4);
        memcpy(&last[1], b.ptr + b.len - 4, 4);
        return first[0] == first[1] && last[0] == last[1];
    }
    for (size_t at = 0; at + 8 < a.len; at += 8) {
        memcpy(&x, a.ptr + at, 8);
        memcpy(&y, b.ptr + at, 8);
        if (x != y)
            return false;
    }
    memcpy(&x, a.ptr + a.len - 8, 8);
    memcpy(&y, b.ptr + b.len - 8, 8);
    return x == y;
}

#define IV_NO_ID UINT32_MAX

/* {0} is a valid empty table. */
typedef struct iv_ids {
    iv_str *names;   /* by number */
    uint32_t *slots; /* number + 1; 0 is free */
    size_t count, names_capacity;
    size_t slot_count; /* a power of two, or 0 */
} iv_ids;

/* The number of id, a new one if need be; IV_NO_ID when memory is out. */
uint32_t iv_ids_add(iv_ids *t, iv_str id);

/* The number of id, or IV_NO_ID. */
uint32_t iv_ids_find(const iv_ids *t, iv_str id);

/* The number of a name, which is copied into the arena if it is new. */
IV_MUST_CHECK int iv_ids_number(uint32_t *out, iv_ids *t, iv_str name, iv_arena *own, iv_err *err);

void iv_ids_free(iv_ids *t);

/* ------------------------------------------------------------- listing -- */
/* Lists and numbers in a sentence: "a, b and 3 more". */

/* Start from {0}, or { .most = 3 }. */
typedef struct iv_listing {
    size_t most;  /* that are named; 0: 5 */
    size_t count; /* that were added */
    size_t used;
    char text[1024];
} iv_listing;

/* Adds an item, as it is or in single quotes. */
void iv_list(iv_listing *l, const char *fmt, ...) IV_PRINTF(2, 3);
void iv_list_quoted(iv_listing *l, iv_str s);

/* The list so far, borrowed; "" when it is empty. */
const char *iv_listed(iv_listing *l);

/* A count with separators, "232,000".  Returns out. */
enum { IV_FIGURE_SIZE = 32 };
const char *iv_thousands(char out[IV_FIGURE_SIZE], double count);
#define IV_COUNT(n) iv_thousands((char[IV_FIGURE_SIZE]){ 0 }, (double)(n))

/* Numbers that round to 0 have no sign: "-0.0000" becomes "0.0000". */
void iv_drop_signs(char *text);

/* ------------------------------------------------------------- message -- */
/*
 * Messages are rows.  A row has the words of a message; the rows of a command stand in one
 * table, src/answer/<command>_messages.c, and nowhere else.
 */

/* What was found: how many, and what the template's places hold. */
typedef struct iv_found {
    size_t count;        /* {n}; 0: the message does not apply */
    double value[3];     /* {a}, {b}, {c}: three significant digits; {a%}: as a percentage */
    const char *text[3]; /* {s}, {t}, {u}: valid until the row is told */
} iv_found;

/* Counts something of a run, if there is any: {a} and {s} are of the run that has most of it. */
void iv_found_add(iv_found *f, double n, const char *run);

/* A message.  Options are spelled as in the tool, --baseline, which other languages spell
 * their way.  What stands behind {do} says what to do next: reports that are handed on, the pages
 * of --format html, leave it out. */
typedef struct iv_message {
    const char *id;       /* stable: "compare.few-topics"; NULL ends the rows */
    /* IV_ERROR: an assumption is broken, so it stands before the answer; IV_WARNING: the answer may
     * mislead; IV_NOTE: worth knowing */
    iv_severity severity;
    const char *tables;   /* shown with these only ("pairs runs"); NULL: always */
    const char *text;     /* "{n} topic[ is|s are] excluded": [for one|for others] */
} iv_message;

/* Tells the row of that id for what was found; nothing when the count is 0. */
void iv_result_say(iv_result *r, const iv_message *rows, const char *id, iv_found found);
#define IV_TELL(r, rows, id, ...) iv_result_say(r, rows, id, (iv_found){ __VA_ARGS__ })

/* --------------------------------------------------------------- names -- */
/* Words for the values of an enum. */

/* Defines a function that returns the words, in the enum's order and ended by NULL. */
#define IV_NAMES(function, ...)                                     \
    const char *const *function(void)                               \
    {                                                               \
        static const char *const names[] = { __VA_ARGS__, NULL };   \
        return names;                                               \
    }

/* The place of a name among such words; IV_EARG: "there is no <what> 'name', expected
 * one of: ...". */
static inline IV_MUST_CHECK int iv_name_place(size_t *out, const char *const *words,
                                              const char *name, const char *what, iv_err *err)
{
    for (*out = 0; words[*out] != NULL; ++*out)
        if (strcmp(words[*out], name) == 0)
            return IV_OK;
    iv_listing known = { .most = 20 };
    for (size_t i = 0; words[i] != NULL; i++)
        iv_list(&known, "%s", words[i]);
    return iv_fail(err, IV_EARG, "there is no %s '%.80s', expected one of: %s", what, name,
                   iv_listed(&known));
}

/* Is the i-th of the names none of those before it? */
static inline bool iv_name_first(const iv_texts *names, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(names->at[k], names->at[i]) == 0)
            return false;
    return true;
}

/* --------------------------------------------------------------- order -- */
/* Orders for qsort() and bsearch(), of plain values. */

/* Doubles, the smallest first; none may be NaN. */
static inline int iv_rising(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Doubles, the largest first. */
static inline int iv_falling(const void *a, const void *b)
{
    return iv_rising(b, a);
}

/* A number and its place among others. */
typedef struct iv_placed {
    double value;
    size_t at;
} iv_placed;

/* These, the largest first, of equal ones that of the first place. */
static inline int iv_falling_placed(const void *a, const void *b)
{
    const iv_placed *x = a, *y = b;

    return x->value != y->value ? (x->value > y->value ? -1 : 1)
                                : (x->at > y->at) - (x->at < y->at);
}

/* Places of doubles, that of the largest first. */
static inline int iv_falling_at(const void *a, const void *b)
{
    return iv_falling(*(const double *const *)a, *(const double *const *)b);
}

/* Sizes, the smallest first. */
static inline int iv_rising_sizes(const void *a, const void *b)
{
    const size_t x = *(const size_t *)a, y = *(const size_t *)b;

    return (x > y) - (x < y);
}

/* Words of 64 bits, the smallest first. */
static inline int iv_rising_words(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Grades and other small numbers, the smallest first. */
static inline int iv_rising_grades(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* iv_str by bytes. */
static inline int iv_rising_texts(const void *a, const void *b)
{
    return iv_str_cmp(*(const iv_str *)a, *(const iv_str *)b);
}

/* A name, by which it is sorted, and its place among others. */
typedef struct iv_named {
    iv_str name;
    size_t at;
} iv_named;

static inline int iv_by_name(const void *a, const void *b)
{
    const iv_named *x = a, *y = b;
    const int order = iv_str_cmp(x->name, y->name);

    return order != 0 ? order : (x->at > y->at) - (x->at < y->at);
}

/* ------------------------------------------------------------ parallel -- */
/*
 * Loops on many threads, the same for everybody: which error is told, how far
 * the work is, and when it stops.
 */

/*
 * Items 0 ... count - 1, each done by one thread with memory of its own.  The
 * result of an item must depend on its index alone.
 */
typedef struct iv_loop {
    size_t count;
    int (*item)(void *user, void *memory, size_t i, iv_err *err);
    void *user;
    /* A thread's memory, taken from an arena of its own; NULL when memory is out.  No
     * function: items get NULL. */
    void *(*memory)(iv_arena *own, void *user);
} iv_loop;

/*
 * Does all items.  On failure the lowest index that fails decides, whatever the
 * number of threads; later items may not have been done.  Asks work's progress
 * at the end of items, at most every 10 ms; IV_ECANCELLED if it says stop.  Called
 * inside a parallel loop it uses one thread.
 */
IV_MUST_CHECK int iv_parallel(const iv_loop *loop, const iv_work *work, iv_err *err);

/* The seed to use, and the threads. */
uint64_t iv_work_seed(const iv_work *work);
int iv_work_threads(const iv_work *work);

/* How to work on a text of so many bytes: for a small one, starting threads takes
 * longer than the work.  Returns room. */
const iv_work *iv_work_for(iv_work *room, const iv_work *work, size_t bytes);

/* The same threads and limits, without seed and progress. */
iv_work iv_work_quiet(const iv_work *work);

/* For serial work: tells how far it is, and IV_ECANCELLED if it shall stop. */
IV_MUST_CHECK int iv_check_work(const iv_work *work, double done, iv_err *err);

/*
 * For items that take long themselves: counts the steps of all of them and asks
 * progress, at most every 10 ms.  The loop is then given no progress of its own.
 */
typedef struct iv_steps {
    const iv_work *work;
    double total;
    atomic_size_t done; /* these four are iv_step()'s */
    atomic_bool busy, stopped;
    double told;
} iv_steps;
IV_MUST_CHECK int iv_step(iv_steps *steps, iv_err *err);

/*
 * The same for items that call what asks by itself: the loop is given `outer`, and what
 * its items call `inner`, which has one thread, tells nothing and can be stopped.
 */
typedef struct iv_asking {
    iv_work outer, inner;
    iv_progress whole; /* these four are its own */
    atomic_bool busy;
    double fraction, asked;
} iv_asking;
void iv_asking_start(iv_asking *a, const iv_work *work);

/*
 * A stage of larger work: the same threads and seed, and progress that runs from
 * `from` to `to` of the whole.  Lives where the caller keeps it; whole may be NULL.
 */
typedef struct iv_stage {
    iv_work work; /* hand over &stage.work */
    iv_progress whole;
    double from, to;
} iv_stage;

const iv_work *iv_work_part(iv_stage *stage, const iv_work *whole, double from, double to);

/* The stage of number i of n that take alike. */
const iv_work *iv_work_nth(iv_stage *stage, const iv_work *whole, size_t i, size_t n);

/* -------------------------------------------------------------- result -- */
/* The insides of a result, for the files that fill and read it. */

/* A cell; its kind is the column's. */
#define IV_CELL_MISSING SIZE_MAX
#define IV_CELL_COUNT 1
typedef struct iv_stored {
    union {
        const char *text;
        int64_t integer;
        double real;
    } as;
    size_t len; /* of a text; of a real IV_CELL_COUNT or 0; IV_CELL_MISSING in any column */
} iv_stored;

struct iv_table {
    iv_result *result;
    const char *name;
    iv_column *columns;
    size_t column_count;
    size_t stride;     /* cells of a row; in a view more than columns ... */
    size_t *map;       /* ... which are found here; NULL: each at its place */
    iv_stored *cells;
    size_t count, capacity; /* cells */
    size_t unlisted;        /* rows that were counted and not kept */
    iv_drawn drawn;
    bool draws;
    iv_showing showing;
    bool *quiet;       /* by row: for programs only; NULL: none is */
    size_t quiet_capacity;
    size_t *row_map, row_count; /* of a view without those rows; NULL: all */
    const char *caption; /* of a table that a paper prints; NULL: it is none */
    bool named;          /* left out of text, which names it */
    const char *split; /* the column that parts it for people; NULL: none */
};

struct iv_result {
    iv_arena arena;   /* of all but cells; when it fails, so does the result */
    iv_arena own;     /* what an answer needs while it is made, and no longer */
    const char *command, *answer;
    const char *plain, *lead; /* the answer by itself, and warnings before it */
    iv_words arguments, methods, assumptions, claims;
    iv_note *notes;
    size_t note_count, note_capacity;
    iv_words used, used_texts; /* methods: their ids, and what is said of each */
    const char *method_text;
    const char *interval; /* what stands above columns lower and upper; NULL: their names */
    iv_citation *citations;
    size_t citation_count, citation_capacity;
    iv_words detail_names, details;
    iv_verdict verdict;
    size_t decisive; /* claims with that verdict */
    iv_words known;   /* tables that somebody asked about */
    const char *wanted; /* the only table; NULL: any up to `most` */
    iv_showing most;
    bool without_charts;
    iv_input *inputs;
    size_t input_count, input_capacity;
    uint64_t seed;
    bool has_seed;
    iv_table **tables;
    size_t table_count, table_capacity;
    iv_chart *charts;
    size_t chart_count, chart_capacity;
    iv_table nowhere; /* stands in for a table that could not be made */
    iv_err failure;
};

/* Forgets what was said since r was as in `before`, a copy of it; the memory stays. */
void iv_result_rewind(iv_result *r, const iv_result *before);

/* A copy that lives as long as the result; "" when memory is out, which the status tells. */
const char *iv_result_keep(iv_result *r, iv_str s);

/* Tables whose columns depend on the data; others are declared (iv_result_rows). */

/*
 * Adds an empty table; columns are copied.  Never NULL: after an allocation
 * failure the rows go nowhere and iv_result_status() tells.
 */
iv_table *iv_result_table(iv_result *r, const char *name, const iv_column *columns,
                          size_t count);

/* Text output shall draw this interval at the end of each row. */
void iv_table_draw(iv_table *t, iv_drawn drawn);

/* Text leaves it out and says that it is there; the others show it. */
void iv_table_named(iv_table *t);

/* What stands behind the largest value of a column, and what the caption says of it; latex
 * sets such values in bold instead. */
#define IV_PAPER_MAX " (max)"
#define IV_PAPER_MARKED "is marked (max)"
#define IV_PAPER_BOLD "is in bold"

/* The note added last is about these tables ("pairs groups"): who sees none of them is not
 * told.  Notes of the result are all of them; formats leave out what they do not show. */
void iv_result_about(iv_result *r, const char *tables);

/* Adds a note; its texts are copied but for the id, which is static. */
void iv_result_add_note(iv_result *r, const iv_note *note);

/* A sentence before the answer, set before or after it. */
void iv_result_lead(iv_result *r, const char *text);

/* A method was used: its id, static, and what the line on methods says of it, once. */
void iv_result_add_method(iv_result *r, const char *id, const char *text);

/* ... and it rests on a paper; all static.  One that is there already is not added. */
void iv_result_add_citation(iv_result *r, const iv_citation *c);

/* It is one that a paper prints: a text a run, then cells of value, interval and marks. */
void iv_table_paper(iv_table *t, const char *caption);

/*
 * Fills the next cell of the table, row by row, left to right; the kind must
 * be the column's.  A real that is not finite is a missing value.
 */
void iv_put_text(iv_table *t, iv_str s);
void iv_put_int(iv_table *t, int64_t v);
void iv_put_real(iv_table *t, double v);
void iv_put_missing(iv_table *t);

/* Appends rows to a table that iv_result_rows() made with the same fields and flags:
 * a large one need not be in memory twice. */
void iv_table_append(iv_table *t, const iv_rows *rows);

/* The last so many rows have counts in that column of reals, among others that have shares. */
void iv_table_counts(iv_table *t, size_t rows, const char *column);

/* What people read above a column. */
void iv_table_head(iv_table *t, const char *column, const char *heading);

/* Has the column a value in any row, and do its cells differ? */
bool iv_table_has_any(const iv_table *t, size_t column);
bool iv_table_varies(const iv_table *t, size_t column);

/* Do people see the column, or all of them if verbose? */
bool iv_table_seen(const iv_table *t, size_t column, bool verbose);

/* A view of t: the columns that are for its readers.  A page has all: it shows what people see,
 * and saves what programs read.  Borrows t. */
typedef enum { IV_PROGRAMS, IV_PEOPLE, IV_PAGE } iv_readers;
IV_MUST_CHECK int iv_table_view(iv_table *out, iv_arena *a, const iv_table *t, iv_readers readers,
                                bool verbose, iv_err *err);

/* The part of t that begins in row *from, which moves on to the next; false when none
 * is left.  A table that is not split is one part. */
bool iv_table_part(iv_table *part, const iv_table *t, size_t *from);

/* Will only the number of such a table's rows be shown?  They are not kept then. */
bool iv_result_counts_only(const iv_result *r, iv_showing showing);

/* Was this table asked for by its name? */
bool iv_result_wants_only(const iv_result *r, const char *table);

#endif

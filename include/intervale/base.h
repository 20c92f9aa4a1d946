/* SPDX-License-Identifier: Apache-2.0 */
/*
 * base -- what every other module uses: errors, strings, numbers as text,
 * tables of results, output files.  Depends on nothing.
 *
 * Conventions of the whole library:
 *  - a function that can fail returns IV_OK or a negative IV_E* code and fills
 *    the caller's iv_err (which may be NULL) with one line for a person;
 *  - out parameters come first, and the caller frees them; a returned
 *    pointer is borrowed from the object that was passed;
 *  - on failure every out parameter is untouched;
 *  - invalid arguments give IV_EARG: lists that are NULL or contain NULL, values that the
 *    enum does not have, NaN instead of a number;
 *  - iv_xxx_free(NULL) does nothing;
 *  - nothing is printed, nothing exits, there is no global state; different
 *    objects may be used from different threads, one object by many readers;
 *  - options of {0}, and a NULL pointer to options, mean the defaults of the
 *    command-line tool.
 *
 * Threads: a long loop starts threads, as many as the system gives, and ends them before it
 * returns.  They take no signals.  A caller's own threads may call the library at the same
 * time; each call starts its own threads.  A child of fork() may use the library, whatever the
 * parent's threads were doing.  A progress function is called by the thread that called the
 * library or by a thread that the library started, one at a time.
 *
 * What is stable: functions and structs of these headers keep their meaning and
 * layout for as long as libintervale.so keeps its number.  Those marked
 * IV_EXPERIMENTAL may change or disappear in any version; the shared library exports them
 * under the version INTERVALE_EXPERIMENTAL.
 */
#ifndef INTERVALE_BASE_H
#define INTERVALE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
#define IV_BEGIN_C extern "C" {
#define IV_END_C }
#else
#define IV_BEGIN_C
#define IV_END_C
#endif

IV_BEGIN_C

#if defined(__GNUC__)
#define IV_API __attribute__((visibility("default")))
#define IV_MUST_CHECK __attribute__((warn_unused_result))
#define IV_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define IV_API
#define IV_MUST_CHECK
#define IV_PRINTF(fmt, args)
#endif

#define IV_EXPERIMENTAL /* see above */

/* The version of these headers. */
#define IV_VERSION_MAJOR 0
#define IV_VERSION_MINOR 4
#define IV_VERSION_PATCH 0

/* The version of the library in use, such as "0.4.0"; static. */
IV_API const char *iv_version(void);

/* ------------------------------------------------------------- errors -- */

/* What went wrong, as far as a caller can act on it. */
enum {
    IV_OK      = 0,
    IV_ENOMEM  = -1, /* allocation failed */
    IV_EIO     = -2, /* the operating system refused a read or a write */
    IV_EPARSE  = -3, /* the input is not in the format it claims; the error
                        names file and line */
    IV_EARG    = -4, /* a value is outside its documented domain */
    IV_ENODATA = -5, /* valid input, but nothing to compute from */
    IV_ENUM    = -6, /* a computation did not reach its accuracy */
    IV_ECANCELLED = -7 /* the caller's progress function asked to stop */
};

/* Filled by the function that detects the error; owned by the caller. */
typedef struct iv_err {
    int code;       /* one of the IV_E* values, IV_OK while unset */
    char msg[340];  /* one line, no newline, no final full stop */
    char hint[128]; /* what to do, to be shown after it: "; --sort sorts it first".  Options are
                       spelled as in the tool; "" if there is none */
    char file[160]; /* the file it is about, "" if none; a longer path has lost
                       its beginning and starts with "..." */
    uint64_t line;  /* of that file, from 1; 0: the whole file */
} iv_err;

/* How much a message matters. */
typedef enum iv_severity { IV_NOTE, IV_WARNING, IV_ERROR } iv_severity;

/* At the end of a message: what to do; it may name options (iv_err.hint). */
#define IV_HINT(text) "\x01" text

/* Records code and message in err (which may be NULL) and returns code. */
IV_API int iv_fail(iv_err *err, int code, const char *fmt, ...) IV_PRINTF(3, 4);

/* The same for a file, and a line of it (0: none). */
IV_API int iv_fail_at(iv_err *err, int code, const char *file, uint64_t line,
                      const char *fmt, ...) IV_PRINTF(5, 6);

/* Writes the whole line for a person: "FILE:LINE: msg", "FILE: msg" or "msg".
 * Returns out. */
enum { IV_ERR_TEXT_SIZE = 544 };
IV_API const char *iv_err_text(char out[IV_ERR_TEXT_SIZE], const iv_err *err);

/* ------------------------------------------------------------ strings -- */

/* Bytes owned by someone else; not terminated, any byte may occur. */
typedef struct iv_str {
    const char *ptr;
    size_t len;
} iv_str;

/* A view of a terminated string. */
IV_API iv_str iv_str_of(const char *s);

/* Byte order: negative, 0 or positive as a sorts before, with or after b.
 * Either may be empty (len 0, any ptr). */
IV_API int iv_str_cmp(iv_str a, iv_str b);

/*
 * Writes s in single quotes for an error message: control bytes and bytes
 * that are not UTF-8 as \xNN, cut after 40 bytes with "...".  Returns out.
 */
enum { IV_QUOTE_SIZE = 176 };
IV_API const char *iv_quote(char out[IV_QUOTE_SIZE], iv_str s);

/*
 * How far a word is from another, in halves of an edit: inserting, deleting or
 * changing a letter and swapping two neighbours are one edit; another case costs
 * `other_case` halves.  Looks at the first 64 bytes of each.  Allocates nothing.
 */
IV_API size_t iv_edit_distance(iv_str a, iv_str b, size_t other_case);

/* ------------------------------------------------------- how to work -- */

/*
 * Long work reports its progress to the caller and asks whether to continue: at least
 * every 50 ms, from one thread at a time, with a fraction that never falls.
 * report may be NULL; when it returns anything but 0, the work ends with
 * IV_ECANCELLED as soon as it can, and leaves nothing behind.
 */
typedef struct iv_progress {
    int (*report)(void *user, double fraction);
    void *user;
} iv_progress;

typedef struct iv_digests iv_digests; /* see below */

/*
 * How a function works.  Results depend on the seed, but not on the threads.
 * {0}, and NULL if a pointer is taken, mean all threads,
 * seed 1, no report.
 */
typedef struct iv_work {
    int threads;   /* 0: as many as there are processors */
    uint64_t seed; /* of random numbers; 0: 1 */
    iv_progress progress;
    uint64_t most_bytes; /* of one file, unpacked; 0: as many as memory holds */
    iv_digests *digests; /* gets the SHA-256 of every file read; NULL: not needed */
} iv_work;

/*
 * In options, 0 means the default.  If the number 0 is a valid value, too, and
 * negative numbers are not, IV_ZERO is the number 0: .level = IV_ZERO is grade 0.
 */
#define IV_ZERO (-1)

/* Lists that a caller passes; they are read during the call only. */
typedef struct iv_texts {
    const char *const *at;
    size_t count;
} iv_texts;
typedef struct iv_reals {
    const double *at;
    size_t count;
} iv_reals;
typedef struct iv_integers {
    const int64_t *at;
    size_t count;
} iv_integers;

/* Two limits; and an estimate with its standard error, its limits, and their degrees of
 * freedom (Student's t).  NaN: there is none. */
typedef struct iv_limits {
    double lower, upper;
} iv_limits;
typedef struct iv_interval {
    double value, se, lower, upper, df;
} iv_interval;

/* What a column of a table holds. */
typedef enum iv_kind { IV_TEXT, IV_INTEGER, IV_REAL } iv_kind;

/* ---------------------------------------------------- numbers as text -- */

/*
 * Reads the whole of s as a decimal number: optional sign, digits with an
 * optional point, optional exponent.  Correctly rounded, whatever the locale.
 * False, and *out untouched, for anything else: empty, blanks, hexadecimal,
 * "inf", "nan", an overflow to infinity.
 */
IV_API bool iv_scan_real(double *out, iv_str s);

/* Reads the whole of s as a decimal integer (a sign, then digits) in [lo, hi];
 * false, and *out untouched, for anything else. */
IV_API bool iv_scan_int(int64_t *out, iv_str s, int64_t lo, int64_t hi);

/*
 * The shortest text that is read as the same double, terminated; "nan",
 * "inf" and "-inf" for the three that no table may contain.  Returns its length.
 */
enum { IV_REAL_SIZE = 32 };
IV_API size_t iv_format_real(char out[IV_REAL_SIZE], double value);

/* ------------------------------------------------------- output files -- */

/*
 * A file that is written completely or not at all.  It is written in the same folder without
 * a name (under a temporary name if the system has no nameless files);
 * iv_outfile_commit() syncs and names it, with the permissions of a file that it
 * replaces.
 */
typedef struct iv_outfile iv_outfile;

/*
 * Opens path for writing; path "-" is standard output, written directly.  IV_EIO
 * if the folder cannot be written.  The caller commits or abandons *out.
 */
IV_API IV_MUST_CHECK int iv_outfile_open(iv_outfile **out, const char *path,
                                         iv_err *err);

/* Where to write; borrowed.  Write errors may be reported only by the commit. */
IV_API FILE *iv_outfile_stream(iv_outfile *f);

/* Gives the file its name, or fails (IV_EIO) and keeps the previous file.  Frees f
 * in either case. */
IV_API IV_MUST_CHECK int iv_outfile_commit(iv_outfile *f, iv_err *err);

/* Discards the file.  Frees f, which may be NULL. */
IV_API void iv_outfile_abandon(iv_outfile *f);

/*
 * A stream into memory, for callers from other languages: they share no C library with this one
 * on every system.  iv_memory_close() sets *text, zero-terminated, and *len, both borrowed until
 * then, and closes the stream; iv_memory_free() frees the text.  NULL: out of memory.
 */
IV_API FILE *iv_memory_open(char **text, size_t *len);
/* IV_ENOMEM: the text is incomplete, and *text is NULL. */
IV_API IV_MUST_CHECK int iv_memory_close(FILE *stream, char **text, iv_err *err);
/* Frees a text of iv_memory_close(), which may be NULL. */
IV_API void iv_memory_free(char *text);

/* A file that was read. */
typedef struct iv_input {
    const char *path;
    uint64_t bytes;
    const char *sha256; /* in hexadecimal; NULL: not requested */
} iv_input;

/* The SHA-256 of input files, for reports. */

enum { IV_SHA256_SIZE = 65 };

/*
 * A list of files and their SHA-256, filled by the functions that read them: see iv_work.
 * Files have the names that the caller gave; the bytes are those on disk, packed
 * or not.  IV_ENOMEM is the only failure.
 */
IV_API IV_MUST_CHECK int iv_digests_new(iv_digests **out, iv_err *err);
IV_API void iv_digests_free(iv_digests *d);

IV_END_C

#endif /* INTERVALE_BASE_H */

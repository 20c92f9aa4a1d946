/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of trec share, and what other modules use of it. */
#ifndef IV_TREC_TABLES_PRIVATE_H
#define IV_TREC_TABLES_PRIVATE_H

#include "trec/json_read.h"
#include "trec/trec_private.h"

/* ----------------------------------------------------------------- csv -- */
/* Inside a table: for the matrix and the inspection. */

struct iv_csv {
    iv_bytes bytes;
    iv_arena unquoted; /* cells whose quotes had to be resolved */
    iv_str *cells;     /* the header's first, then row by row */
    size_t cell_count, cell_capacity;
    uint64_t *lines;   /* of each row */
    size_t row_count, row_capacity;
    size_t columns;
    const char *path;  /* for messages */
    iv_str *said; /* cells as they were, where commas became points; NULL: nowhere */
};

/* A cell as the file has it: iv_csv_cell() may have a point for a comma. */
iv_str iv_csv_said(const iv_csv *t, size_t row, size_t column);

/* Does a cell say that there is no number: empty, or as pandas, numpy, R and JSON write it? */
bool iv_csv_is_missing(iv_str cell);

/* A cell of CSV (RFC 4180).  With marks, what a spreadsheet would take for a formula has an
 * apostrophe before it, and one more where it has some: iv_unmarked() gives the same text back. */
void iv_put_csv(FILE *out, iv_str s, bool marks);
iv_str iv_unmarked(iv_arena *a, iv_str s);

/*
 * Parses t->bytes; problems go to the list.  With `collect`, a row of the
 * wrong length is told and left out.  Asks work whether to go on.
 */
void iv_csv_read(iv_csv *t, bool collect, const iv_work *work, iv_problems *problems);

/* Reads a table as every reader does, from bytes it takes over. */
IV_MUST_CHECK int iv_csv_from(iv_csv **out, iv_bytes *bytes, const char *name,
                              const iv_work *work, iv_err *err);

/* -------------------------------------------------------------- fields -- */
/* Lines of fields separated by blanks: the one tokenizer of all readers. */

/*
 * The first byte from p on that is at most a space, or end.  Eight bytes at a
 * time: subtracting 0x21 from each sets the top bit of those below it, and of
 * others only behind the first such byte.
 */
static inline const char *iv_skip_printable(const char *p, const char *end)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t word;
        memcpy(&word, p, 8);
        const uint64_t low = (word - UINT64_C(0x2121212121212121)) & ~word
            & UINT64_C(0x8080808080808080);
        if (low != 0)
            return p + (__builtin_ctzll(low) >> 3);
        p += 8;
    }
#endif
    while (p < end && (unsigned char)*p > ' ')
        p++;
    return p;
}

static inline bool iv_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The end of the field that begins at p: a blank, a line end, or end. */
static inline const char *iv_field_end(const char *p, const char *end)
{
    p = iv_skip_printable(p, end);
    while (p < end && *p != '\n' && !iv_is_blank(*p))
        p = iv_skip_printable(p + 1, end); /* a control byte separates nothing */
    return p;
}

/* The field that ends before p, which begins the third field of a line or a later one. */
static inline iv_str iv_field_before(const char *p)
{
    while (iv_is_blank(p[-1]))
        p--;
    const char *const end = p;
    while (!iv_is_blank(p[-1]))
        p--;
    return (iv_str){ p, (size_t)(end - p) };
}

/*
 * Splits the line that begins at *p into fields; keeps the first `most` and
 * returns how many there are.  *p moves behind the line.
 */
static inline size_t iv_split_line(iv_str *fields, size_t most, const char **p,
                                   const char *end)
{
    const char *at = *p;
    size_t count = 0;

    for (;;) {
        while (at < end && iv_is_blank(*at))
            at++;
        if (at == end || *at == '\n')
            break;
        const char *const stop = iv_field_end(at, end);
        if (count < most)
            fields[count] = (iv_str){ at, (size_t)(stop - at) };
        count++;
        at = stop;
    }
    *p = at + (at < end);
    return count;
}

/*
 * What most lines repeat of the one before them, to the byte: all before a field and all behind
 * a later one, with the line end.  Two thirds of such a line need not be searched for the ends
 * of fields.  {0}: nothing to go by.
 */
typedef struct iv_likeness {
    iv_str before, behind;
    char blank; /* between the fields that differ, once */
} iv_likeness;

/* Of a line whose fields from `first` to `last` may differ in the next; stop: behind the line. */
static inline iv_likeness iv_likeness_of(const char *line, const iv_str *fields, size_t first,
                                   size_t last, const char *stop)
{
    const char *const end = fields[last].ptr + fields[last].len;

    return (iv_likeness){ { line, (size_t)(fields[first].ptr - line) },
                       { end, stop[-1] == '\n' ? (size_t)(stop - end) : 0 },
                       fields[first].ptr[fields[first].len] };
}

/*
 * Splits a line into its fields from `first` to `last`; the others are the last line's.  *p
 * moves behind the line.  False, with these fields lost, when the line is another.
 */
static inline bool iv_split_alike(iv_str *fields, size_t first, size_t last, const iv_likeness *a,
                                  const char **p, const char *end)
{
    const char *at = *p;

    if (a->behind.len == 0 || (size_t)(end - at) < a->before.len
        || !iv_str_eq((iv_str){ at, a->before.len }, a->before))
        return false;
    at += a->before.len;
    for (size_t i = first; i < last; i++) {
        const char *const stop = iv_skip_printable(at, end);
        if (stop == at || stop == end || *stop != a->blank)
            return false;
        fields[i] = (iv_str){ at, (size_t)(stop - at) };
        at = stop + 1;
    }
    const char *const stop = iv_skip_printable(at, end);
    if (stop == at || (size_t)(end - stop) < a->behind.len
        || !iv_str_eq((iv_str){ stop, a->behind.len }, a->behind))
        return false;
    fields[last] = (iv_str){ at, (size_t)(stop - at) };
    *p = stop + a->behind.len;
    return true;
}

/* Does the line that begins at p have # as its first byte that is no blank? */
static inline bool iv_is_comment(const char *p, const char *end)
{
    while (p < end && iv_is_blank(*p))
        p++;
    return p < end && *p == '#';
}

/* --------------------------------------------------------------- roles -- */
/* Columns of a table by what they hold, with the file and line in each error. */

/* What a column holds.  Messages say the first of its names. */
typedef struct iv_column_role {
    const char *names; /* separated by commas */
    bool optional, whole;
    double low, high;  /* of numbers */
} iv_column_role;

/* Those of topics and items, in every kind of table. */
extern const iv_column_role iv_topic_role, iv_item_role;

/* The column of a role; IV_NONE: there is none. */
size_t iv_role_column(const iv_csv *t, const iv_column_role *role);

/* The same for several roles: out[i] is that of roles[i].  Refuses a table without a required
 * one, and says which it has, and behind that what is expected, "" or "; ...". */
IV_MUST_CHECK int iv_role_columns(size_t *out, const iv_csv *t, const iv_column_role *roles,
                                  size_t count,
                                  const char *expected, iv_err *err);

/* A cell that is a number within the limits of its role. */
IV_MUST_CHECK int iv_role_number(double *out, const iv_csv *t, size_t row, size_t column,
                                 const iv_column_role *role, iv_err *err);

/* Refuses a row by its line; IV_NONE: the header. */
int iv_csv_refuse(const iv_csv *t, size_t row, iv_err *err, const char *fmt, ...) IV_PRINTF(4, 5);

/* Refuses a table without that column, and says which it has. */
int iv_csv_lacks(const iv_csv *t, const iv_column_role *role, const char *expected, iv_err *err);

/* The columns of a table of items: which items there are, what they are in truth, and what
 * systems say of them. */

/* Is it gold, label, truth, y_true or target? */
bool iv_is_gold_name(iv_str column);

/* The column of that name; NULL: the one with such a name, but for those that are named for
 * something else.  Refuses a table without it, and says what it has, or with several. */
IV_MUST_CHECK int iv_gold_column(size_t *out, const iv_csv *t, const char *name,
                                 const iv_texts *others, iv_err *err);

enum { IV_GOLD_NOTE = 1536 };

/* Which column was taken for gold; "": it is called so, or its name was given. */
const char *iv_gold_note(char out[IV_GOLD_NOTE], iv_str column, const char *given);

/* Which columns of the file iv_drop_gold_names() took out; "": none. */
const char *iv_left_note(char out[IV_GOLD_NOTE], iv_listing *left, const char *path);

/* The column of ids: id, or the first one if it has no name, as data frames write their index,
 * or is called index or "Unnamed: 0", as they read it.  IV_NONE: there is none, and an item is
 * known by its row. */
size_t iv_id_column(const iv_csv *t);

/* Refuses a table that needs ids and has none. */
IV_MUST_CHECK int iv_no_ids(const iv_csv *t, iv_err *err);

/* Has it the columns of scores one a record; of labels by several assessors? */
bool iv_csv_is_scores(const iv_csv *t);
bool iv_csv_is_assessments(const iv_csv *t);

/*
 * The columns of systems: those named, in that order, or all but an index and those taken for
 * something else (IV_NONE: nothing).  Refuses a name that is not there, is there twice or is taken,
 * and columns without a name.  `out` has room for all columns.
 */
IV_MUST_CHECK int iv_system_columns(size_t *out, size_t *count, const iv_csv *t,
                                    const iv_texts *named, const size_t *taken,
                                    size_t taken_count, iv_err *err);

/* Takes those that have a name of gold, or this one, out of a list of several columns of systems
 * that nobody named, and says which; refuses where none is left. */
IV_MUST_CHECK int iv_drop_gold_names(iv_listing *left, size_t *columns, size_t *count,
                                     const iv_csv *t, iv_str gold, iv_err *err);

/* The label 1 or 0 where it is written as programs write truth (1.0, True, true, TRUE; 0.0, ...);
 * any other as it is. */
iv_str iv_bit_of(iv_str label);

/* Refuses a table that has an id twice, by the first such line; *out (unless NULL) is the ids in
 * their order, to be given to free().  Without a column of ids there is nothing to refuse. */
IV_MUST_CHECK int iv_ids_once(iv_named **out, const iv_csv *t, size_t column, iv_err *err);

/* Takes the first of these columns that can only be ids out of the list, where scores are
 * expected: no cell begins as a number does or is missing, none is there twice.  Its name; "":
 * there is none. */
iv_str iv_drop_text_ids(size_t *columns, size_t *count, const iv_csv *t);

/* Which row of the predictions is of which item of t: each has one, by the columns of ids, which
 * both must have.  *out is to be given to free(). */
IV_MUST_CHECK int iv_join_ids(size_t **out, const iv_csv *t, const iv_csv *predictions,
                              iv_err *err);

/* Tables with a column of scores for each class, as predict_proba() and its kin give them. */

enum { IV_CLASS_MOST = 1000 };

/* A system: its columns are called `before` CLASS `behind`, of which one at least is empty. */
typedef struct iv_class_system {
    const char *name; /* what is beside the class, without what parts them; "scores": nothing is */
    iv_str before, behind;
    size_t *columns;  /* by class */
} iv_class_system;

typedef struct iv_class_table {
    const char **names; /* of the classes of gold, in the order of the first system's columns */
    size_t classes, items;
    size_t gold;        /* its column */
    size_t *is;         /* the class of each item */
    iv_class_system *systems;
    size_t system_count;
    size_t *others;     /* columns that are no system's score of a class of gold */
    size_t other_count;
} iv_class_table;

/* Are there three gold labels or more?  Missing ones are none. */
IV_MUST_CHECK int iv_class_many(bool *out, const iv_csv *t, const char *gold,
                                const iv_texts *named, iv_err *err);

/*
 * Finds the classes, and all systems or those named.  Refuses a gold label or a name of a column
 * that is missing, an id that is there twice, more classes than IV_CLASS_MOST, and a class that
 * has no column.
 */
IV_MUST_CHECK int iv_class_columns(iv_class_table *out, const iv_csv *t, const char *gold,
                                   const iv_texts *named, iv_arena *memory,
                                   iv_err *err);

/* ------------------------------------------------------- score records -- */
/* Scores on their way from files to tables: what readers of all formats share. */

/* A record as a file has it; what is not there is empty (ptr NULL). */
typedef struct iv_score_record {
    iv_str text[IV_SCORE_ROLES];
    double score, weight; /* NaN: none */
    uint64_t document;    /* a hash of what the item is, 0: not known */
} iv_score_record;

/* The file at hand. */
typedef struct iv_score_file {
    const char *name;
    uint32_t number;
    iv_str system, suite; /* what its name says, empty: nothing */
    iv_str from[IV_SCORE_ROLES]; /* what its path was asked for, before all else */
    bool wide; /* a cell without a score is no record */
} iv_score_file;

typedef struct iv_scores_reader {
    iv_score_table *to;
    iv_str asked[IV_SCORE_ROLES];
    iv_str path_says[IV_SCORE_ROLES]; /* "@file", "@folder", "@path:PATTERN" */
    char taken[IV_SCORE_ROLES][64];
    iv_ids systems, items, measures, repeats, clusters, suites; /* names, kept by the table */
    iv_texts files;
    uint64_t *bytes; /* by file */
    uint32_t *cluster, *suite; /* by item */
    double *weight;
    uint64_t *document;
    size_t cluster_room, suite_room, weight_room, document_room;
    iv_one_score *entries;
    size_t count, capacity;
    iv_score_rows rows;
    const iv_work *work; /* asked whether to go on */
    size_t added;        /* records, of which some were left out */
    bool clustered, weighted, any_suite, none_suite, any_repeat;
    char first_empty[300];
} iv_scores_reader;

/* Is a column a part of the path?  Then what that is for a file. */
bool iv_score_is_path(iv_str column);
IV_MUST_CHECK int iv_score_from_path(iv_score_file *f, const iv_str said[IV_SCORE_ROLES],
                                     iv_err *err);

/* The last part of a path that ends at `end`. */
iv_str iv_score_part(const char *path, const char *end);

/* The name of a file without folders and endings. */
iv_str iv_score_stem(const char *path);

/* Files, with those of folders in the place of folders, in byte order. */
IV_MUST_CHECK int iv_score_paths_of(iv_words *out, iv_arena *own, const iv_texts *files,
                                    iv_err *err);

/* Sorts what was read, refuses what is there twice, and fills r->to; frees the rest. */
IV_MUST_CHECK int iv_scores_finish(iv_scores_reader *r, iv_err *err);
void iv_scores_reader_free(iv_scores_reader *r);

/* The usual names of a column that was not asked for, ending with NULL. */
const char *const *iv_score_usual(iv_score_role role);

/* Remembers, once, that a column was taken for a role. */
void iv_score_taken(iv_scores_reader *r, iv_score_role role, iv_str column);

/* Adds a record of the file's line. */
IV_MUST_CHECK int iv_score_add(iv_scores_reader *r, const iv_score_file *f, uint64_t line,
                               const iv_score_record *record, iv_err *err);

/* A score in words: a number, true or false; Inspect's C, I, P and N if `grades`.  False:
 * none of these. */
bool iv_score_of(double *out, iv_str text, bool grades);

/* The formats: lines and tables, and JSON. */
IV_MUST_CHECK int iv_scores_read_text(iv_scores_reader *r, const iv_score_file *f, iv_bytes *b,
                                      iv_err *err);
IV_MUST_CHECK int iv_scores_read_json(iv_scores_reader *r, iv_score_file *f, iv_str text,
                                      iv_err *err);

IV_MUST_CHECK int iv_scores_read_eval(iv_scores_reader *r, iv_score_file *f, iv_str zip,
                                      iv_err *err);

/*
 * Do the cells of the first column name the rows?  They do unless all are
 * numbers and either one of them has a fraction or one stands there twice,
 * which no name would.
 */
bool iv_csv_rows_named(const iv_csv *t, iv_problems *problems);

/* Are all cells, but the names, numbers or empty, and at least one a number? */
bool iv_csv_is_matrix(const iv_csv *t, bool rows_named);

/* Is it the name of a measure, such as map, P_10, NDCG@10? */
bool iv_is_measure_name(iv_str name);

/* ----------------------------------------------------------------- zip -- */
/* Zip archives held in memory: stored, deflate and zstd. */

typedef struct iv_zip_entry {
    iv_str name, packed; /* both borrowed from the archive */
    uint64_t size;       /* unpacked, by the directory */
    uint32_t crc;
    unsigned method;
} iv_zip_entry;

/* Is the file a zip archive?  False, too, when it cannot be read. */
bool iv_is_zip(const char *path);

/* The directory of an archive; *out is freed with free().  IV_EPARSE for a damaged one. */
IV_MUST_CHECK int iv_zip_entries(iv_zip_entry **out, size_t *count, const char *name, iv_str zip,
                                 iv_err *err);

/* Unpacks an entry as iv_bytes_unpack() does.  IV_EPARSE for other methods. */
IV_MUST_CHECK int iv_zip_unpack(iv_bytes *out, const char *name, const iv_zip_entry *e,
                                const iv_work *work, iv_err *err);

#endif

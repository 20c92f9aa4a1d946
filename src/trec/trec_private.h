/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of trec share, and what other modules use of it. */
#ifndef IV_TREC_TREC_PRIVATE_H
#define IV_TREC_TREC_PRIVATE_H

#include "intervale/trec.h"
#include "base/base_private.h"

/* ---------------------------------------------------------------- trec -- */
/* What the other modules use of trec beside what programs do. */

IV_ENDS(csv)
IV_ENDS(judgments)
IV_ENDS(run)

/* The tag of the first line; empty in the MS MARCO format. */
iv_str iv_run_tag(const iv_run *run);

/* Size of the file as it is kept (packed, if it is packed). */
uint64_t iv_run_bytes(const iv_run *run);

/* The index of the topic with this id, or IV_NONE.  O(log topics). */
size_t iv_run_find_topic(const iv_run *run, iv_str id);

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank);

double iv_run_score(const iv_run *run, size_t topic, size_t rank);

/*
 * Looks for them.  Where no score is above the one before it, ranks are looked
 * at in the first 16 KB only.  Takes a walk over the file at most.
 */
iv_run_oddities iv_run_odd(const iv_run *run);

/*
 * Reads judgments, from a file or from memory, as iv_run_load() and
 * iv_run_parse() do.  A line that begins with # is a comment.  IV_EPARSE also
 * for a file of five fields that could be in either format, when none is given.
 */
IV_MUST_CHECK int iv_judgments_load(iv_judgments **out, const char *path,
                                           iv_judgments_format format,
                                           const iv_work *work, iv_err *err);

/*
 * The format it was read in, never IV_JUDGMENTS_ANY; the size of the file as it
 * is kept; how many topics there are, in byte order, the id of one, borrowed,
 * and the index of an id, or IV_NONE.
 */
iv_judgments_format iv_judgments_format_of(const iv_judgments *j);

uint64_t iv_judgments_bytes(const iv_judgments *j);

size_t iv_judgments_topics(const iv_judgments *j);

iv_str iv_judgments_topic(const iv_judgments *j, size_t topic);

/* The judgments of a topic in the order of the file (by groups: by docno, group and
 * subgroup); borrowed.  Returns how many. */
size_t iv_judgments_of(const iv_judgment **out, const iv_judgments *j,
                              size_t topic);

/* The largest grade of all topics, or 0. */
int32_t iv_largest_grade(const iv_judgments *j);

/* The judgment of a document (by groups: its first), borrowed, or NULL.  O(1) on average. */
const iv_judgment *iv_judgments_find(const iv_judgments *j, size_t topic,
                                            iv_str docno);

/*
 * Goes on to the next comment line; false when there is none left.  A file
 * may keep in them what its columns have no room for.
 */
bool iv_judgments_next_comment(iv_comment *c, const iv_judgments *j);

/* The line of the file on which a judgment stands, for messages; 0: of another file.  Slow. */
uint64_t iv_judgments_line(const iv_judgments *j, const iv_judgment *judgment);

/* The size of the file as it is kept; how many columns and rows (without the
 * header) it has, both at least 1; the name of a column, borrowed. */
uint64_t iv_csv_bytes(const iv_csv *t);

/* The column of that name, byte for byte, or IV_NONE; a cell, borrowed, empty if
 * the file has nothing there. */
size_t iv_csv_find(const iv_csv *t, iv_str name);

/* The line of the file on which a row begins, for messages. */
uint64_t iv_csv_line(const iv_csv *t, size_t row);

/*
 * Labels by several assessors: a table with a line for each label and columns for item,
 * assessor and label.  Columns for topic, stratum and whether the item was retrieved are
 * optional.  Columns are found by their names (doc/formats.md), in any order; others are
 * ignored.  If there are no columns for assessor and label, each line is an item, and each
 * of the other columns has the labels of one assessor.
 */

/* Missing labels (empty, NA, nan, ?; -1 among grades) are excluded.  Items are
 * sorted by topic, otherwise in the order of the file. */
typedef struct iv_assessments {
    size_t item_count, assessor_count, topic_count;
    const iv_str *items;
    const char *const *assessors;    /* in the order of the file */
    const iv_str *topics;            /* one, "", if there is no column of topics */
    bool has_topics;
    const uint32_t *topic;           /* of each item */
    const size_t *topic_starts;      /* the first item of each topic */
    uint32_t label_count;
    const char *const *labels;       /* numbers in increasing order, or words in byte order */
    const double *values;            /* of each label; NULL if labels are words */
    bool whole;                      /* values are whole numbers: grades */
    const uint32_t *assessor, *label; /* of each label, sorted by item, then by assessor */
    const size_t *starts;            /* the first label of each item */
    size_t missing;                  /* lines without a label */
    size_t cannot;                   /* of these, lines with grade -1: could not be judged */
    bool wide;                       /* the table has a column for each assessor */
    const char *excluded;            /* columns of such a table that share no label with
                                        another column, as a text; NULL: none */
    size_t folded;                   /* labels that differ from another in case only */
    uint64_t bytes;                  /* size of the file on disk */
    /* What its reader needs: */
    iv_arena *own;
    iv_csv *csv;
    size_t column[6];                /* by role; IV_NONE: there is none */
    size_t *judges, judge_count;     /* columns of assessors; 0: each label has a line */
    iv_ids topic_ids, item_ids, assessor_ids, texts; /* of items: topic and name as one text */
    struct record *records;
    size_t count;
    uint32_t *place;                 /* of each item as it first comes: where it stands now, ... */
    uint32_t *topic_of;
    size_t *first;                   /* ... and the row where it comes */
} iv_assessments;

/*
 * Reads them from a table, which the arena takes over, also on failure.  IV_EPARSE with the line
 * for a column that is missing, a name that is, an item labelled twice by one assessor; IV_ENODATA
 * without a label.  *out is the arena's.
 */
IV_MUST_CHECK int iv_assessments_of(const iv_assessments **out, iv_arena *own, iv_csv *table,
                                    iv_err *err);

/*
 * Reads such a file.  runs: the columns that are runs, separated by commas;
 * NULL: all that hold marks and nothing else, unless there is a column segment.
 * IV_EPARSE for a column that is missing, a count that is none, n > N or r > n,
 * a stratum without a name or with another's, and a cell that is no mark.  *out is the arena's.
 */
IV_MUST_CHECK int iv_strata_load(const iv_strata_table **out, iv_arena *own, const char *path,
                                 const char *runs, const iv_work *work, iv_err *err);

/* The same from a text, which is copied; name stands in messages. */
IV_MUST_CHECK int iv_strata_parse(const iv_strata_table **out, iv_arena *own, const char *name,
                                  iv_str text, iv_err *err);

/*
 * Writes the lines of a file ("-": standard input), unpacked if it is gzip or zstd, in the order
 * of their first field by bytes; lines of a topic stay as they were.  Lines without a topic
 * (comments, empty ones, the header of BEIR files) come first.  A last line gets its line end; a
 * byte-order mark is left out.
 * IV_EIO, also when a disk is full; IV_EPARSE for damaged packed data and for a line that does
 * not fit into memory.  Time is linear in the bytes, but for topics that share their first bytes.
 * found and how may be NULL.
 */
IV_MUST_CHECK int iv_sort_lines(FILE *out, const char *path, const iv_sorting *how,
                                       iv_sorted_lines *found, const iv_work *work, iv_err *err);

/*
 * Reads a machine's labels: qrels or BEIR as iv_judgments_load() does (format 0: told by
 * content), and lines of topic, document and score (or qrels whose grades are real numbers).
 * *scored tells that they are scores: their grades are then 0 to IV_SCORE_PARTS - 1 by rank,
 * equal scores alike.  Whole numbers of at most 16 different values are grades.  *out is the
 * caller's: iv_judgments_free().  Errors as iv_judgments_load(); IV_EPARSE too for a sample
 * or a stratified file, since a machine labels everything.
 */
IV_MUST_CHECK int iv_machine_labels_load(struct iv_judgments **out, bool *scored,
                                                const char *path, int format,
                                                const iv_work *work, iv_err *err);

/*
 * The same labels with new grades: as many as `count` rising cuts are at most the old one.
 * *out is the caller's.  IV_ENOMEM, IV_EARG for cuts that do not rise.
 */
IV_MUST_CHECK int iv_machine_labels_cut(struct iv_judgments **out,
                                               const struct iv_judgments *labels,
                                               const int32_t *cuts, size_t count, iv_err *err);

/* Is a file a run of six fields a line, told by its first line?  IV_EIO where it cannot be
 * read, IV_EPARSE where it is damaged. */
IV_MUST_CHECK int iv_file_is_run(bool *out, const char *path, const iv_work *work,
                                        iv_err *err);

/* The one table of scores: systems x measures x items, with what belongs to each. */

/* A score, by numbers of names, and where it stands. */
typedef struct iv_one_score {
    uint32_t measure, system, item, repeat, file;
    double score;
    uint64_t line;
} iv_one_score;

/* Read only. */
typedef struct iv_score_table {
    const char *const *systems, *const *measures, *const *repeats, *const *clusters,
        *const *suites; /* as they first come */
    const iv_str *items; /* with suites "suite/item" */
    size_t system_count, measure_count, item_count;
    size_t repeat_count;  /* names of repeats; 0: there is no such column */
    size_t cluster_count; /* 0: no such column; items without one are one each */
    size_t suite_count;   /* 0: no such column */
    const uint32_t *cluster, *suite; /* by item; NULL: none */
    const double *weight;            /* by item; NULL: none */
    const iv_one_score *scores;      /* by measure, system, item, repeat, each once */
    size_t count;
    iv_texts files;             /* that were read, with those of folders */
    const uint64_t *file_bytes; /* by file, as they are kept */
    bool wide;           /* a file had a column for each system or item: runs and topics */
    bool binary;         /* a column was declared so */
    const char *columns; /* "system = model, item = doc_id"; "" if all are named like their roles */
    size_t empty;        /* records without a score, left out ... */
    const char *first_empty; /* ... the first of them, FILE:LINE: whose; "" */
    const char *unfinished;  /* a log that says that its run did not succeed; NULL: none */
    iv_arena own;
} iv_score_table;

/* Their names in that order, ending with NULL. */
const char *const *iv_score_role_names(void);

/* The role of a name; "suite", its name before 0.3, is the set.  IV_SCORE_ROLES: none. */
size_t iv_score_role_named(iv_str name);

/*
 * Reads the files, or takes the arrays.  IV_EPARSE with file and line for what cannot be
 * read, a score that is no finite number, the same score twice, an item that is in two
 * clusters or sets or has two weights; IV_EARG for columns that are no role=name or for arrays
 * of unequal length; IV_ENODATA when there is no score.  *out is the caller's:
 * iv_score_table_free().
 */
IV_MUST_CHECK int iv_score_table_load(iv_score_table **out, const iv_score_source *source,
                                        const iv_work *work, iv_err *err);

/* One file's bytes, plain or packed; name stands in messages and gives the system. */
IV_MUST_CHECK int iv_score_table_parse(iv_score_table **out, const char *name, const void *text,
                                       size_t len, const iv_texts *columns, iv_score_rows rows,
                                       iv_err *err);

/* NULL: nothing to free; void, so that an arena can own a table. */
void iv_score_table_free(void *table);

/* The means over repeats of a measure, out[system * items + item]; NaN where there is none.
 * Returns the most scores that one system has on one item. */
size_t iv_score_values(double *out, const iv_score_table *t, size_t measure);

/* ------------------------------------------------------------ problems -- */
/*
 * What is wrong with a file, line by line.  A reader stops at the first error;
 * check collects them all; both get the same text.
 */

/* Something wrong with a file (an error) or unusual in it (a warning). */
typedef struct iv_problem {
    uint64_t line;       /* from 1 */
    bool error;
    const char *message; /* an error's reads as every reader would put it */
    const char *hint; /* what to do, behind it: see iv_err; "" if there is nothing */
    size_t told; /* its place among those told */
} iv_problem;

/*
 * {.most = n} is a valid empty list that keeps n of what it is told; a warning
 * never takes the place of an error.
 */
typedef struct iv_problems {
    iv_problem *items;
    size_t count, capacity;
    size_t most;
    size_t kept_errors;
    uint64_t errors, warnings; /* kept or not */
    bool no_memory; /* or stopped, which ends a reader in the same way */
    bool stopped;   /* by the caller's progress */
    iv_arena text;
} iv_problems;

/* Scores and weights beyond this have squares and sums that no double holds. */
#define IV_SCORE_MOST 1e100

/* Records a problem; the message has neither file nor line. */
void iv_complain(iv_problems *list, uint64_t line, iv_severity severity,
                const char *fmt, ...) IV_PRINTF(4, 5);

/* " and N more THINGs" for a problem told once for many places; "" when this was the only one. */
enum { IV_MORE_SIZE = 64 };
const char *iv_and_more(char out[IV_MORE_SIZE], uint64_t others, const char *thing);

/* Remembers how a loop over the file ended. */
static inline void iv_problems_ended(iv_problems *list, int rc)
{
    list->stopped = list->stopped || rc == IV_ECANCELLED;
    list->no_memory = list->no_memory || rc != IV_OK;
}

/* Asks work, which has read the file, whether to go on with it; false: no. */
static inline bool iv_problems_go_on(iv_problems *list, const iv_work *work)
{
    iv_problems_ended(list, iv_check_work(work, 1.0, NULL));
    return !list->stopped;
}

/* Adds what another list holds, its lines moved down by `lines`. */
void iv_problems_append(iv_problems *list, const iv_problems *more, uint64_t lines);

/*
 * Sorts by line, errors first, and drops what is more than `most`: the last
 * warnings, then the last errors.
 */
void iv_problems_finish(iv_problems *list);

/*
 * IV_OK when the list has no error; else fills err with the first one and its line, or with
 * IV_ENOMEM or IV_ECANCELLED.  Frees the list.
 */
IV_MUST_CHECK int iv_problems_verdict(iv_problems *list, const char *name, iv_err *err);

void iv_problems_free(iv_problems *list);

/* -------------------------------------------------------------- chunks -- */
/*
 * A text file of records that belong to topics, read by all cores.
 *
 * The file is cut into chunks of whole lines.  Each chunk is parsed by itself
 * into an array of records and a list of segments, maximal stretches of one
 * topic; then the segments of a topic are put together in the order of the
 * file.  A topic that is one segment, as nearly all are, stays where it was
 * parsed.  How the file was cut leaves no trace in the result.
 */

typedef struct iv_segment {
    iv_str topic;
    size_t first, count; /* in the chunk's records */
    uint32_t number;     /* of the topic; while grouping */
} iv_segment;

typedef struct iv_chunk iv_chunk;

/* Parses a chunk, to its end whatever is wrong with lines. */
typedef void iv_chunk_parser(iv_chunk *c, const void *how);

struct iv_chunk {
    iv_chunk_parser *parse;
    const void *how;
    const char *begin, *end; /* whole lines */
    uint64_t lines;          /* read so far, the empty ones too */
    uint64_t empty_lines, comment_lines;
    iv_str tag;              /* of a run: the first line's ... */
    bool other_tag;          /* ... and whether another line has another */
    char *records;
    size_t record_size, count, capacity;
    iv_segment *segments;
    size_t segment_count, segment_capacity;
    iv_problems problems;    /* lines counted from the chunk's first */
};

/* True after an error: a topic or document of more than IV_LONGEST_ID bytes is none. */
enum { IV_LONGEST_ID = 4096 };
static inline bool iv_refuse_long_id(iv_chunk *c, iv_str topic, iv_str docno)
{
    if (topic.len <= IV_LONGEST_ID && docno.len <= IV_LONGEST_ID)
        return false;
    iv_complain(&c->problems, c->lines, IV_ERROR, "a %s of %zu bytes, expected at most %d",
                topic.len > IV_LONGEST_ID ? "topic" : "docno",
                topic.len > IV_LONGEST_ID ? topic.len : docno.len, IV_LONGEST_ID);
    return true;
}

bool iv_chunk_grow(iv_chunk *c, iv_str topic, bool new_segment);

/* Is the topic that of the chunk's last record? */
static inline bool iv_chunk_goes_on(const iv_chunk *c, iv_str topic)
{
    return c->segment_count > 0 && iv_str_eq(c->segments[c->segment_count - 1].topic, topic);
}

/*
 * A new record of a topic, to be filled in; NULL when memory is out.  new_segment: the
 * topic is not that of the last record.
 */
static inline void *iv_chunk_add(iv_chunk *c, iv_str topic, bool new_segment)
{
    if ((new_segment || c->count == c->capacity)
        && !iv_chunk_grow(c, topic, new_segment)) {
        c->problems.no_memory = true;
        return NULL;
    }
    c->segments[c->segment_count - 1].count++;
    return c->records + c->record_size * c->count++;
}

/* All records of a topic, in the order of the file. */
typedef struct iv_topic_records {
    iv_str id; /* first: it is what is searched for */
    void *records;
    size_t count;
    size_t segments; /* in which the file has them */
} iv_topic_records;

/* A file put together; topics in byte order. */
typedef struct iv_grouped {
    iv_topic_records *topics;
    size_t topic_count;
    uint64_t lines, empty_lines, comment_lines, records;
    iv_chunk *chunks; /* own the records of topics that are one segment */
    size_t chunk_count;
    char *gathered;   /* owns the others */
} iv_grouped;

/*
 * Parses text in chunks of about chunk_bytes (0 = choose) and groups the records by
 * topic.  Problems go to the list, unsorted; the result is whole only if the list has no error.
 */
void iv_group_records(iv_grouped *out, iv_str text, size_t record_size,
                      iv_chunk_parser *parse, const void *how, const iv_work *work,
                      size_t chunk_bytes, iv_problems *problems);

void iv_grouped_free(iv_grouped *g);

/* The index of the topic with this id, or IV_NONE. */
size_t iv_grouped_find(const iv_grouped *g, iv_str id);

/* The line, from 1, of the byte at `at`. */
static inline uint64_t iv_line_of(iv_str text, const char *at)
{
    return 1 + iv_lines_in((iv_str){ text.ptr, (size_t)(at - text.ptr) });
}

/* -------------------------------------------------------------- docset -- */
/*
 * The judged documents of one topic, findable by name.  A slot keeps the hash,
 * so that nearly every stranger is turned away without a look at its bytes.
 */

typedef struct iv_slot {
    uint32_t hash;  /* the lower half */
    uint32_t index; /* of the document, + 1; 0 is a free slot */
} iv_slot;

/* How many slots a set of n needs: a power of two, at most half full. */
static inline size_t iv_docset_slots(size_t n)
{
    size_t slots = 4;

    while (slots < 2 * n)
        slots *= 2;
    return slots;
}

typedef struct iv_docset {
    const iv_judgment *items;
    const iv_slot *slots;
    size_t mask; /* slots - 1 */
} iv_docset;

/* The first slot with this hash, or the free one that ends the search. */
static inline size_t iv_docset_probe(const iv_docset *set, uint32_t hash)
{
    size_t s = hash & set->mask;

    while (set->slots[s].index != 0 && set->slots[s].hash != hash)
        s = (s + 1) & set->mask;
    return s;
}

/* The document of that (uint32_t)iv_hash(), searched for from a slot that iv_docset_probe() gave,
 * or from hash & set->mask. */
static inline const iv_judgment *iv_docset_find_from(const iv_docset *set, iv_str docno,
                                                     uint32_t hash, size_t s)
{
    for (; set->slots[s].index != 0; s = (s + 1) & set->mask) {
        const iv_judgment *item = &set->items[set->slots[s].index - 1];
        if (set->slots[s].hash == hash && iv_str_eq(item->docno, docno))
            return item;
    }
    return NULL;
}

/* ---------------------------------------------------------- duplicates -- */
/* Documents that stand twice in a topic, in runs and judgments alike. */

/* The docno of a record. */
typedef iv_str iv_docno_of(const void *record);

/*
 * Looks through every topic, its records in the order of the file, and tells
 * of each repetition at its line.  Returns how many lines repeat a document.
 * qrels: the field before a docno could be a group, and where it differs that is told.
 */
uint64_t iv_find_duplicates(const iv_grouped *g, size_t record_size, iv_str text,
                            iv_docno_of *docno_of, bool qrels, const iv_work *work,
                            iv_problems *problems);

/* ------------------------------------------------------------- inspect -- */
/* What a file is, and all that is wrong with it. */

/* --------------------------------------------------------- inspection -- */

typedef enum iv_file_kind {
    IV_FILE_UNKNOWN,
    IV_FILE_RUN,
    IV_FILE_JUDGMENTS,
    IV_FILE_MATRIX, /* a table of numbers, perhaps scores */
    IV_FILE_TABLE,  /* any other table with a header */
    IV_FILE_SCORES, /* scores in JSON, JSON lines or .eval: records are scores, topics items */
    IV_FILE_REFERENCES /* RIS, NBIB, a project of ASReview; `judge new` reads them */
} iv_file_kind;

/* What a file is and all that is wrong with it. */
typedef struct iv_inspector {
    iv_file_kind kind;
    const char *format;  /* such as "TREC run", "prels" */
    const char *packing; /* "plain", "gzip" or "zstd" */
    uint64_t bytes;      /* as kept */
    uint64_t lines;      /* not empty; a header or a comment counts */
    uint64_t records;    /* documents retrieved, judgments, rows */
    size_t topics;       /* columns, in a matrix or table */
    size_t documents;    /* different docnos over all topics */
    int32_t grade_min, grade_max; /* judgments; min > max: none */
    uint64_t relevant;   /* judgments with a grade above 0 */
    uint64_t unjudged;   /* judgments with a grade below 0 */
    uint64_t duplicates; /* lines that repeat a document of their topic */
    uint64_t ties;       /* retrieved documents that share score and topic with another */
    size_t tags;         /* different tags, in a run */
    const char *tag;     /* the first; NULL: none */
    bool score_order;    /* the lines of each topic are in rank order */
    iv_problems problems; /* by line */
    iv_bytes content;    /* topics point into it */
    iv_arena text;
    iv_str *topic_ids;   /* of a run or of judgments, in byte order; NULL otherwise */
    const char *columns_of; /* what a table may be by the names of its columns; NULL: nothing */
    iv_judgments_format judgments; /* what they were read as; any: no judgments, or none told */
} iv_inspector;

/*
 * Looks at a file as check does.  Bad content is no failure: it is what the
 * inspection reports; only IV_EIO and IV_ENOMEM are.  most: how many problems
 * are listed; the rest are counted.
 */
IV_MUST_CHECK int iv_inspect(iv_inspector **out, const char *path, iv_judgments_format format,
                             size_t most, const iv_work *work, iv_err *err);

/* Frees the inspector and what was borrowed from it. */
void iv_inspector_free(iv_inspector *i);

/* Adds a problem to those of a finished inspection, in the place of its line; false: out of
 * memory. */
IV_MUST_CHECK bool iv_inspector_add(iv_inspector *i, uint64_t line, iv_severity severity,
                                    const char *message);

/* Inspects bytes, which it takes over; chunk and thread rules as elsewhere. */
IV_MUST_CHECK int iv_inspect_bytes(iv_inspector **out, iv_bytes *bytes,
                                   iv_judgments_format format, size_t most,
                                   const iv_work *work, const char *name, iv_err *err);

/* ----------------------------------------------------------- judgments -- */
/* Inside judgments: for the join and the inspection. */

struct iv_judgments {
    iv_bytes bytes;
    iv_str text; /* the bytes less a byte-order mark */
    size_t rows; /* of columns: as many lines hold names, and comments follow; 0: a file */
    iv_judgments_format format;
    iv_grouped grouped;  /* records are iv_judgment */
    iv_slot *slots;      /* the documents of all topics, by hash */
    size_t *first_slot;  /* where a topic's begin */
    atomic_bool repeats; /* a document stands twice in its topic */
    iv_judgments *also;  /* whose text has the additional documents; NULL: there are none */
};

/* Is this the first line of a BEIR file? */
bool iv_is_beir_header(const iv_str *fields, size_t count);

/* Parses the lines into iv_judgment records, grouped by topic. */
void iv_judgments_group(iv_grouped *out, iv_str text, iv_judgments_format format,
                        const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/*
 * Parses j->bytes.  With `collect`, and if there are errors, documents cannot
 * be looked up.  The caller reads the verdict from the list.
 * Returns how many lines repeat a document.
 */
uint64_t iv_judgments_read(iv_judgments *j, iv_judgments_format format, bool collect,
                           const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/* The second half of that: makes grouped records ready to be asked. */
uint64_t iv_judgments_settle(iv_judgments *j, bool collect, const iv_work *work,
                             iv_problems *problems);

/* The documents of a topic, for many look-ups. */
iv_docset iv_judgments_docset(const iv_judgments *j, size_t topic);

/*
 * Adds the judgments of a file of qrels to j, read from the file `name`: a document of both has
 * one grade, and of sampled judgments probability 1, drawn or not.  Topics that j lacks are left
 * out.  IV_EPARSE for grades that differ, or additional judgments that are no qrels; j can then
 * only be freed.
 */
IV_MUST_CHECK int iv_judgments_also(iv_judgments *j, const char *name, const char *also,
                                    const iv_work *work, iv_err *err);

/* Releases all but the bytes. */
void iv_judgments_forget(iv_judgments *j);

/* ----------------------------------------------------------------- run -- */
/* Inside a run: for the join and the inspection. */

/* A retrieved document; its name is hashed while it is at hand. */
typedef struct iv_run_doc {
    double score;
    const char *docno; /* in the run's text */
    uint32_t len;
    uint32_t hash;
} iv_run_doc;

struct iv_run {
    iv_bytes bytes;
    iv_str text; /* the bytes less a byte-order mark */
    iv_run_format format; /* never IV_RUN_ANY, once it is read */
    iv_str tag;
    iv_grouped grouped; /* records are iv_run_doc, ranked */
    bool built;         /* of columns: its text is names, a line a row */
    bool rises;         /* in the file, a score of some topic follows a lower one */
};

static inline iv_str iv_run_doc_name(const iv_run_doc *d)
{
    return (iv_str){ d->docno, d->len };
}

/* Highest score first, then last docno first, as trec_eval ranks. */
static inline bool iv_run_doc_before(const iv_run_doc *a, const iv_run_doc *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    return iv_str_cmp(iv_run_doc_name(a), iv_run_doc_name(b)) > 0;
}

/* The format of a line with these fields, of which six are kept, or IV_RUN_ANY. */
iv_run_format iv_run_format_told(const iv_str *fields, size_t count);

/* Parses the lines of a run into iv_run_doc records, grouped by topic. */
void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format,
                  const iv_work *work, size_t chunk_bytes, iv_problems *problems);

/* Sorts n documents into rank order; scratch has room for n. */
void iv_run_docs_sort(iv_run_doc *docs, size_t n, iv_run_doc *scratch);

/*
 * Parses run->bytes.  With `collect`, and if there are errors, the run is not ranked, so that
 * its records are in the order of the file.  The caller reads
 * the verdict from the list.  Returns how many lines repeat a document.  chunk_bytes: 0 = choose.
 */
uint64_t iv_run_read(iv_run *run, iv_run_format format, bool collect, const iv_work *work,
                     size_t chunk_bytes, iv_problems *problems);

/* The second half of that: ranks grouped records. */
uint64_t iv_run_settle(iv_run *run, bool collect, const iv_work *work, iv_problems *problems);

/* Has a line another tag than the first? */
bool iv_run_many_tags(const iv_run *run);

/* Where no score rises, this much of a text is searched for ranks that disagree. */
enum { IV_ODD_LOOKED_AT = 1 << 14 };

/* The ranks of a file beside its scores, line after line.  Start from {0}. */
typedef struct iv_rank_watch {
    int64_t rank;
    double score;
    iv_str topic;
    bool has_last;
    bool odd; /* the last line's rank was no whole number */
    size_t compared, against; /* lines with the one before them; those that contradict it */
} iv_rank_watch;

/* The next line's six fields: do they contradict the line before them? */
bool iv_rank_watch_line(iv_rank_watch *w, const iv_str *fields);

/* Releases all but the bytes. */
void iv_run_forget(iv_run *run);

/* --------------------------------------------------------- topic order -- */
/* Two orders in which files have their topics: by bytes (sort), or by number (1, 2, ... 10). */

typedef enum iv_topic_order { IV_ORDER_BYTES, IV_ORDER_NUMBERS } iv_topic_order;

static inline bool iv_is_number(iv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* Below, equal to or above 0.  By number: the value, then bytes; what is no number comes
 * last, by bytes. */
static inline int iv_topic_compare(iv_topic_order order, iv_str a, iv_str b)
{
    if (order == IV_ORDER_NUMBERS && iv_is_number(a) && iv_is_number(b)) {
        iv_str x = a, y = b;
        for (; x.len > 1 && *x.ptr == '0'; x.ptr++)
            x.len--;
        for (; y.len > 1 && *y.ptr == '0'; y.ptr++)
            y.len--;
        const int digits = x.len != y.len ? (x.len < y.len ? -1 : 1) : memcmp(x.ptr, y.ptr, x.len);
        if (digits != 0)
            return digits;
    } else if (order == IV_ORDER_NUMBERS && iv_is_number(a) != iv_is_number(b)) {
        return iv_is_number(a) ? -1 : 1;
    }
    return iv_str_cmp(a, b);
}

/* --------------------------------------------------------- sorted file -- */
/* Files sorted by topic, read through a buffer. */

/* IV_EPARSE at the line of the first NUL byte in the buffer, as the readers tell it. */
IV_MUST_CHECK int iv_sorted_is_text(const iv_reader *f, iv_err *err);

/* A file for reading and writing that is gone when it is closed; NULL: errno. */
FILE *iv_nameless_file(const char *folder);

/* The topic of the first, or the last, line that has one; empty: there is none. */
iv_str iv_first_topic(iv_str lines);
iv_str iv_last_topic(iv_str lines);

/* The end of the lines whose topic comes before this one: lines are whole, and sorted. */
size_t iv_topics_before(iv_str lines, iv_topic_order order, iv_str topic);

/* ---------------------------------------------------------------- text -- */
/* What every reader asks of a text before it parses it. */

/* What no text is: a file of scores of topics begins so. */
#define IV_PART_MAGIC "IVSCORES"

/* The text in the bytes: without UTF-8 byte-order marks, of which editors may put several. */
iv_str iv_text_of(const iv_bytes *b);

/*
 * Is there a NUL byte?  Whoever parses a chunk asks first, which also brings
 * it into the cache, and looks at every line if there is one.
 */
bool iv_text_has_nul(const char *begin, const char *end);

/* Tells of the first NUL byte, at its line; false: there is none. */
bool iv_text_refuse_nul(iv_str text, iv_problems *problems);

/* Tells of a NUL byte in the line that begins at *p, and moves *p behind it. */
bool iv_line_refuse_nul(const char **p, const char *end, uint64_t line,
                        iv_problems *problems);

/* Tells of an empty file; true when there is something to parse. */
bool iv_text_usable(iv_str text, iv_problems *problems);

/*
 * The fields of the first line that holds any and is no comment (its first
 * byte that is no blank is #, if comments is true); keeps the first `most` and returns how many
 * there are, 0 when there is no such line.  *line is its number.  A NUL byte ends a long one.
 */
size_t iv_first_fields(iv_str *fields, size_t most, iv_str text, bool comments,
                       uint64_t *line);

/* What lines of one field may be instead of fields: "" or "; ...". */
const char *iv_text_instead(iv_str first_field);

/* ------------------------------------------------------------- windows -- */
/*
 * Judgments and runs that are all sorted by topic, read side by side: a batch of windows at
 * a time, each of them some whole topics of every file.  Memory holds a batch.
 */

enum { IV_NOT_TAKEN = 1 }; /* such files are read as wholes */

typedef struct iv_windows {
    iv_arena own;
    iv_reader *files; /* the judgments, then runs */
    size_t file_count;
    iv_topic_order order;
    iv_judgments_format judged_as;
    iv_run_format *run_as; /* by run */
    iv_str *tags;          /* by run: the first line's */
    size_t capacity;       /* of a file's buffer */
    size_t most;           /* to which it may grow */
    size_t wanted;         /* windows of a batch */
    size_t count;          /* windows there are; 0: all was read */
    iv_str *bounds;        /* window k has topics from bounds[k] to before bounds[k + 1]; an
                              empty one is no bound */
    size_t *ends;          /* [k * file_count + f]: where window k ends in the text of file f */
    iv_str last;           /* the first bound of the next batch, with its memory */
    size_t last_room;
    bool copies;           /* files were sorted first: lines are those of the copies */
} iv_windows;

/* Where files are to be sorted first. */
typedef struct iv_sorting iv_sorting;

/*
 * Opens the files and tells their formats and order by their beginnings (and the ends of
 * regular files).  memory: for all buffers together.  sort: sorts
 * them first, into files without names; NULL: they are sorted.  IV_NOT_TAKEN, with the reason in
 * err, for files that cannot be read so: of a sample, of no known format, not sorted.
 * *w starts as zeros, and is closed in any case; the work must live as long.
 */
IV_MUST_CHECK int iv_windows_open(iv_windows *w, const char *judgments,
                                  iv_judgments_format judged_as, const iv_texts *runs,
                                  iv_run_format run_as, uint64_t memory, const iv_sorting *sort,
                                  const iv_work *work, iv_err *err);
void iv_windows_close(iv_windows *w);

/* Lets go of the batch and reads the next: w->count windows, 0 at the end. */
IV_MUST_CHECK int iv_windows_next(iv_windows *w, iv_err *err);

/* From the beginning once more; regular files only. */
IV_MUST_CHECK int iv_windows_rewind(iv_windows *w, iv_err *err);

/*
 * The judgments, or run r, of window k; by any thread.  Borrows the text: gone with the
 * batch.  IV_EPARSE names the line; IV_NOT_TAKEN, told in err, when topics are not in order.
 */
IV_MUST_CHECK int iv_window_judgments(iv_judgments **out, const iv_windows *w, size_t k,
                                      iv_err *err);
IV_MUST_CHECK int iv_window_run(iv_run **out, const iv_windows *w, size_t k, size_t r,
                                iv_err *err);
/* How many lines of file f (0: the judgments, then runs) are before window k. */
uint64_t iv_window_lines(const iv_windows *w, size_t k, size_t f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of store share, and what other modules use of it. */
#ifndef IV_STORE_STORE_PRIVATE_H
#define IV_STORE_STORE_PRIVATE_H

#include <pthread.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "design/design_private.h"
#include "store/store.h"

/* -------------------------------------------------------- bibliography -- */
/*
 * References of a systematic review: RIS (Zotero, EndNote, Rayyan, Covidence, ASReview), NBIB
 * (PubMed), CSV with a column title, and projects of ASReview.  Each record becomes lines of RIS,
 * from which its fields are read.  Records with one DOI, or one title, are duplicates.
 */

/* The topic of a session that is made from references. */
#define IV_BIBLIOGRAPHY_TOPIC "review"

typedef struct iv_bibliographic {
    iv_str source;     /* "TI  - A title\n...": all fields but labels and the end */
    iv_str id;         /* without blanks, each once */
    iv_str title, abstract, authors, year, doi;
    uint64_t line;     /* where it begins */
    int32_t label;     /* 1 included, 0 not; -1: it has none; -2: Rayyan's reviewers disagree */
    bool duplicate;    /* of one before it */
} iv_bibliographic;

typedef struct iv_bibliography {
    iv_bibliographic *at;
    size_t count, capacity;
    size_t duplicates, skipped; /* skipped: without title and abstract, or outside of a record */
    size_t labelled, renamed;   /* renamed: another record has the id */
    bool labels;                /* given: ids with labels suffice, as for an import */
    char skipped_at[400];       /* the first of them: "refs.ris:12, refs.ris:40" */
} iv_bibliography;

/* By the end of its name (.ris, .nbib, .csv, .asreview; packed too) or its first line. */
bool iv_bibliography_is(const char *path);

/* Reads files into *out, which starts as {0}; texts are the arena's.  IV_EPARSE, with the line,
 * for a file without records. */
IV_MUST_CHECK int iv_bibliography_load(iv_bibliography *out, iv_arena *a, const iv_texts *files,
                                       const iv_work *work, iv_err *err);

/* All values of some tags ("TI T1") in lines of RIS, joined by "; "; with first: the first one. */
iv_str iv_reference_field(iv_arena *a, iv_str source, const char *tags, bool first);

/* What equal titles have in common: letters and digits in lower case, an accented one as '?'; or
 * equal DOIs, empty for what is none ("NA"). */
iv_str iv_reference_key(iv_arena *a, iv_str text, bool doi);

/* ------------------------------------------------------------------ db -- */
/* SQLite in the house's manner: one line of error, statements that are bound in a line. */

/* What SQLite says of its last call, as an error about the file; a full disk, a locked and a
 * damaged file have words of their own. */
int iv_db_fail(iv_err *err, sqlite3 *db, const char *path, const char *doing);

/* Statements without results, several separated by ";". */
IV_MUST_CHECK int iv_db_exec(sqlite3 *db, const char *path, const char *sql, iv_err *err);

IV_MUST_CHECK int iv_db_prepare(sqlite3_stmt **out, sqlite3 *db, const char *path,
                                const char *sql, iv_err *err);

/*
 * Binds from the first parameter on: i int64_t (INT64_MIN: NULL), t terminated text (NULL: NULL),
 * s iv_str text, b iv_str blob, n nothing: NULL.  Texts must live until the statement is reset.
 */
void iv_db_bind(sqlite3_stmt *st, const char *kinds, ...);

/* Runs a statement that has no rows, and resets it. */
IV_MUST_CHECK int iv_db_run(sqlite3_stmt *st, const char *path, const char *doing, iv_err *err);

/* The next row: IV_OK, IV_NO_ROW when there is none left, or an error; then it is reset. */
enum { IV_NO_ROW = 1 };
IV_MUST_CHECK int iv_db_step(sqlite3_stmt *st, const char *path, iv_err *err);

/* The three in one: a statement without rows, and without use for another time. */
IV_MUST_CHECK int iv_db_do(sqlite3 *db, const char *path, const char *doing, iv_err *err,
                           const char *sql, const char *kinds, ...);

/* Begins a query; iv_db_next() goes through its rows, and iv_db_end() ends it whatever happened. */
IV_MUST_CHECK int iv_db_query(sqlite3_stmt **out, sqlite3 *db, const char *path, iv_err *err,
                              const char *sql, const char *kinds, ...);

/* Is there another row?  Not behind a failure, which *rc is. */
bool iv_db_next(sqlite3_stmt *st, int *rc, const char *path, iv_err *err);

/* IV_OK when all rows were seen, or as many as were wanted. */
IV_MUST_CHECK int iv_db_end(sqlite3_stmt *st, int rc);

/* The one number that a query gives. */
IV_MUST_CHECK int iv_db_number(int64_t *out, sqlite3 *db, const char *path, const char *sql,
                               iv_err *err);

/* A text or a blob of a row, while it is the row; NULL is empty. */
iv_str iv_db_str(sqlite3_stmt *st, int column);

/* A text of a row, copied; NULL stays NULL. */
const char *iv_db_text(iv_arena *a, sqlite3_stmt *st, int column);

/* ----------------------------------------------------------- documents -- */
/*
 * Texts of documents and topics, from the files that collections come in: BEIR's JSONL, TREC's
 * SGML and trecweb, tab-separated lines, a folder of texts; plain, gzip or zstd.  Only what is
 * wanted is looked at closely: ids are found by searching for bytes.
 */

/* What is wanted, and what was found of it. */
typedef struct iv_wanted {
    iv_ids ids;            /* docnos, or names of topics; added by the caller */
    bool topics;           /* the files are of topics */
    /* Called once for each, in any order; texts are UTF-8 and borrowed for the call. */
    int (*put)(void *user, uint32_t id, iv_str title, iv_str text, iv_str source, iv_err *err);
    void *user;
    uint64_t *line;        /* where each was found, from 1 (a folder's: 1); 0: not yet */
    const char **file;
    iv_str source;         /* of a reference: its lines of RIS */
    size_t left;           /* not found yet */
} iv_wanted;

/* Makes room for the marks of all ids. */
IV_MUST_CHECK int iv_wanted_begin(iv_wanted *w, iv_err *err);
void iv_wanted_free(iv_wanted *w);

/*
 * Reads a file or, of documents, a folder whose files are texts by their names.  IV_EPARSE,
 * with file and line, for what is not such a file and for a wanted id that stands twice.
 */
IV_MUST_CHECK int iv_documents_read(iv_wanted *w, const char *path, const iv_work *work,
                                    iv_err *err);

/* The wanted ones of references that were read from `path`. */
IV_MUST_CHECK int iv_references_read(iv_wanted *w, const iv_bibliography *b, const char *path,
                                     iv_err *err);

/* ------------------------------------------------------------ plain text -- */

/* Without blanks and line ends before and behind it. */
iv_str iv_trimmed(iv_str s);

/* UTF-8 without NUL, line ends of LF: what is no UTF-8 is taken for Windows-1252. */
IV_MUST_CHECK int iv_plain_utf8(iv_str *out, iv_arena *a, iv_str text, iv_err *err);

/* Without tags and with entities decoded; scripts, styles and comments are left out. */
IV_MUST_CHECK int iv_plain_text(iv_str *out, iv_arena *a, iv_str tagged, iv_err *err);

/* Blanks and line ends become one blank, none at the ends; in place. */
iv_str iv_one_line(char *text, size_t len);

/* The place of a tag such as "<title", whatever its case; NULL: none. */
const char *iv_find_tag(iv_str text, const char *tag);

/* ------------------------------------------------------------- builder -- */
/* Making a session: what is judged, in which order, and the texts that people see. */

/* What to do about a document or a topic of the queue that no file has. */
typedef enum iv_missing {
    IV_MISSING_REFUSE,
    IV_MISSING_SHOW_ID /* people see its id */
} iv_missing;
const char *const *iv_missing_names(void); /* "refuse", "show-id", NULL */

typedef enum iv_store_order { IV_ORDER_TOPIC, IV_ORDER_INTERLEAVED } iv_store_order;
const char *const *iv_store_order_names(void); /* "topic", "interleaved", NULL */

/* One of design, queue and strata says what is judged. */
typedef struct iv_session_plan {
    const char *design;       /* judgments to fill in: a sample, or qrels with grades of -1 */
    iv_texts queue;           /* runs: what they return, in the order of iv_inquiry_list(); of one
                                 run in its order; or references, in the order of the files */
    const char *judged;       /* with queue: qrels that are there */
    size_t control;           /* of the queue: documents drawn at random and judged first, by
                                 which the rule qbcb stops; 0: none */
    size_t count, depth;      /* of the queue: documents in all, ranks of a run; 0: all */
    const char *strata;       /* a table of strata, n of each to judge (all 0: all) ... */
    const char *lists;        /* ... and a folder with a file of documents for each */
    iv_texts documents;
    const char *topics;
    iv_missing missing;
    const char *grades;       /* "0:not relevant,1:relevant"; NULL: that */
    int64_t level;            /* lowest relevant grade; 0: 1, IV_ZERO: 0 */
    const char *guidelines;   /* a file */
    const char *assessors;    /* "anna,ben", the first is the owner; NULL: one, "assessor" */
    double overlap;           /* share of items that two judge */
    iv_store_order order;
    double target;
    const char *stop;         /* "none", "plan:5", "anytime", "qbcb"; NULL: none */
    bool hide_interval;
    /* "wrong-design,wrong-population": offered beside a note; NULL: none */
    const char *tags;
} iv_session_plan;

/* What was made. */
typedef struct iv_session_made {
    size_t items, topics, documents, missing, twice, judged_before, duplicates, skipped;
    size_t labelled, renamed; /* records with a label, which is not stored; with another id */
    bool references;
    char skipped_at[400]; /* the first of them */
} iv_session_made;

/*
 * Makes a session; the file appears whole or not at all.  IV_EIO when it is there already, for
 * a network file system or a full disk; IV_EPARSE, with file and line, for what cannot be read;
 * IV_ENODATA when nothing is to be judged or a document is nowhere found.
 */
IV_MUST_CHECK int iv_session_make(iv_session_made *out, const char *path,
                                  const iv_session_plan *plan, const iv_work *work, iv_err *err);

/* ------------------------------------------------------------ the parts -- */

typedef struct iv_builder_item {
    uint32_t topic, document, stratum, block; /* stratum from 0 */
    bool twice;
} iv_builder_item;

typedef struct iv_builder_stratum {
    iv_str name;
    int64_t size;
    bool retrieved;
    iv_str *docnos;      /* its documents, in a random order ... */
    size_t count, judge; /* ... and how many of them are judged, the first */
    const char *path;    /* of the list */
} iv_builder_stratum;

typedef struct iv_builder {
    const iv_session_plan *plan;
    const iv_work *work;
    iv_arena memory;
    iv_session_made made;
    iv_store_kind kind;
    iv_ids topics, documents;
    iv_builder_item *items;
    size_t count, capacity;
    iv_builder_stratum *strata;
    size_t stratum_count;
    iv_str form;          /* what an export fills in */
    const char *grades;
    const char **assessors;
    size_t assessor_count;
    iv_store_stop stop;
    int64_t stop_number, level;
    iv_bibliography references;
    iv_run **runs;        /* of a queue */
    size_t run_count;
    iv_judgments *judged; /* that are there; NULL: none */
    char *known;          /* qbcb: of each document of the control, how many of the queue stand
                             before it in the run: of those in the session, in the order of
                             items, or of those that were judged before and are relevant */
    char *known_names;    /* their names */
    size_t known_count;   /* relevant ones that were judged before, ranked or not */
    const char *path;     /* of the session */
    sqlite3 *db;
    sqlite3_stmt *put, *keep;
} iv_builder;

/* What is to be judged, by what the plan names. */
IV_MUST_CHECK int iv_builder_design(iv_builder *m, iv_err *err);
IV_MUST_CHECK int iv_builder_queue(iv_builder *m, iv_err *err);
IV_MUST_CHECK int iv_builder_review(iv_builder *m, iv_err *err);

/* Checks options and completes them. */
IV_MUST_CHECK int iv_builder_options(iv_builder *m, iv_err *err);

/* A whole file, unpacked, in the arena. */
IV_MUST_CHECK int iv_store_text(iv_str *out, iv_arena *a, const char *path, const iv_work *work,
                                iv_err *err);

/* Its lines, a document each. */
IV_MUST_CHECK int iv_store_names(iv_str **out, size_t *count, iv_arena *a, const char *path,
                                 const iv_work *work, iv_err *err);

/* ------------------------------------------------------------ combined -- */
/* What all assessors together say of each item. */

enum {
    IV_COMBINED_OPEN = INT32_MIN,       /* nobody has judged it */
    IV_COMBINED_UNDECIDED = -2,         /* as many say one as the other */
    IV_COMBINED_CANNOT = -1
};

/* Everything of the items, by their number less 1; of the arena. */
typedef struct iv_combined {
    const int32_t *grade; /* or one of the above */
    const uint32_t *stratum, *block; /* of a review, from 0 */
    const iv_str *docno;
    const uint32_t *order; /* items in the order of judging */
    size_t count;
    size_t control; /* the first items are its control sample, so many */
    size_t open, cannot, undecided;
} iv_combined;

/* As how says (NULL: the usual way).  IV_EARG for a name that no assessor has.  with_names:
 * docnos too. */
IV_MUST_CHECK int iv_store_combine(iv_combined *out, iv_arena *a, iv_store *s,
                                   const iv_export_options *how, bool with_names, iv_err *err);

/* Are the last words of assessors those of the log?  IV_EPARSE if not. */
IV_MUST_CHECK int iv_store_check_words(iv_store *s, iv_err *err);

/* How many items from `first` on, of `count`, are settled before the first that is not. */
size_t iv_combined_prefix(const iv_combined *c, size_t first, size_t count, bool with_cannot);

/* A label of an assessor, of all items that one has judged, in the order of items. */
typedef struct iv_store_label {
    int64_t item, assessor;
    int32_t grade;
} iv_store_label;
IV_MUST_CHECK int iv_store_labels(const iv_store_label **out, size_t *count, iv_arena *a,
                                  iv_store *s, iv_err *err);

/* A tag: a word such as #wrong-design in the last note of somebody on a document. */
typedef struct iv_store_tag {
    const char *name;
    size_t documents, excluded; /* excluded: judged as not relevant */
} iv_store_tag;
IV_MUST_CHECK int iv_store_tags(const iv_store_tag **out, size_t *count, iv_arena *a, iv_store *s,
                                const iv_combined *c, iv_err *err);

/* The next tag of a note, without its sign, or what stands before it; false: there is none. */
bool iv_next_tag(iv_str *tag, iv_str *note);

/* The strata of a review, as the file has them that it was made from, which is called `name` in
 * messages.  IV_EPARSE, with the line, where the session has others, or other items to judge. */
IV_MUST_CHECK int iv_store_strata(const iv_strata_table **out, iv_arena *a, iv_store *s,
                                  const char *name, iv_err *err);

/* The file that an export fills in. */
IV_MUST_CHECK int iv_store_form_text(iv_str *out, iv_arena *a, iv_store *s, iv_err *err);

/* --------------------------------------------------------------- store -- */
/* Inside a store. */

/* "iv" and the format: other programs' files are told by it. */
enum { IV_STORE_APPLICATION = 0x69766a64, IV_STORE_VERSION = 1 };

/* Tables, triggers, and what the header of the file says. */
extern const char iv_store_schema[];

/* ----------------------------------------------------------- the queue -- */

enum {
    IV_QUEUED_TWICE = 1,       /* two assessors shall judge it */
    IV_QUEUED_LATER = 2,       /* somebody put it off */
    IV_QUEUED_CONFLICT = 4,    /* grades differ ... */
    IV_QUEUED_ADJUDICATED = 8, /* ... and the owner has said a last word */
    IV_QUEUED_HELD = 16        /* lease_by has it, as long as that assessor is there */
};

/* An item in memory: 16 bytes, item id - 1 is its place. */
typedef struct iv_queued {
    uint64_t judged;      /* a bit an assessor, from id 1 */
    uint8_t lease_by, flags; /* lease_by: who has it or had it last; 0: nobody */
    uint16_t topic;
} iv_queued;

enum { IV_TOPICS_MOST = UINT16_MAX };

struct iv_store {
    char *path;
    int file;            /* the database, held by flock() if locked; -1: none */
    bool locked;
    struct stat log;     /* of SQLite's log when it was opened for writing */
    sqlite3 *db;         /* reads and writes; NULL in a store that reads only */
    sqlite3 *reads;      /* never waits for the disk */
    sqlite3_stmt *append_st[6];
    sqlite3_stmt *read_document, *read_words;
    pthread_mutex_t write_lock, read_lock, lock_queue;
    bool broken;         /* a synchronisation failed */
    iv_arena memory;
    iv_store_about about;
    iv_store_topic *topics;
    size_t *cursors;     /* of each topic, and of all: none before this place needs a judgment */
    iv_ids topic_ids;
    iv_queued *items;
    uint32_t *order, *place; /* items in the order of judging, and the place of each in it */
    iv_assessor assessor[IV_ASSESSORS_MOST];
    size_t assessor_count;
    size_t conflicts;
    int64_t hold;        /* seconds that a lease outlives the last request */
    int64_t seq;
};

/* As iv_store_value_put(), with write_lock held. */
IV_MUST_CHECK int iv_store_meta_put(iv_store *s, const char *key, const char *text, iv_err *err);

/* How many have judged it: 0, 1, or 2 for more, since none needs a third. */
static inline unsigned iv_queued_judged(const iv_queued *q)
{
    return (unsigned)(q->judged != 0) + (unsigned)((q->judged & (q->judged - 1)) != 0);
}

/* How many judgments the item still needs. */
static inline unsigned iv_queued_open(const iv_queued *q)
{
    const unsigned need = q->flags & IV_QUEUED_TWICE ? 2 : 1;
    const unsigned has = iv_queued_judged(q);

    return has < need ? need - has : 0;
}

static inline bool iv_queued_done(const iv_queued *q)
{
    return iv_queued_open(q) == 0;
}

/* The queue hears of a word of an assessor, and of what an item's words are now (with
 * lock_queue held). */
void iv_queue_word(iv_store *s, int64_t item, int64_t assessor, iv_store_reason reason);
void iv_queue_conflict(iv_store *s, int64_t item, bool conflict, bool adjudicated);

/* Gives back what an assessor holds (with lock_queue held); how many items these were. */
size_t iv_queue_release(iv_store *s, int64_t assessor);

/* IV_EARG for what is no name of an assessor. */
IV_MUST_CHECK int iv_assessor_name_check(const char *name, iv_err *err);

/* The topic of an item. */
static inline size_t iv_queue_topic_of(const iv_store *s, int64_t item)
{
    return s->items[item - 1].topic;
}

/* ------------------------------------------------------------ documents -- */

/* A text as it is kept: packed when it is long.  *zipped says so. */
IV_MUST_CHECK int iv_store_pack(iv_str *out, bool *zipped, iv_arena *a, iv_str text, iv_err *err);
IV_MUST_CHECK int iv_store_unpack(iv_str *out, iv_arena *a, iv_str kept, bool zipped, iv_err *err);

/* "0:not,1:partly,2": rising grades, each with its word, or its number where that is left out.
 * IV_EARG for others. */
IV_MUST_CHECK int iv_grades_read(iv_store_about *out, iv_arena *a, iv_str text, iv_err *err);

/* ---------------------------------------------------------- the form -- */

/* Would eval take the design when all of it is judged?  IV_EPARSE, with the line, if not. */
IV_MUST_CHECK int iv_store_design_read(const iv_judgments *j, const char *name, iv_err *err);

/* The judgments of a sample or a queue, in a format that is of that kind. */
IV_MUST_CHECK int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form,
                                     const char *name, iv_err *err);

/* -------------------------------------------------------------- opening -- */

/* The name of a file system that other machines share, by its number; NULL: none. */
const char *iv_network_file_system(long kind);

/* IV_EIO for a path on a network file system. */
IV_MUST_CHECK int iv_store_refuse_network(const char *path, iv_err *err);

/* An empty file beside `path`, to be written and then put into its place, durably: over what is
 * there, or never so.  The arena has its name. */
IV_MUST_CHECK int iv_store_begin_file(char **out, iv_arena *a, const char *path, iv_err *err);
IV_MUST_CHECK int iv_store_place_file(const char *temporary, const char *path, bool replace,
                                      iv_err *err);

/* Opens SQLite's connection. */
IV_MUST_CHECK int iv_store_connect(sqlite3 **out, const char *path, iv_err *err);

/* Is it one of the grades of the session? */
bool iv_store_has_grade(const iv_store *s, int32_t grade);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The shape of a command.  One table of these drives dispatch, parsing, help,
 * manual pages and shell completion; a command is one file cmd_NAME.c that
 * exports one of them, and its name in the lists below.
 *
 * Its options point straight into a question of the library; run() adds the
 * operands and lets the library fill an iv_result, which the frame renders and
 * writes.
 */
#ifndef CMD_H
#define CMD_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intervale.h"

/* ------------------------------------------------------------ options -- */

typedef enum opt_kind {
    OPT_END_,
    OPT_HEADING_,  /* no option: a heading for those that follow */
    OPT_FLAG_,     /* bool */
    OPT_STR_,      /* const char *; if there are words, one of them */
    OPT_INT_,      /* an integer of any size, in [least, most] */
    OPT_REAL_,     /* double in [low, high], or in (low, high) if open */
    OPT_REALS_,    /* iv_reals: comma-separated, least to most of them */
    OPT_INTEGERS_, /* iv_integers: the same, of whole numbers */
    OPT_ENUM_,     /* an enum: index into words */
    OPT_LIST_      /* iv_texts: may be given many times; of the words, if any */
} opt_kind;

typedef const char *const *opt_words(void); /* such as iv_interval_names */

/*
 * One option, which writes straight into a field of the command's question.  A
 * question of zeros is the default of everything.  Members after `help` are given
 * behind it, by name:
 *
 *     OPT_INT(iv_x_question, 'l', "level", "GRADE", level, 0, IV_GRADE_MAX,
 *             "the lowest grade that is relevant", .zero = true, .usual = "1"),
 */
typedef struct opt {
    opt_kind kind;
    char letter;               /* 0: long form only */
    const char *name;          /* NULL: letter only */
    const char *value;         /* placeholder in the help: "FILE" */
    size_t offset, size;       /* of the field in the command's args */
    int64_t least, most;       /* of an integer; how many of numbers */
    double low, high;          /* of a real, and of each of numbers */
    bool open;                 /* low and high themselves are refused */
    const char *help;          /* lower case, no final full stop */
    const char *usual;         /* the default, for the help; NULL: none is shown */
    bool zero;                 /* the number 0 may be meant: stored as IV_ZERO */
    bool writes;               /* a file to write: "-" is no input */
    bool percent;              /* of a real: 95, too, is .95; 95% is for any share */
    bool bytes;                /* of an integer: 64K, 256M and 4G are so many bytes */
    bool unrecorded;           /* the output must not depend on it */
    unsigned needs;            /* of shared options: what a command declares to have it; 0: all */
    const char *const *words;  /* that may be given; ends with NULL */
    opt_words *names;          /* ... or where the library lists them, in the order of an enum */
    bool others;               /* other words may be meant, too */
    const char *const *names_were; /* names of earlier versions, which still work; NULL ends */
    const char *const *was;    /* words of earlier versions, each with what it is now; NULL ends */
} opt;

/* The field's offset; refuses to compile when its type is not the kind's. */
#define OPT_AT_(T, type, field)                                               \
    (offsetof(T, field) + 0 * sizeof(_Generic(((T *)0)->field, type: 'x')))
#define OPT_AT_INT_(T, field)                                                 \
    (offsetof(T, field)                                                       \
     + 0 * sizeof(_Generic(((T *)0)->field, int: 'x', long: 'x',              \
                           long long: 'x', unsigned: 'x', unsigned long: 'x', \
                           unsigned long long: 'x')))
#define OPTION_(kind_, at, c, n, v, T, field, ...)                            \
    { .kind = kind_, .letter = (c), .name = (n), .value = (v), .offset = at,  \
      .size = sizeof(((T *)0)->field), .help = __VA_ARGS__ }

#define OPT_HEADING(text) { .kind = OPT_HEADING_, .help = (text) }
#define OPT_FLAG(T, c, n, field, ...)                                         \
    OPTION_(OPT_FLAG_, OPT_AT_(T, bool, field), c, n, NULL, T, field, __VA_ARGS__)
#define OPT_STR(T, c, n, v, field, ...)                                       \
    OPTION_(OPT_STR_, OPT_AT_(T, const char *, field), c, n, v, T, field, __VA_ARGS__)
#define OPT_INT(T, c, n, v, field, lo, hi, ...)                               \
    OPTION_(OPT_INT_, OPT_AT_INT_(T, field), c, n, v, T, field, __VA_ARGS__,  \
            .least = (lo), .most = (hi))
#define OPT_REAL(T, c, n, v, field, lo, hi, ...)                              \
    OPTION_(OPT_REAL_, OPT_AT_(T, double, field), c, n, v, T, field, __VA_ARGS__, \
            .low = (lo), .high = (hi))
#define OPT_REAL_OPEN(T, c, n, v, field, lo, hi, ...)                         \
    OPTION_(OPT_REAL_, OPT_AT_(T, double, field), c, n, v, T, field, __VA_ARGS__, \
            .low = (lo), .high = (hi), .open = true)
#define OPT_NUMBERS(T, c, n, v, field, fewest, largest, lo, hi, ...)          \
    OPTION_(OPT_REALS_, OPT_AT_(T, iv_reals, field), c, n, v, T, field, __VA_ARGS__, \
            .least = (fewest), .most = (largest), .low = (lo), .high = (hi))
#define OPT_INTEGERS(T, c, n, v, field, fewest, largest, lo, hi, ...)         \
    OPTION_(OPT_INTEGERS_, OPT_AT_(T, iv_integers, field), c, n, v, T, field, __VA_ARGS__, \
            .least = (fewest), .most = (largest), .low = (lo), .high = (hi))
#define OPT_ENUM(T, c, n, v, field, E, list, ...)                             \
    OPTION_(OPT_ENUM_, OPT_AT_(T, E, field), c, n, v, T, field, __VA_ARGS__, .names = (list))
#define OPT_LIST(T, c, n, v, field, ...)                                      \
    OPTION_(OPT_LIST_, OPT_AT_(T, iv_texts, field), c, n, v, T, field, __VA_ARGS__)
#define OPT_END { .kind = OPT_END_ }

/* Values of --ci in version 0.2. */
#define CI_WORDS_WERE                                                         \
    .was = (const char *const[]){ "log-t", "t", "binomial", "wilson", NULL }
/* Options of several commands: of the relevant, of rankings, of files, of prices. */
#define OPT_LEVEL(T, field)                                                   \
    OPT_INT(T, 'l', "level", "GRADE", field, 0, IV_GRADE_MAX,                  \
            "lowest grade that counts as relevant", .zero = true, .usual = "1")
#define OPT_MACHINE(T, field)                                                 \
    OPT_LIST(T, 0, "machine", "LABELS", field.files,                           \
             "automatic labels of all documents, such as an LLM's. Qrels, BEIR, or lines of " \
             "topic, document and score. Of several files the first is used; for the others only " \
             "agreement is shown"),               \
    OPT_ENUM(T, 0, "human-design", "D", field.design, iv_human_design,        \
             iv_human_design_names, "design of the sample of human labels. random: a simple " \
                                    "random sample of all labelled documents; by-topic: a random " \
                                    "sample of each topic's documents; topics: whole topics; " \
                                    "stated: the file says it, or everything is judged. For " \
                                    "scores: random, strata (--columns stratum=NAME), or " \
                                    "clusters: whole ones"), \
    OPT_STR(T, 0, "human-labels", "FILE", field.human_labels,                 \
            "human labels of some scores, instead of --columns human=NAME: a table with the " \
            "columns system, item, repeat and human"),                        \
    OPT_ENUM(T, 0, "judge-estimator", "E", field.estimator, iv_judge_estimator, \
             iv_judge_estimator_names, "how scores and human labels are joined. regression: " \
             "least squares; ppi: power tuning; difference: slope 1; human: labels alone"), \
    OPT_INT(T, 0, "machine-level", "GRADE", field.level, 0, IV_GRADE_MAX,     \
            "lowest automatic label that counts as relevant",                 \
            .zero = true, .usual = "as --level; 1 for labels 0 and 1"),        \
    OPT_ENUM(T, 0, "machine-format", "F", field.format, iv_judgments_format,  \
             iv_judgments_format_names, "format of the automatic labels"),            \
    OPT_ENUM(T, 0, "infer", "TOPICS", field.infer, iv_infer, iv_infer_names,   \
             "topics that the interval is about. new: the mean over all topics of this kind; " \
             "these: over this fixed set of topics, with only some documents judged")
#define OPT_RELEVANCE(T)                                                      \
    OPT_STR(T, 0, "relevance", "P", relevance,                                 \
            "probability that an unjudged document is relevant. Or 'rank': estimated from " \
            "the judged documents by their ranks", .usual = "rank"),         \
    OPT_FLAG(T, 0, "paper", paper,                                             \
             "compute as Carterette and Smucker 2007 did. Relevance 0.5, mean and variance " \
             "as in the paper, only documents that the runs return")
#define OPT_DEPTH(T, field)                                                   \
    OPT_INT(T, 'M', "depth", "N", field, 1, INT64_MAX,                        \
            "use only the top N documents of each topic")
#define OPT_FRAME_DEPTH(T, field)                                             \
    OPT_INT(T, 0, "depth", "N", field, 1, 100000000,                          \
            "sample from the top N of each run (the frame)", .usual = "100")
#define OPT_RUN_FORMAT(T, field)                                              \
    OPT_ENUM(T, 0, "run-format", "F", field, iv_run_format, iv_run_format_names, \
             "format of the runs; detected from the content")
#define OPT_FORMATS(T, source, what)                                          \
    OPT_ENUM(T, 0, "judgments-format", "F", source.judgments_format, iv_judgments_format, \
             iv_judgments_format_names, "format of " what "; detected from the content"), \
    OPT_RUN_FORMAT(T, source.run_format)
#define OPT_BOUNDED(T, source)                                                \
    OPT_INT(T, 0, "memory", "BYTES", source.memory, 1 << 20, INT64_MAX,        \
            "memory for files that are sorted by topic, to read a few topics at a time. Large " \
            "files are always read this way, pipes only with this option", \
            .bytes = true, .unrecorded = true),                               \
    OPT_FLAG(T, 0, "sort", source.sort,                                        \
             "first sort files that are not sorted by topic. Temporary files go to $TMPDIR or " \
             "/tmp", .unrecorded = true)
#define OPT_SCORES(T, input)                                                  \
    OPT_FLAG(T, 0, "scores", input.given,                                      \
             "files of scores, instead of judgments and runs. One score per record, or a "   \
             "column for each system or topic: tables with a header, JSON, logs of evaluation " \
             "tools (doc/formats.md)",                                                 \
             .names_were = (const char *const[]){ "matrix", NULL }),           \
    OPT_SCORES_OF(T, input)
#define OPT_SCORES_OF(T, input)                                               \
    OPT_ENUM(T, 0, "by", "WHAT", input.from.rows, iv_score_rows, iv_score_rows_names, \
             "what a row is, if each system or topic has a column. A system or a topic"), \
    OPT_LIST(T, 0, "columns", "ROLE=NAME,...", input.from.columns,             \
             "names of the columns of score files. Roles: system, item, score, binary (a score " \
             "that is 0 or 1), measure, repeat, cluster, set, weight, group, date, human (a " \
             "label by people, empty where nobody looked), stratum. @file, @folder or " \
             "@path:PATTERN take the value from the path: repeat=@folder, " \
             "system=@path:{system}/{repeat}/*. measure=@name:TEXT names the scores"), \
    OPT_ENUM(T, 0, "sets", "WHAT", input.sets, iv_sets, iv_sets_names,         \
             "sets of items, such as data sets or tasks. fixed: all that are of interest; "  \
             "sampled: a sample of them"), \
    OPT_LIST(T, 0, "set-weight", "SET=W", input.set_weights,                   \
             "weight W of SET in the mean over sets (default: 1)"),         \
    OPT_FLAG(T, 0, "binary", input.binary,                                     \
             "refuse scores other than 0 and 1"),                                             \
    OPT_STR(T, 0, "success", "CONDITION", input.success,                       \
            "which scores are successes for pass@k and pass^k, such as 'score >= 0.7'. Default: 1")
#define OPT_LOWER(T, input)                                                    \
    OPT_LIST(T, 0, "lower-is-better", "NAME,...", input.lower,                 \
             "measures of scores of which lower is better; 'none': no measure. Default: by "  \
             "names such as cost, latency, error and loss")
#define OPT_PRICES(T, prices, about_free)                                     \
    OPT_REAL(T, 0, "topic-cost", "C", prices.topic, 0.0, 1e12, "cost of a topic", \
             .usual = "0"),                                                   \
    OPT_REAL(T, 0, "judgment-cost", "C", prices.judgment, 0.0, 1e12, "cost of a judgment", \
             .zero = true, .usual = "1"),                                     \
    OPT_REAL(T, 0, "free-topics", "N", prices.free_topics, 0.0, 1e12, about_free, .usual = "0")

/* The options every command could have; each says which ones it heeds. */
enum {
    SHARED_SEED       = 1 << 0,
    SHARED_THREADS    = 1 << 1,
    SHARED_CONFIDENCE = 1 << 2,
    SHARED_FORMAT     = 1 << 3, /* --format and --table */
    SHARED_OUTPUT     = 1 << 4, /* -o, --output */
    SHARED_QUIET      = 1 << 5,
    SHARED_GATE       = 1 << 6, /* --gate: it can have a verdict */
    SHARED_REPORT     = SHARED_FORMAT | SHARED_OUTPUT | SHARED_QUIET
};

/* Their values. */
/* What a gate fails on: FAIL and INCONCLUSIVE, or FAIL alone. */
typedef enum gate_on { GATE_ON_INCONCLUSIVE, GATE_ON_WORSE } gate_on;

typedef struct session {
    uint64_t seed;
    int64_t threads;    /* 0: as many as there are processors */
    double confidence;
    const char *format; /* "text", "tsv", ..., or one of the command's own; of the first output */
    const char *table;  /* NULL: the first, or all where there is room */
    iv_texts outputs;   /* "-", and none: standard output */
    int64_t most_bytes; /* of an input; 0: no limit */
    const char *title, *matter, *author, *date; /* of a page to hand over */
    bool force, quiet, verbose, help, help_all, cite, gate;
    gate_on gate_on;    /* what fails */
} session;

/* ----------------------------------------------------------- commands -- */

/* What run() may return besides IV_OK and the negative IV_E* codes. */
enum {
    CMD_FAILED = 1, /* show the result and err, if it says something; exit 1 */
    CMD_USAGE  = 2  /* err says what was asked wrongly; exit status 2 */
};

/* Records a usage error and returns CMD_USAGE. */
int cmd_usage(iv_err *err, const char *fmt, ...) IV_PRINTF(2, 3);

/* Adds what a user of the tool can do about an error of the library. */
void cmd_hint(iv_err *err, const char *hint);

typedef struct cmd cmd;

/* What the frame hands to run().  All of it lives until run() returns. */
typedef struct cmd_context {
    const cmd *self;
    const cmd *const *commands; /* all of them; ends with NULL */
    void *args;                 /* the question; operands are for run() to add */
    const session *shared;
    char **operands;            /* ends with NULL */
    size_t operand_count;
    iv_result *result;          /* arguments and seed are there already */
    iv_work work;               /* threads, seed and progress, for the library */
    FILE *out;                  /* for a command that writes by itself ... */
    bool written;               /* ... and then says so here */
} cmd_context;

typedef struct cmd_example {
    const char *line;  /* complete: "intervale eval qrels.txt run.txt" */
    const char *shows; /* what it shows, in a sentence */
} cmd_example;

/* The operands JUDGMENTS RUN... */
static inline void cmd_take_runs(iv_source *out, const cmd_context *c)
{
    out->judgments = c->operands[0];
    out->runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
}

enum { CMD_MANY = 1 << 30 };

/* A command asks a question of type T, which holds there what --confidence says. */
#define CMD_ASKS(T, field) .args_size = sizeof(T), .confidence = (1 + OPT_AT_(T, double, field))

struct cmd {
    const char *name;     /* one word, or two: "plan recall" */
    const char *group;    /* heading in the overview */
    const char *summary;  /* a few words, lower case, no full stop */
    const char *operands; /* as in the synopsis: "JUDGMENTS RUN..." */
    int least, most;      /* how many operands; CMD_MANY: no limit */
    /*
     * For help and manual: paragraphs separated by an empty line; one that
     * begins with a blank is shown as it stands.
     */
    const char *description;
    const char *exit_note;            /* when the status is 1 in other cases */
    const cmd_example *examples;      /* ends with { NULL, NULL } */
    const opt *opts;                  /* NULL: none of its own */
    const char *often;                /* options most people need, with blanks between; NULL: the
                                         first ones */
    const char *pages;                /* where to read on; NULL: nowhere */
    size_t args_size;
    size_t confidence;                /* where that is, from 1 on: CMD_ASKS(); 0: nowhere */
    unsigned shared;                  /* SHARED_* */
    const char *const *about;         /* its own texts of these: option, text, ...; NULL ends */
    const char *const *formats;       /* beyond the report room's; or NULL */
    const char *const *tables;        /* names --table takes; NULL: those with known columns */
    bool table_parts;                 /* it takes those of a table's parts, too */
    bool own_text;                    /* its text is lines of a file, whatever the ending of -o */
    const char *const *operand_words; /* for completion; NULL: files */
    bool operand_commands;            /* for completion: names of commands */
    bool numbers_are_data;            /* IV_EARG of the library is no usage error */
    int (*run)(cmd_context *c, iv_err *err);
};

/* All commands, in the order of the overview: those of evaluation and judging; of sessions of
 * judging, which some builds lack; of planning, files and studies; the page, which the same builds
 * lack; and those about the tool. */
#define MAIN_COMMANDS(X)                                                      \
    X(eval) X(compare) X(incomplete) X(pool) X(overlap) X(agree) X(measures)  \
    X(watch) X(prefer) X(classify) X(prf) X(roc) X(recall) X(sample) X(next)
#define JUDGE_COMMANDS(X)                                                     \
    X(judge_new) X(judge_serve) X(judge_status) X(judge_report) X(judge_export)               \
    X(judge_import) X(judge_rank) X(judge_check) X(judge_backup) X(judge_restore) \
    X(judge_assessor) X(judge_duplicates)
#define PLAN_COMMANDS(X)                                                      \
    X(plan_power) X(plan_topics) X(plan_gate) X(plan_cost) X(plan_looks) X(plan_machine) \
    X(plan_pilot) X(plan_elusion) X(plan_recall) X(plan_sample)               \
    X(check) X(simulate) X(sort) X(papers)                                    \
    X(study_machine) X(study_plans) X(study_gates) X(study_judged) X(study_watch) X(study_map) \
    X(study_power) X(study_recall) X(study_prf) X(study_sampling) X(study_judging)           \
    X(study_stopping) X(study_coverage)
#define WEB_COMMANDS(X) X(web)
#define ABOUT_COMMANDS(X) X(help) X(version) X(manual) X(completion) X(schema)

#define CMD_DECLARE(name) extern const cmd cmd_##name;
MAIN_COMMANDS(CMD_DECLARE)
JUDGE_COMMANDS(CMD_DECLARE)
PLAN_COMMANDS(CMD_DECLARE)
WEB_COMMANDS(CMD_DECLARE)
ABOUT_COMMANDS(CMD_DECLARE)

#endif /* CMD_H */

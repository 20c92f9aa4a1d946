/* SPDX-License-Identifier: Apache-2.0 */
/* sample -- choose the documents to judge, with known probabilities. */
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/design.h"
#include "command/sample_design.h"

typedef struct args {
    int design, spread, run_format;
    int64_t depth, budget, total, budget_depth, pool_depth;
    const char *weights, *judged;
    opt_list exclude;
    opt_numbers strata, rates;
} args;

static const char *const design_words[] = { "stevens", "uniform", "stratified", "pool", NULL };
static const char *const spread_words[] = { "even", "frame", NULL };
static const char *const run_words[] = { "any", "trec", "msmarco", NULL };

enum { DEFAULT_BUDGET = 100 };

static const opt opts[] = {
    OPT_HEADING("Design"),
    OPT_CHOICE(args, 0, "design", "D", design, design_words,
               "how documents are drawn: stevens, by weight (for AP and other measures); "
               "uniform, each alike (for infAP); stratified, by the best rank any run gives "
               "them (for xinfAP); pool, none: judge a pool"),
    OPT_INT(args, 0, "depth", "N", depth, 1, 100000000,
            "documents of each run and topic that may be drawn: the frame"),
    OPT_STR(args, 0, "weights", "W", weights,
            "ap, the prior of average precision; uniform; or a table with the columns "
            "topic, docno and weight"),
    OPT_LIST(args, 0, "exclude-runs", "RUN", exclude,
             "this run, by tag or file name, does not contribute to frame and weights"),
    OPT_NUMBERS(args, 0, "strata", "N,...", strata, 1, IV_STRATA_MAX, 1.0, 1e8,
                "stratified: the deepest best rank of each stratum; unless given, 10, 30, "
                "100 and what is deeper"),
    OPT_NUMBERS(args, 0, "rates", "R,...", rates, 1, IV_STRATA_MAX, 0.0, 1.0,
                "stratified: the share of each stratum to draw, in place of a budget, which "
                "is divided by weight"),
    OPT_HEADING("Budget: documents to draw"),
    OPT_INT(args, 0, "budget", "N", budget, 1, 100000000,
            "for each topic; 100 if no budget is given"),
    OPT_INT(args, 0, "total", "N", total, 1, 10000000000, "for all topics together"),
    OPT_CHOICE(args, 0, "spread", "HOW", spread, spread_words,
               "give every topic as many of the total, or in proportion to its frame"),
    OPT_INT(args, 0, "budget-depth", "K", budget_depth, 1, 100000000,
            "for each topic as many as its pool of depth K has"),
    OPT_HEADING("Judged for certain, besides"),
    OPT_INT(args, 0, "pool-depth", "K", pool_depth, 1, 100000000,
            "the first K documents of every run"),
    OPT_STR(args, 0, "judged", "QRELS", judged, "judgments that exist; they are filled in"),
    OPT_HEADING("Files"),
    OPT_CHOICE(args, 0, "run-format", "F", run_format, run_words,
               "format of the runs; any is told by content"),
    OPT_END
};

/* What is read and made. */
typedef struct work {
    const args *a;
    cmd_context *c;
    iv_run **runs; /* all of them */
    size_t count;
    const iv_run **used; /* those that contribute */
    size_t used_count;
    const char **words;  /* how the file was made */
    size_t word_count;
    iv_judgments *judged;
    iv_csv *weights;
    iv_frame *frame;
    iv_sample *sample;
} work;

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/* ------------------------------------------------------------------- runs -- */

static bool is_named(const work *w, size_t run, const char *name)
{
    const iv_str tag = iv_run_tag(w->runs[run]);
    const char *path = w->c->operands[run];

    return strcmp(path, name) == 0 || strcmp(file_name(path), name) == 0
        || (tag.len > 0 && iv_str_cmp(tag, iv_str_of(name)) == 0);
}

static bool is_excluded(const work *w, size_t run)
{
    for (size_t k = 0; k < w->a->exclude.count; k++)
        if (is_named(w, run, w->a->exclude.at[k]))
            return true;
    return false;
}

static int choose_runs(work *w, iv_err *err)
{
    for (size_t k = 0; k < w->a->exclude.count; k++) {
        bool found = false;
        for (size_t r = 0; r < w->count; r++)
            found = found || is_named(w, r, w->a->exclude.at[k]);
        if (!found)
            return cmd_usage(err, "--exclude-runs '%.200s' is none of the runs",
                             w->a->exclude.at[k]);
    }
    w->used = calloc(w->count + 1, sizeof(const iv_run *));
    if (w->used == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t r = 0; r < w->count; r++) {
        iv_result_input(w->c->result, w->c->operands[r], iv_run_bytes(w->runs[r]));
        if (!is_excluded(w, r))
            w->used[w->used_count++] = w->runs[r];
    }
    return w->used_count > 0 ? IV_OK : cmd_usage(err, "all runs are excluded");
}

static int read_files(work *w, iv_err *err)
{
    const args *a = w->a;
    const int threads = (int)w->c->shared->threads;
    int rc;

    w->count = w->c->operand_count;
    w->runs = calloc(w->count + 1, sizeof(iv_run *));
    if (w->runs == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    rc = iv_runs_load(w->runs, (const char *const *)w->c->operands, w->count,
                      (iv_run_format)a->run_format, threads, err);
    if (rc == IV_OK)
        rc = choose_runs(w, err);
    if (rc == IV_OK && a->judged != NULL) {
        rc = iv_judgments_load(&w->judged, a->judged, IV_JUDGMENTS_ANY,
                               &(iv_work){ .threads = threads }, err);
        if (rc == IV_OK)
            iv_result_input(w->c->result, a->judged, iv_judgments_bytes(w->judged));
    }
    if (rc == IV_OK && strcmp(a->weights, "ap") != 0 && strcmp(a->weights, "uniform") != 0) {
        rc = iv_csv_load(&w->weights, a->weights, err);
        if (rc == IV_OK)
            iv_result_input(w->c->result, a->weights, iv_csv_bytes(w->weights));
    }
    return rc;
}

/* -------------------------------------------------------------- the sample -- */

static int check_usage(const cmd_context *c, const args *a, iv_err *err)
{
    size_t inputs = 0;

    for (size_t i = 0; i < c->operand_count; i++)
        inputs += strcmp(c->operands[i], "-") == 0;
    if (inputs > 1)
        return cmd_usage(err, "standard input can be read once, and '-' was given %zu times",
                         inputs);
    if (a->design != IV_DESIGN_STRATIFIED && (a->strata.count > 0 || a->rates.count > 0))
        return cmd_usage(err, "--strata and --rates are for --design stratified");
    if (a->design == IV_DESIGN_POOL
        && (a->budget > 0 || a->total > 0 || a->budget_depth > 0))
        return cmd_usage(err, "--design pool draws nothing: its size is --pool-depth");
    if (a->design != IV_DESIGN_STEVENS && a->design != IV_DESIGN_STRATIFIED
        && strcmp(a->weights, "ap") != 0)
        return cmd_usage(err, "--weights are for --design stevens and stratified");
    if (a->spread >= 0 && a->total <= 0)
        return cmd_usage(err, "--spread is about --total");
    for (size_t i = 0; i < a->strata.count; i++)
        if (a->strata.at[i] != (double)(size_t)a->strata.at[i])
            return cmd_usage(err, "--strata %g is no whole number", a->strata.at[i]);
    return IV_OK;
}

static iv_sample_options sample_options(const work *w)
{
    const args *a = w->a;
    iv_sample_options o = {
        .design = (iv_design)a->design, .proportional = a->spread == 1,
        .judged = w->judged, .seed = w->c->shared->seed,
        .threads = (int)w->c->shared->threads };

    o.budget = a->budget > 0 ? (size_t)a->budget : 0;
    o.total = a->total > 0 ? (size_t)a->total : 0;
    o.budget_depth = a->budget_depth > 0 ? (size_t)a->budget_depth : 0;
    o.pool_depth = a->pool_depth > 0 ? (size_t)a->pool_depth : 0;
    if (o.budget + o.total + o.budget_depth == 0 && a->rates.count == 0
        && a->design != IV_DESIGN_POOL)
        o.budget = DEFAULT_BUDGET;
    for (o.strata_count = 0; o.strata_count < a->strata.count; o.strata_count++)
        o.strata[o.strata_count] = (size_t)a->strata.at[o.strata_count];
    for (o.rate_count = 0; o.rate_count < a->rates.count; o.rate_count++)
        o.rates[o.rate_count] = a->rates.at[o.rate_count];
    return o;
}

static int make_sample(work *w, iv_err *err)
{
    const args *a = w->a;
    const iv_frame_options frame = {
        .depth = (size_t)a->depth,
        .weighting = w->weights != NULL ? IV_WEIGHTS_GIVEN
            : strcmp(a->weights, "uniform") == 0 ? IV_WEIGHTS_UNIFORM : IV_WEIGHTS_AP,
        .weights = w->weights, .weights_name = a->weights,
        .threads = (int)w->c->shared->threads };
    const iv_sample_options o = sample_options(w);
    int rc = iv_frame_new(&w->frame, w->used, w->used_count, &frame, err);

    if (rc == IV_OK)
        rc = iv_sample_draw(&w->sample, w->frame, &o, err);
    return rc == IV_EARG ? CMD_USAGE : rc;
}

/* -------------------------------------------------------------- the notes -- */

static int by_docno(const void *a, const void *b)
{
    return iv_str_cmp(*(const iv_str *)a, *(const iv_str *)b);
}

/* Of a topic's frame, sorted by docno, how many the excluded runs return. */
static size_t count_inside(size_t *all, const work *w, iv_str topic, const iv_str *sorted,
                           size_t count)
{
    size_t inside = 0;

    for (size_t r = 0; r < w->count; r++) {
        const size_t at = is_excluded(w, r) ? iv_run_find_topic(w->runs[r], topic) : IV_NONE;
        const size_t n = at == IV_NONE ? 0 : iv_run_depth(w->runs[r], at);
        const size_t depth = n < (size_t)w->a->depth ? n : (size_t)w->a->depth;
        *all += depth;
        for (size_t k = 0; k < depth; k++) {
            const iv_str docno = iv_run_docno(w->runs[r], at, k);
            inside += bsearch(&docno, sorted, count, sizeof *sorted, by_docno) != NULL;
        }
    }
    return inside;
}

/* How much of what the excluded runs return could be drawn at all. */
static int tell_excluded(const work *w, iv_err *err)
{
    size_t inside = 0, all = 0;

    for (size_t t = 0; t < iv_frame_topics(w->frame); t++) {
        const iv_frame_document *docs;
        const size_t count = iv_frame_documents(&docs, w->frame, t);
        iv_str *sorted = malloc((count + 1) * sizeof *sorted);
        if (sorted == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        for (size_t i = 0; i < count; i++)
            sorted[i] = docs[i].docno;
        qsort(sorted, count, sizeof *sorted, by_docno);
        inside += count_inside(&all, w, iv_frame_topic(w->frame, t), sorted, count);
        free(sorted);
    }
    iv_result_note(w->c->result, "%zu of %zu runs do not contribute; %.3g %% of their first "
                   "%zu documents are in the frame of the others", w->count - w->used_count,
                   w->count, all > 0 ? 100.0 * (double)inside / (double)all : 0.0,
                   (size_t)w->a->depth);
    return IV_OK;
}

static void tell_budget(const work *w)
{
    size_t all = 0, short_of = 0, idle = 0;

    for (size_t t = 0; t < iv_sample_topics(w->sample); t++) {
        const iv_sample_topic x = iv_sample_topic_at(w->sample, t);
        const size_t wanted = x.asked < x.frame ? x.asked : x.frame;
        all += x.asked > x.frame && w->a->design != IV_DESIGN_POOL;
        short_of += x.drawn < wanted && w->a->design == IV_DESIGN_STEVENS;
        idle += x.count == 0;
    }
    if (all > 0)
        iv_result_note(w->c->result, "%zu topic%s a frame smaller than the budget: all of it "
                       "is to be judged, with probability 1", all,
                       all == 1 ? " has" : "s have");
    if (short_of > 0)
        iv_result_note(w->c->result, "%zu topic%s fewer documents than draws, since the "
                       "last bucket was drawn more often than it has documents; the "
                       "probabilities allow for it", short_of, short_of == 1 ? " got" : "s got");
    if (idle > 0)
        iv_result_note(w->c->result, "%zu topic%s no document to judge", idle,
                       idle == 1 ? " has" : "s have");
}

static void tell(const work *w)
{
    size_t frame = 0, fixed = 0, drawn = 0, judged = 0;
    const size_t topics = iv_sample_topics(w->sample);

    for (size_t t = 0; t < topics; t++) {
        const iv_sample_topic x = iv_sample_topic_at(w->sample, t);
        frame += x.frame;
        fixed += x.fixed;
        drawn += x.drawn;
        judged += x.judged;
    }
    iv_result_note(w->c->result, "%zu topics: %zu documents to judge, %zu drawn from a frame "
                   "of %zu and %zu for certain%s", topics, fixed + drawn - judged, drawn,
                   frame, fixed - judged, judged > 0 ? "; others are judged already" : "");
    iv_result_note(w->c->result, "relevant documents outside the frame, the first %zu of "
                   "each run, stay invisible", (size_t)w->a->depth);
    tell_budget(w);
    if (iv_frame_unweighted(w->frame) > 0)
        iv_result_note(w->c->result, "%zu documents of the runs have no weight in %s and "
                       "cannot be drawn", iv_frame_unweighted(w->frame), w->a->weights);
    if (iv_frame_unused_rows(w->frame) > 0)
        iv_result_note(w->c->result, "%zu rows of %s are about documents that no run returns",
                       iv_frame_unused_rows(w->frame), w->a->weights);
    if (iv_sample_foreign_topics(w->sample) > 0)
        iv_result_note(w->c->result, "%zu topics of %s are in no run and left out",
                       iv_sample_foreign_topics(w->sample), w->a->judged);
}

/* --------------------------------------------------------------- the file -- */

/* One comment line after the other: the command line, the runs. */
static int put_words(work *w, iv_err *err)
{
    const char *const *given;
    const size_t count = iv_result_arguments(w->c->result, &given);
    size_t room = 96;

    for (size_t i = 0; i < count; i++)
        room += strlen(given[i]) + 1;
    char *line = malloc(room);
    w->words = malloc(2 * sizeof(char *));
    if (line == NULL || w->words == NULL) {
        free(line);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    size_t used = (size_t)snprintf(line, room, "Made by intervale %s: sample", iv_version());
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(line + used, room - used, " %s", given[i]);
    (void)snprintf(line + used, room - used, " (seed %llu, %zu contributing runs)",
                   (unsigned long long)w->c->shared->seed, w->used_count);
    w->words[w->word_count++] = line;
    return IV_OK;
}

static void work_free(work *w)
{
    iv_sample_free(w->sample);
    iv_frame_free(w->frame);
    iv_judgments_free(w->judged);
    iv_csv_free(w->weights);
    for (size_t r = 0; w->runs != NULL && r < w->count; r++)
        iv_run_free(w->runs[r]);
    free(w->runs);
    free(w->used);
    for (size_t i = 0; i < w->word_count; i++)
        free((char *)(uintptr_t)w->words[i]);
    free(w->words);
}

static int run(cmd_context *c, iv_err *err)
{
    work w = { .a = c->args, .c = c };
    int rc = check_usage(c, w.a, err);

    if (rc == IV_OK)
        rc = read_files(&w, err);
    if (rc == IV_OK)
        rc = make_sample(&w, err);
    if (rc == IV_OK)
        rc = put_words(&w, err);
    if (rc == IV_OK) {
        c->written = strcmp(c->shared->format, "text") == 0 && c->shared->table == NULL;
        tell(&w);
        if (w.used_count < w.count)
            rc = tell_excluded(&w, err);
    }
    if (rc == IV_OK && c->written)
        rc = iv_sample_write(c->out, w.sample, w.words, w.word_count, err);
    else if (rc == IV_OK)
        sample_design(c, w.sample);
    work_free(&w);
    return rc;
}

const cmd cmd_sample = {
    .name = "sample",
    .group = "Judging",
    .summary = "choose which documents to judge, within a budget",
    .operands = "RUN...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Draws documents from what the runs return and writes a file of judgments to fill "
        "in: topic, docno, a grade of -1 to be replaced, method (1 drawn, 0 for certain) "
        "and the probability with which the document was drawn. The lines that begin with "
        "# hold the design; leave them. 'intervale eval' on the completed file estimates "
        "what full judging would give, for these and other runs, and how sure that is.\n\n"
        "The frame is the union of the first --depth documents of every run. By default "
        "documents are drawn by Stevens' scheme: sorted by the prior of average precision "
        "(high where many runs rank them high), put into buckets of as many as are drawn, "
        "buckets picked by weight. Documents judged for certain (--pool-depth, --judged) "
        "leave the frame first and have probability 1.\n\n"
        "--format other than text, or --table, shows the design of the sample in place of "
        "the file: what is drawn of each topic and, in html, with which probability.\n\n"
        "The same runs, options and seed give the same file; a topic's draws do not depend "
        "on other topics. Documents are listed by docno, so that their order tells the "
        "assessor nothing.",
    .examples = (const cmd_example[]){
        { "intervale sample --budget 100 -o judge.txt runs/*",
          "A hundred documents of each topic." },
        { "intervale sample --pool-depth 5 --budget 50 -o judge.txt runs/*",
          "The first five of every run for certain, and fifty more by chance." },
        { "intervale sample --total 5000 --spread frame --judged qrels -o judge.txt runs/*",
          "Five thousand documents beyond those judged, more where runs differ more." },
        { "intervale sample --design stratified --strata 10,50,100 --rates 1,0.3,0.1 "
          "-o judge.txt runs/*", "Three strata, for infAP and infNDCG." },
        { "intervale sample --budget-depth 3 --exclude-runs new -o judge.txt runs/* new",
          "As many as a pool of depth 3 has; run 'new' does not contribute." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .depth = 100, .budget = -1, .total = -1, .budget_depth = -1,
                               .pool_depth = -1, .weights = "ap", .spread = -1 },
    .args_size = sizeof(args),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "design", "probabilities", NULL },
    .run = run,
};

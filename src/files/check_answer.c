/* SPDX-License-Identifier: Apache-2.0 */
/* check: is this file sane, and what is it? */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "intervale/files.h"
#include "result/answering.h"
#include "result/message.h"
#include "result/wording.h"
#include "sampling/sampled_judgments.h"
#include "trec/inspection.h"
#include "trec/text.h"

#include <string.h>

static const iv_message messages[] = {
    { "check.no-shared-topic", IV_WARNING, NULL, "{s} and {t} have no topic in common." },
    { "check.nothing-retrieved", IV_WARNING, NULL,
      "{s} returned nothing for [a|{n}] topic[|s] of {t}: {u}." },
    { "check.not-judged", IV_NOTE, NULL,
      "{s} has [a|{n}] topic[|s] that {t} does not judge: {u}." },
    { "check.more-problems", IV_NOTE, NULL,
      "{s} has [one|{n}] more problem[|s]; use --most to list [it|them]." },
    { "check.unreadable", IV_WARNING, NULL, "{s}" },
    { NULL } };

/* What is reported of a file. */
typedef struct detail_row {
    const char *file, *property, *value;
    bool quiet;
} detail_row;

typedef struct checking {
    iv_result *out;
    iv_inspector **at; /* the files that could be read, in the order given */
    const char **names;
    size_t count;
    detail_row *details;
    size_t detail_count, detail_capacity;
} checking;

/* ------------------------------------------------------------ details -- */

static void property(checking *c, const char *file, const char *name, const char *value,
                     bool quiet)
{
    if (!IV_ARENA_ROOM(iv_result_own(c->out), c->details, c->detail_capacity, c->detail_count))
        return;
    const char *what = iv_arena_copy(iv_result_own(c->out), iv_str_of(name));
    const char *kept = iv_arena_copy(iv_result_own(c->out), iv_str_of(value));
    c->details[c->detail_count++] = (detail_row){ file, what, kept, quiet };
}

static void count_property(checking *c, const char *file, const char *name, uint64_t value,
                           bool quiet)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    property(c, file, name, text, quiet);
}

static void describe_run(checking *c, const char *file, const iv_inspector *v)
{
    count_property(c, file, "documents retrieved", v->records, false);
    if (v->tag != NULL)
        property(c, file, v->tags > 1 ? "first tag" : "tag", v->tag, false);
    count_property(c, file, "tied documents", v->ties, v->ties == 0);
    count_property(c, file, "duplicates", v->duplicates, v->duplicates == 0);
    property(c, file, "in score order", v->score_order ? "yes" : "no", v->score_order);
}

static void describe_judgments(checking *c, const char *file, const iv_inspector *v)
{
    char text[64];

    count_property(c, file, "judgments", v->records - v->unjudged, false);
    if (v->grade_min <= v->grade_max) {
        (void)snprintf(text, sizeof text, "%d to %d", (int)v->grade_min, (int)v->grade_max);
        property(c, file, "grades", text, false);
    }
    count_property(c, file, "relevant (grade above 0)", v->relevant, false);
    count_property(c, file, "unjudged (grade below 0)", v->unjudged, v->unjudged == 0);
    count_property(c, file, "duplicates", v->duplicates, v->duplicates == 0);
}

/* The command lines that a table can start with, by what its columns look like. */
static void suggest(checking *c, const char *file, const iv_inspector *v, const char *kinds)
{
    static const char *const starts[][2] = {
        { "labels by several assessors", "agree" }, { "labels", "prf --labels" },
        { "scores", "eval --scores" }, { "strata", "recall --strata" },
        { "a log of a review", "recall --log" }, { "counts", "prf" }, { "votes", "prefer" } };
    iv_listing commands = { .most = 4 };

    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        const char *at = strstr(kinds, starts[i][0]);
        const char *end = at != NULL ? at + strlen(starts[i][0]) : NULL;
        const bool scores = strcmp(starts[i][0], "scores") == 0;
        const bool named = scores && v->start != NULL;
        if (end != NULL && (named || strncmp(end, " by", 3) != 0))
            iv_list(&commands, "intervale %s %.200s%s%.300s",
                    scores && v->systems ? "compare --scores" : starts[i][1], file,
                    named ? " " : "", named ? v->start : "");
    }
    if (commands.count > 0)
        property(c, file, "start with", iv_listed(&commands), false);
}

static void describe(checking *c, size_t at)
{
    const char *file = c->names[at];
    const iv_inspector *v = c->at[at];

    property(c, file, "stored", v->packing, strcmp(v->packing, "plain") == 0);
    if (v->kind == IV_FILE_RUN)
        describe_run(c, file, v);
    else if (v->kind == IV_FILE_JUDGMENTS)
        describe_judgments(c, file, v);
    else if (v->kind == IV_FILE_REFERENCES) {
        count_property(c, file, "records", v->records, v->records == 0);
        property(c, file, "read by", "judge new --queue, judge import", false);
    } else if (v->kind != IV_FILE_UNKNOWN) {
        const bool scores = v->kind == IV_FILE_SCORES;
        count_property(c, file, scores ? "scores" : "rows", v->records, false);
        count_property(c, file, scores ? "items" : v->kind == IV_FILE_MATRIX
                       ? "columns of scores" : "columns", v->topics, false);
        if (c->at[at]->columns_of != NULL)
            property(c, file, "looks like", c->at[at]->columns_of, false);
        suggest(c, file, v, v->columns_of != NULL ? v->columns_of
                : scores || v->kind == IV_FILE_MATRIX ? "scores" : "");
    }
}

/* --------------------------------------------- runs beside judgments -- */

/* How many topics two files share; names a few that only a has. */
static size_t shared_topics(iv_listing *missing, const iv_inspector *a, const iv_inspector *b)
{
    const iv_str *x = a->topic_ids, *y = b->topic_ids;
    const size_t n = x == NULL ? 0 : a->topics, m = y == NULL ? 0 : b->topics;
    size_t shared = 0;

    *missing = (iv_listing){ 0 };
    for (size_t i = 0, k = 0; i < n; i++) {
        while (k < m && iv_str_cmp(y[k], x[i]) < 0)
            k++;
        if (k < m && iv_str_cmp(y[k], x[i]) == 0)
            shared++;
        else
            iv_list_quoted(missing, x[i]);
    }
    return shared;
}

/* Tells how a run fits judgments that were given with it; returns the number of warnings. */
static size_t pair_up(checking *c, size_t run, size_t judgments)
{
    char name[IV_QUOTE_SIZE], text[96];
    const char *file = c->names[run], *judged = c->names[judgments];
    iv_listing missing;
    const size_t shared = shared_topics(&missing, c->at[judgments], c->at[run]);

    (void)snprintf(name, sizeof name, "topics shared with %.120s", judged);
    (void)snprintf(text, sizeof text, "%zu (%zu in the run, %zu in the judgments)", shared,
                   c->at[run]->topics, c->at[judgments]->topics);
    property(c, file, name, text, false);
    if (shared == 0) {
        iv_result_say(c->out, messages, "check.no-shared-topic",
                      (iv_found){ 1, .text = { file, judged } });
        return 1;
    }
    iv_result_say(c->out, messages, "check.nothing-retrieved",
                  (iv_found){ missing.count, .text = { file, judged, iv_listed(&missing) } });
    const size_t warnings = missing.count > 0 ? 1 : 0;
    (void)shared_topics(&missing, c->at[run], c->at[judgments]);
    iv_result_say(c->out, messages, "check.not-judged",
                  (iv_found){ missing.count, .text = { file, judged, iv_listed(&missing) } });
    return warnings;
}

static size_t pair_all(checking *c, size_t run)
{
    size_t warnings = 0;

    for (size_t j = 0; j < c->count && c->at[run]->kind == IV_FILE_RUN; j++)
        if (c->at[j]->kind == IV_FILE_JUDGMENTS)
            warnings += pair_up(c, run, j);
    return warnings;
}

/* ------------------------------------------------------------- tables -- */

typedef struct file_row {
    const char *file, *format;
    size_t lines, topics, documents, errors, warnings;
} file_row;

const iv_field iv_check_file_fields[] = {
    { "file", IV_AT(file_row, file), .about = "name of the file" },
    { "format", IV_AT(file_row, format), .about = "format, detected from the content" },
    { "lines", IV_AT(file_row, lines), .about = "lines that are not empty" },
    { "topics", IV_AT(file_row, topics), .about = "topics of the run or the judgments" },
    { "documents", IV_AT(file_row, documents), .heading = "distinct documents",
      .about = "distinct documents, over all topics" },
    { "errors", IV_AT(file_row, errors), .about = "errors, which every command refuses" },
    { "warnings", IV_AT(file_row, warnings), .about = "unusual content that is accepted" },
    { NULL }
};

const iv_field iv_check_detail_fields[] = {
    { "file", IV_AT(detail_row, file), .about = "name of the file" },
    { "property", IV_AT(detail_row, property), .about = "what is reported" },
    { "value", IV_AT(detail_row, value), .about = "value as text" },
    { NULL }
};

typedef struct problem_row {
    const char *file, *severity, *problem;
    size_t line;
} problem_row;

const iv_field iv_check_problem_fields[] = {
    { "file", IV_AT(problem_row, file), .about = "name of the file" },
    { "line", IV_AT(problem_row, line), .about = "line number, from 1" },
    { "severity", IV_AT(problem_row, severity), .about = "error or warning" },
    { "problem", IV_AT(problem_row, problem), .about = "the message" },
    { NULL }
};

static int add_tables(checking *c, iv_err *err)
{
    size_t listed = 0, used = 0;

    for (size_t i = 0; i < c->count; i++)
        listed += c->at[i]->problems.count;
    file_row *files = iv_take(iv_result_own(c->out), c->count + 1, sizeof *files);
    problem_row *problems = iv_take(iv_result_own(c->out), listed + 1, sizeof *problems);
    IV_TRY(iv_taken(iv_result_own(c->out), err));
    for (size_t i = 0; i < c->count; i++) {
        const iv_inspector *v = c->at[i];
        const bool has_topics = v->kind == IV_FILE_RUN || v->kind == IV_FILE_JUDGMENTS;
        files[i] = (file_row){ .file = c->names[i], .format = v->format, .lines = v->lines,
                               .topics = has_topics ? v->topics : SIZE_MAX,
                               .documents = has_topics ? v->documents : SIZE_MAX,
                               .errors = v->problems.errors, .warnings = v->problems.warnings };
        for (size_t k = 0; k < v->problems.count; k++)
            problems[used++] = (problem_row){
                .file = c->names[i], .severity = v->problems.items[k].error ? "error" : "warning",
                .problem = v->problems.items[k].message, .line = v->problems.items[k].line };
    }
    IV_TABLE(c->out, "files", iv_check_file_fields, files, c->count);
    IV_TABLE(c->out, "details", iv_check_detail_fields, c->details, c->detail_count,
             .quiet = IV_QUIET(detail_row, quiet));
    IV_TABLE(c->out, "problems", iv_check_problem_fields, problems, used,
             .showing = used > 0 ? IV_SHOWN : IV_FOLDED);
    return IV_OK;
}

/* --------------------------------------------------------------- all -- */

static int first_error(const char *file, const iv_inspector *v, iv_err *err)
{
    for (size_t k = 0; k < v->problems.count; k++)
        if (v->problems.items[k].error)
            return iv_fail_at(err, IV_EPARSE, file, v->problems.items[k].line, "%s" IV_HINT("%s"),
                              v->problems.items[k].message, v->problems.items[k].hint);
    return iv_fail_at(err, IV_EPARSE, file, 0, "%llu errors",
                      (unsigned long long)v->problems.errors);
}

/* Fills the result and says whether an error was found, the first in err. */
static int tell(checking *c, bool unread, iv_err *err)
{
    uint64_t errors = 0, warnings = 0;
    int found = IV_OK;

    for (size_t i = 0; i < c->count; i++) {
        iv_inspector *v = c->at[i];
        const uint64_t all = v->problems.errors + v->problems.warnings;
        iv_result_input(c->out, c->names[i], v->bytes);
        describe(c, i);
        v->problems.warnings += pair_all(c, i);
        iv_result_say(c->out, messages, "check.more-problems",
                      (iv_found){ (size_t)all - v->problems.count, .text = { c->names[i] } });
        if (errors == 0 && v->problems.errors > 0)
            found = first_error(c->names[i], v, err);
        errors += v->problems.errors;
        warnings += v->problems.warnings;
    }
    const int rc = add_tables(c, err);
    iv_result_answer(c->out, "%zu file%s%s, %llu error%s, %llu warning%s.", c->count,
                     iv_plural(c->count), unread ? " (another cannot be read)" : "",
                     (unsigned long long)errors, iv_plural((size_t)errors),
                     (unsigned long long)warnings, iv_plural((size_t)warnings));
    return rc != IV_OK ? rc : found;
}

/* A file that cannot be read keeps no other from being looked at. */
static int go_on(checking *c, iv_err *unread, const iv_err *why)
{
    char text[IV_ERR_TEXT_SIZE];

    if (why->code == IV_ENOMEM || why->code == IV_ECANCELLED)
        return why->code;
    if (unread->code == IV_OK)
        *unread = *why;
    else
        iv_result_say(c->out, messages, "check.unreadable",
                      (iv_found){ 1, .text = { iv_err_text(text, why) } });
    return IV_OK;
}

/* A sample is read with its design, as estimates read it: what they refuse is an error, and
 * documents without a grade, which they want to be told about, a warning. */
static int look_at_design(iv_inspector *i, const char *name, const iv_work *work, iv_err *err)
{
    iv_judgments *j = NULL;
    iv_sampling *s = NULL;
    iv_err why = { 0 };
    bool added = true;

    if (i->problems.errors > 0 || (i->judgments != IV_JUDGMENTS_PRELS
                               && i->judgments != IV_JUDGMENTS_STRATIFIED))
        return IV_OK;
    const iv_str text = iv_text_of(&i->content);
    IV_TRY(iv_judgments_parse(&j, name, text.ptr, text.len, i->judgments, work, err));
    int rc = iv_sampling_new(&s, j, name, IV_UNJUDGED_REFUSE, &why);
    if (rc == IV_EPARSE || rc == IV_ENODATA) {
        iv_err same = { 0 };
        rc = iv_sampling_new(&s, j, name, IV_UNJUDGED_NONRELEVANT, &same);
        const bool wrong = rc == IV_EPARSE || rc == IV_ENODATA;
        if (wrong)
            why = same;
        else
            (void)snprintf(why.msg, sizeof why.msg, "%zu document%s of the sample %s not judged, "
                           "expected a grade of 0 or more", s->noted.unjudged,
                           iv_plural(s->noted.unjudged), s->noted.unjudged == 1 ? "is" : "are");
        added = iv_inspector_add(i, why.line, wrong ? IV_ERROR : IV_WARNING, why.msg);
        rc = wrong ? IV_OK : rc;
    }
    iv_sampling_free(s);
    iv_judgments_free(j);
    return rc != IV_OK ? iv_fail_as(err, &why) : added ? IV_OK
        : iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
}

static int look(checking *c, const iv_check_question *q, const iv_work *work, iv_err *unread,
                iv_err *err)
{
    const size_t most = q->most == 0 ? 100 : q->most == IV_ZERO ? SIZE_MAX : (size_t)q->most;
    int rc = IV_OK;

    for (size_t i = 0; i < q->files.count && rc == IV_OK; i++) {
        iv_stage stage;
        iv_err why = { 0 };
        const double all = (double)q->files.count;
        c->names[c->count] = q->files.at[i];
        if (iv_inspect(&c->at[c->count], q->files.at[i], q->format, most,
                       iv_work_part(&stage, work, (double)i / all, (double)(i + 1) / all),
                       &why) == IV_OK)
            rc = look_at_design(c->at[c->count++], q->files.at[i], work, err);
        else if (go_on(c, unread, &why) != IV_OK)
            rc = iv_fail_as(err, &why);
    }
    return rc;
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *work, iv_err *err)
{
    const iv_check_question *question = asked;
    const size_t count = question->files.count;
    checking c = { .out = out, .at = iv_take(iv_result_own(out), count + 1, sizeof *c.at),
                   .names = iv_take(iv_result_own(out), count + 1, sizeof *c.names) };
    iv_err unread = { 0 }; /* the first that could not be read at all */

    if (count == 0)
        return iv_fail(err, IV_EARG, "no files to check");
    IV_TRY(iv_taken(iv_result_own(out), err));
    int rc = look(&c, question, work, &unread, err);
    if (rc == IV_OK && c.count > 0)
        rc = tell(&c, unread.code != IV_OK, err);
    if ((rc == IV_OK || rc == IV_EPARSE) && unread.code != IV_OK)
        rc = iv_fail_as(err, &unread);
    for (size_t i = 0; i < c.count; i++)
        iv_inspector_free(c.at[i]);
    return rc;
}

int iv_answer_check(iv_result *out, const iv_check_question *question, const iv_work *work,
                    iv_err *err)
{
    static const iv_part parts[] = {
        IV_PART_OF(iv_check_question, files, PATHS, "file"),
        IV_CHOICE_OF(iv_check_question, format, iv_judgments_format_names, "the format"),
    };

    return iv_answer_with(out, question, IV_ANSWERING(parts, answer_asked, .keeps = true),
                          work, err);
}

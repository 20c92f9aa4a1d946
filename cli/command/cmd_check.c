/* SPDX-License-Identifier: Apache-2.0 */
/* check -- is this file sane, and what is it? */
#include <stdlib.h>
#include <string.h>

#include "frame/cmd.h"
#include "intervale/trec.h"

typedef struct args {
    int format;
    int64_t most;
} args;

static const char *const formats[] = { "any", "qrels", "prels", "stratified", "beir", NULL };

static const opt opts[] = {
    OPT_CHOICE(args, 0, "judgments-format", "F", format, formats,
               "take the files for judgments in this format"),
    OPT_INT(args, 0, "most", "N", most, 0, INT64_MAX,
            "how many problems to list for each file; 0 lists all"),
    OPT_END
};

/* The files looked at, in the order given. */
typedef struct looked_at {
    iv_inspector **at;
    const char **names;
    size_t count;
} looked_at;

/* The table of details.  For people, a file's name stands once, and what says
 * nothing is left out. */
typedef struct details {
    iv_table *table;
    bool people;
    const char *last; /* file that the last row is of */
} details;

static void property(details *d, const char *file, const char *name, const char *value)
{
    iv_put_text(d->table, iv_str_of(d->people && d->last == file ? "" : file));
    iv_put_text(d->table, iv_str_of(name));
    iv_put_text(d->table, iv_str_of(value));
    d->last = file;
}

static void count_property(details *d, const char *file, const char *name, uint64_t value)
{
    char text[32];

    (void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    property(d, file, name, text);
}

/* A count that people want to hear of only when it is not 0. */
static void count_trouble(details *d, const char *file, const char *name, uint64_t value)
{
    if (value > 0 || !d->people)
        count_property(d, file, name, value);
}

static void describe_run(details *d, const char *file, const iv_inspection *v)
{
    count_property(d, file, "documents retrieved", v->records);
    if (v->tag != NULL)
        property(d, file, v->tags > 1 ? "first tag" : "tag", v->tag);
    count_trouble(d, file, "tied documents", v->ties);
    count_trouble(d, file, "duplicates", v->duplicates);
    if (!v->score_order || !d->people)
        property(d, file, "in score order", v->score_order ? "yes" : "no");
}

static void describe_judgments(details *d, const char *file, const iv_inspection *v)
{
    char text[64];

    count_property(d, file, "judgments", v->records);
    if (v->grade_min <= v->grade_max) {
        (void)snprintf(text, sizeof text, "%d to %d", (int)v->grade_min, (int)v->grade_max);
        property(d, file, "grades", text);
    }
    count_property(d, file, "relevant (grade above 0)", v->relevant);
    count_trouble(d, file, "unjudged (grade below 0)", v->unjudged);
    count_trouble(d, file, "duplicates", v->duplicates);
}

static void describe(details *d, const char *file, const iv_inspection *v)
{
    if (strcmp(v->packing, "plain") != 0 || !d->people)
        property(d, file, "stored", v->packing);
    if (v->kind == IV_FILE_RUN)
        describe_run(d, file, v);
    else if (v->kind == IV_FILE_JUDGMENTS)
        describe_judgments(d, file, v);
    else if (v->kind != IV_FILE_UNKNOWN) {
        count_property(d, file, "rows", v->records);
        count_property(d, file, v->kind == IV_FILE_MATRIX ? "columns of scores" : "columns",
                       v->topics);
    }
}

/* How many topics two files share; names up to a few that only a has. */
static size_t shared_topics(char *missing, size_t size, const iv_inspector *a,
                            const iv_inspector *b)
{
    const iv_str *x, *y;
    const size_t n = iv_inspector_topics(a, &x), m = iv_inspector_topics(b, &y);
    size_t shared = 0, named = 0, used = 0;

    missing[0] = '\0';
    for (size_t i = 0, k = 0; i < n; i++) {
        char quoted[IV_QUOTE_SIZE];
        while (k < m && iv_str_cmp(y[k], x[i]) < 0)
            k++;
        if (k < m && iv_str_cmp(y[k], x[i]) == 0) {
            shared++;
        } else if (named++ < 5 && used < size) {
            used += (size_t)snprintf(missing + used, size - used, "%s%s",
                                     named > 1 ? ", " : "", iv_quote(quoted, x[i]));
        }
    }
    if (named > 5 && used < size)
        (void)snprintf(missing + used, size - used, " and %zu more", named - 5);
    return shared;
}

static size_t count_judgments(const looked_at *files)
{
    size_t count = 0;

    for (size_t i = 0; i < files->count; i++)
        count += iv_inspector_view(files->at[i])->kind == IV_FILE_JUDGMENTS;
    return count;
}

/* Tells how a run fits judgments that were given with it. */
static void pair_up(cmd_context *c, details *d, const looked_at *files, size_t run,
                    size_t judgments)
{
    char missing[IV_QUOTE_SIZE * 6], property_name[IV_QUOTE_SIZE], text[96];
    const char *name = files->names[run], *judged = files->names[judgments];
    const size_t shared = shared_topics(missing, sizeof missing, files->at[judgments],
                                        files->at[run]);

    if (d->people && count_judgments(files) == 1)
        (void)snprintf(property_name, sizeof property_name, "topics judged");
    else
        (void)snprintf(property_name, sizeof property_name, "topics shared with %.120s",
                       judged);
    (void)snprintf(text, sizeof text, "%zu (it has %zu, judged are %zu)", shared,
                   iv_inspector_view(files->at[run])->topics,
                   iv_inspector_view(files->at[judgments])->topics);
    property(d, name, property_name, text);
    if (shared == 0) {
        iv_result_note(c->result, "%s shares no topic with %s", name, judged);
        return;
    }
    if (missing[0] != '\0')
        iv_result_note(c->result, "%s has no documents for topics that %s judges: %s", name,
                       judged, missing);
    (void)shared_topics(missing, sizeof missing, files->at[run], files->at[judgments]);
    if (missing[0] != '\0')
        iv_result_note(c->result, "%s has topics that %s does not judge: %s", name, judged,
                       missing);
}

static void pair_all(cmd_context *c, details *d, const looked_at *files, size_t run)
{
    if (iv_inspector_view(files->at[run])->kind != IV_FILE_RUN)
        return;
    for (size_t j = 0; j < files->count; j++) {
        if (iv_inspector_view(files->at[j])->kind == IV_FILE_JUDGMENTS)
            pair_up(c, d, files, run, j);
    }
}

/* Is there a problem to list?  Where there is none, people need no table of it. */
static bool any_problem(const looked_at *files)
{
    for (size_t i = 0; i < files->count; i++) {
        if (iv_inspector_view(files->at[i])->problem_count > 0)
            return true;
    }
    return false;
}

static void list_problems(cmd_context *c, iv_table *t, const char *file,
                          const iv_inspection *v)
{
    for (size_t i = 0; i < v->problem_count; i++) {
        iv_put_text(t, iv_str_of(file));
        iv_put_int(t, (int64_t)v->problems[i].line);
        iv_put_text(t, iv_str_of(v->problems[i].error ? "error" : "warning"));
        iv_put_text(t, iv_str_of(v->problems[i].message));
    }
    const uint64_t all = v->errors + v->warnings;
    if (all > v->problem_count)
        iv_result_note(c->result, "%s: %llu more problems are not listed; --most 0 lists all",
                       file, (unsigned long long)(all - v->problem_count));
}

static void list_file(iv_table *t, const char *file, const iv_inspection *v)
{
    const bool has_topics = v->kind == IV_FILE_RUN || v->kind == IV_FILE_JUDGMENTS;

    iv_put_text(t, iv_str_of(file));
    iv_put_text(t, iv_str_of(v->format));
    iv_put_int(t, (int64_t)v->lines);
    if (has_topics) {
        iv_put_int(t, (int64_t)v->topics);
        iv_put_int(t, (int64_t)v->documents);
    } else {
        iv_put_missing(t);
        iv_put_missing(t);
    }
    iv_put_int(t, (int64_t)v->errors);
    iv_put_int(t, (int64_t)v->warnings);
}

static void tell_first_error(const char *file, const iv_inspection *v, iv_err *err)
{
    for (size_t k = 0; k < v->problem_count && v->errors > 0; k++) {
        if (v->problems[k].error) {
            (void)iv_fail_at(err, IV_EPARSE, file, v->problems[k].line, "%s",
                             v->problems[k].message);
            return;
        }
    }
}

/* Fills the result and says whether an error was found, the first in err. */
static int tell(cmd_context *c, const looked_at *files, iv_err *err)
{
    static const iv_column file_columns[] = {
        { "file", IV_TEXT, 0 }, { "format", IV_TEXT, 0 }, { "lines", IV_INTEGER, 0 },
        { "topics", IV_INTEGER, 0 }, { "documents", IV_INTEGER, 0 },
        { "errors", IV_INTEGER, 0 }, { "warnings", IV_INTEGER, 0 } };
    static const iv_column detail_columns[] = {
        { "file", IV_TEXT, 0 }, { "property", IV_TEXT, 0 }, { "value", IV_TEXT, 0 } };
    static const iv_column problem_columns[] = {
        { "file", IV_TEXT, 0 }, { "line", IV_INTEGER, 0 }, { "severity", IV_TEXT, 0 },
        { "problem", IV_TEXT, 0 } };
    iv_table *list = iv_result_table(c->result, "files", file_columns, 7);
    details d = { iv_result_table(c->result, "details", detail_columns, 3),
                  strcmp(c->shared->format, "text") == 0, NULL };
    iv_table *problems = !d.people || c->shared->table != NULL || any_problem(files)
        ? iv_result_table(c->result, "problems", problem_columns, 4) : NULL;
    uint64_t errors = 0, warnings = 0;

    for (size_t i = 0; i < files->count; i++) {
        const iv_inspection *v = iv_inspector_view(files->at[i]);
        iv_result_input(c->result, files->names[i], v->bytes);
        list_file(list, files->names[i], v);
        describe(&d, files->names[i], v);
        pair_all(c, &d, files, i);
        list_problems(c, problems, files->names[i], v);
        if (errors == 0)
            tell_first_error(files->names[i], v, err);
        errors += v->errors;
        warnings += v->warnings;
    }
    iv_result_answer(c->result, "%zu file%s, %llu error%s, %llu warning%s.", files->count,
                     files->count == 1 ? "" : "s", (unsigned long long)errors,
                     errors == 1 ? "" : "s", (unsigned long long)warnings,
                     warnings == 1 ? "" : "s");
    return errors > 0 ? CMD_FAILED : IV_OK;
}

/* A file that cannot be read keeps no other from being looked at. */
static int go_on(cmd_context *c, iv_err *unread, int rc, const iv_err *err)
{
    if (rc == IV_OK || rc == IV_ENOMEM)
        return rc;
    if (unread->code == IV_OK)
        *unread = *err;
    else
        iv_result_note(c->result, "%s", iv_err_text((char[IV_ERR_TEXT_SIZE]){ "" }, err));
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    const args *a = c->args;
    const size_t most = a->most == 0 ? SIZE_MAX : (size_t)a->most;
    looked_at files = { calloc(c->operand_count, sizeof *files.at),
                        calloc(c->operand_count, sizeof *files.names), 0 };
    iv_err unread = { IV_OK, "" }; /* the first that could not be read at all */
    int rc = IV_OK;

    if (files.at == NULL || files.names == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    for (size_t i = 0; i < c->operand_count && rc == IV_OK; i++) {
        files.names[files.count] = c->operands[i];
        rc = iv_inspect(&files.at[files.count], c->operands[i], (iv_judgments_format)a->format,
                        most, &c->work, err);
        files.count += rc == IV_OK;
        rc = go_on(c, &unread, rc, err);
        if (c->progress.report != NULL)
            c->progress.report(c->progress.user,
                               (double)(i + 1) / (double)c->operand_count);
    }
    if (rc == IV_OK && files.count > 0)
        rc = tell(c, &files, err);
    if ((rc == IV_OK || rc == CMD_FAILED) && unread.code != IV_OK) {
        *err = unread;
        rc = files.count > 0 ? CMD_FAILED : unread.code;
    }
    for (size_t i = 0; i < files.count; i++)
        iv_inspector_free(files.at[i]);
    free(files.at);
    free(files.names);
    return rc;
}

const cmd cmd_check = {
    .name = "check",
    .group = "Files",
    .summary = "say what each file is and what is wrong with it",
    .operands = "FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Looks at runs, judgments, score matrices and other comma-separated tables, plain, "
        "gzip or zstd, told by content. Says what format each is in and what it holds, and "
        "lists every problem by line. An error is what every other command refuses, with "
        "the same message; a warning is odd but read: CR line ends, empty lines, ranks that "
        "contradict scores, several run tags, topics without a relevant document.\n\n"
        "Given runs and judgments together, it also says which topics they share.",
    .exit_note = "a file has an error",
    .examples = (const cmd_example[]){
        { "intervale check qrels run.txt",
          "Looks at judgments and a run, and at the topics they share." },
        { "intervale check --format tsv --table problems run.txt",
          "Lists the problems of a run, one a line." },
        { NULL, NULL } },
    .opts = opts,
    .defaults = &(const args){ .format = 0, .most = 100 },
    .args_size = sizeof(args),
    .shared = SHARED_THREADS | SHARED_REPORT,
    .tables = (const char *const[]){ "files", "details", "problems", NULL },
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
/* Detects what a file is, and lists what is wrong with it. */
#define _GNU_SOURCE /* memmem */

#include "base/arguments.h"
#include "base/bytes.h"
#include "base/err.h"
#include "base/ids.h"
#include "base/lines.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/names.h"
#include "base/parallel.h"
#include "trec/chunks.h"
#include "trec/column_roles.h"
#include "trec/csv.h"
#include "trec/fields.h"
#include "trec/gold.h"
#include "trec/inspection.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "trec/reference_forms.h"
#include "trec/run_records.h"
#include "trec/score_records.h"
#include "trec/score_table.h"
#include "trec/text.h"
#include "trec/zip.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the lines of a run say beyond what a reader needs. */
typedef struct habits {
    iv_ids tags;
    uint64_t other_tag_line;
    uint64_t misranked, misranked_line; /* a higher score at a lower rank */
    uint64_t odd_ranks, odd_rank_line;  /* a rank that is no whole number */
    uint64_t behind, behind_line;       /* text behind the tag */
    iv_rank_watch ranks;
} habits;

static void look_at_rank(habits *h, const iv_str *fields, uint64_t line)
{
    if (iv_rank_watch_line(&h->ranks, fields))
        h->misranked_line = h->misranked++ == 0 ? line : h->misranked_line;
    if (h->ranks.odd)
        h->odd_rank_line = h->odd_ranks++ == 0 ? line : h->odd_rank_line;
}

/* Walks the lines of six fields or more once more. */
static void look_at_lines(habits *h, iv_str text, iv_problems *problems, const iv_work *work)
{
    const char *p = text.ptr;
    const char *const end = text.ptr + text.len;

    for (uint64_t line = 1; p < end; line++) {
        iv_str fields[6];
        const bool comment = iv_is_comment(p, end);
        if (line % 16384 == 0 && !iv_problems_go_on(problems, work))
            return;
        const size_t count = iv_split_line(fields, 6, &p, end);
        if (comment || count < 6)
            continue;
        if (count > 6)
            h->behind_line = h->behind++ == 0 ? line : h->behind_line;
        const size_t before = h->tags.count;
        if (iv_ids_add(&h->tags, fields[5]) == IV_NO_ID)
            problems->no_memory = true;
        if (before == 1 && h->tags.count == 2)
            h->other_tag_line = line;
        look_at_rank(h, fields, line);
    }
}

static void tell_habits(iv_inspector *i, const habits *h)
{
    char one[IV_QUOTE_SIZE], other[IV_QUOTE_SIZE], more[IV_MORE_SIZE];

    if (h->tags.count > 1)
        iv_complain(&i->problems, h->other_tag_line, IV_WARNING,
                    "tag %s after %s; the file has %zu tags, and the first names the run",
                    iv_quote(other, h->tags.names[1]), iv_quote(one, h->tags.names[0]),
                    h->tags.count);
    if (h->misranked > 0)
        iv_complain(&i->problems, h->misranked_line, IV_WARNING,
                    "ranks and scores disagree on this line%s; scores decide",
                    iv_and_more(more, h->misranked - 1, "line"));
    if (h->odd_ranks > 0)
        iv_complain(&i->problems, h->odd_rank_line, IV_WARNING,
                    "the rank on this line%s is not a whole number; ranks are not used",
                    iv_and_more(more, h->odd_ranks - 1, "line"));
    if (h->behind > 0)
        iv_complain(&i->problems, h->behind_line, IV_WARNING,
                    "text after the tag (the sixth field) is not used on this line%s",
                    iv_and_more(more, h->behind - 1, "line"));
}

/* Documents that share their score with another of their topic. */
static uint64_t count_ties(const iv_run_doc *ranked, size_t n)
{
    uint64_t ties = 0;

    for (size_t k = 0; k < n; k++)
        ties += (k > 0 && ranked[k].score == ranked[k - 1].score)
            || (k + 1 < n && ranked[k].score == ranked[k + 1].score);
    return ties;
}

/* Counts ties and different documents, and sees whether the file is ranked. */
static void look_at_topics(iv_inspector *i, const iv_run *run, const iv_work *work)
{
    iv_ids documents = { 0 };

    i->score_order = true;
    for (size_t t = 0; t < run->grouped.topic_count && iv_problems_go_on(&i->problems, work); t++) {
        iv_run_doc *docs = run->grouped.topics[t].records;
        const size_t n = run->grouped.topics[t].count;
        iv_run_doc *scratch = malloc((n + 1) * sizeof *scratch);
        if (scratch == NULL) {
            i->problems.no_memory = true;
            break;
        }
        for (size_t k = 0; k < n; k++) {
            if (iv_ids_add(&documents, iv_run_doc_name(&docs[k])) == IV_NO_ID)
                i->problems.no_memory = true;
            if (k > 0 && docs[k].score > docs[k - 1].score)
                i->score_order = false;
        }
        iv_run_docs_sort(docs, n, scratch);
        i->ties += count_ties(docs, n);
        free(scratch);
    }
    i->documents = documents.count;
    iv_ids_free(&documents);
}

/* Copies the topics and counts of what was read. */
static void inspect_grouped(iv_inspector *i, const iv_grouped *g)
{
    i->topic_ids = malloc((g->topic_count + 1) * sizeof *i->topic_ids);
    if (i->topic_ids == NULL) {
        i->problems.no_memory = true;
        return;
    }
    for (size_t t = 0; t < g->topic_count; t++)
        i->topic_ids[t] = g->topics[t].id;
    i->topics = g->topic_count;
    i->records = g->records;
}

static void inspect_run(iv_inspector *i, const iv_work *work)
{
    iv_run run = { .bytes = i->content };
    habits h = { .misranked = 0 };
    const uint64_t before = i->problems.errors;

    i->duplicates = iv_run_read(&run, IV_RUN_ANY, true, work, 0, &i->problems);
    i->format = run.format == IV_RUN_TREC ? "TREC run"
        : run.format == IV_RUN_MSMARCO ? "MS MARCO run" : "run";
    if (run.format != IV_RUN_ANY) {
        inspect_grouped(i, &run.grouped);
        look_at_topics(i, &run, work);
    }
    if (run.format == IV_RUN_TREC) {
        look_at_lines(&h, run.text, &i->problems, work);
        i->tags = h.tags.count;
        if (h.tags.count > 0) {
            i->tag = iv_arena_copy(&i->text, h.tags.names[0]);
            if (i->tag == NULL)
                i->problems.no_memory = true;
        }
        if (i->problems.errors == before) /* else the order may be the errors' */
            tell_habits(i, &h);
    }
    iv_ids_free(&h.tags);
    iv_run_forget(&run);
}

/* ----------------------------------------------------- inspect judgments -- */

static const char *const format_names[] = {
    "judgments", "qrels", "prels", "stratified qrels", "BEIR qrels", "qrels by groups",
    "preferences", "nuggets"
};

/* Grades, different documents, topics that nothing is relevant to. */
static void look_at_topics_judgments(iv_inspector *i, const iv_judgments *j, const iv_work *work)
{
    iv_ids documents = { 0 };
    const iv_topic_records *barren = NULL;
    size_t barren_count = 0;

    for (size_t t = 0; t < j->grouped.topic_count && iv_problems_go_on(&i->problems, work); t++) {
        const iv_topic_records *topic = &j->grouped.topics[t];
        const iv_judgment *items = topic->records;
        const uint64_t relevant = i->relevant;
        for (size_t k = 0; k < topic->count; k++) {
            const int32_t grade = j->format != IV_JUDGMENTS_PREFS ? items[k].grade
                : items[k].pi > 0.0;
            if (iv_ids_add(&documents, items[k].docno) == IV_NO_ID)
                i->problems.no_memory = true;
            i->relevant += grade > 0;
            i->unjudged += grade < 0;
            if (i->grade_min > i->grade_max)
                i->grade_min = i->grade_max = grade;
            if (grade < i->grade_min)
                i->grade_min = grade;
            if (grade > i->grade_max)
                i->grade_max = grade;
        }
        if (i->relevant == relevant)
            barren = barren_count++ == 0 ? topic : barren;
    }
    i->documents = documents.count;
    iv_ids_free(&documents);
    if (barren_count > 0) {
        char quoted[IV_QUOTE_SIZE], more[IV_MORE_SIZE];
        const iv_judgment *first = barren->records;
        iv_complain(&i->problems, iv_line_of(j->text, first->docno.ptr), IV_WARNING,
                    "topic %s%s %s no relevant document", iv_quote(quoted, barren->id),
                    iv_and_more(more, barren_count - 1, "topic"),
                    barren_count == 1 ? "has" : "have");
    }
}

/*
 * Reads again, by groups, qrels of which nothing is wrong but that documents stand there
 * several times, if most of these stand once in their group; one warning says so.
 */
static void read_by_groups(iv_judgments *j, iv_problems *wrong, uint64_t *again,
                           const iv_work *work)
{
    iv_judgments other = { .bytes = j->bytes };
    iv_problems of_groups = { .most = wrong->most };
    char more[IV_MORE_SIZE];
    iv_stage second;
    const uint64_t repeats = *again;

    if (j->format != IV_JUDGMENTS_QRELS || repeats == 0 || wrong->errors > repeats
        || wrong->kept_errors == 0 || wrong->no_memory)
        return;
    const uint64_t left = iv_judgments_read(&other, IV_JUDGMENTS_GROUPS, true,
                                            iv_work_part(&second, work, 1.0, 1.0), 0, &of_groups);
    const bool good = 2 * of_groups.errors < repeats && !of_groups.no_memory;
    iv_problems_finish(wrong); /* the first repetition is first */
    if (good)
        iv_complain(&of_groups, wrong->items[0].line, IV_WARNING,
                    "a document of its topic is repeated with another second column on this "
                    "line%s; such lines are read as judgments by groups (subtopics, judges)",
                    iv_and_more(more, repeats - 1, "line"));
    wrong->no_memory = wrong->no_memory || of_groups.no_memory;
    wrong->stopped = wrong->stopped || of_groups.stopped;
    iv_judgments_forget(good ? j : &other);
    iv_problems_free(good ? wrong : &of_groups);
    *j = good ? other : *j;
    *wrong = good ? of_groups : *wrong;
    *again = good ? left : repeats;
}

static void inspect_judgments(iv_inspector *i, iv_judgments_format format, const iv_work *work)
{
    iv_judgments j = { .bytes = i->content };
    /* One at least: read_by_groups() needs its line. */
    iv_problems wrong = { .most = i->problems.most + (i->problems.most == 0) };

    i->duplicates = iv_judgments_read(&j, format, true, work, 0, &wrong);
    if (format == IV_JUDGMENTS_ANY)
        read_by_groups(&j, &wrong, &i->duplicates, work);
    iv_problems_append(&i->problems, &wrong, 0);
    i->problems.stopped = i->problems.stopped || wrong.stopped;
    iv_problems_free(&wrong);
    i->format = format_names[j.format];
    i->judgments = j.format;
    if (j.format != IV_JUDGMENTS_ANY) {
        inspect_grouped(i, &j.grouped);
        look_at_topics_judgments(i, &j, work);
    }
    iv_judgments_forget(&j);
}

/* --------------------------------------------------------- inspect table -- */

/* What the reader of matrices would refuse; other readers of numbers may not. */
static void look_at_names(iv_inspector *i, const iv_csv *t)
{
    iv_ids seen = { 0 };

    for (size_t r = 0; r < t->row_count; r++) {
        char quoted[IV_QUOTE_SIZE];
        const size_t before = seen.count;
        if (iv_ids_add(&seen, iv_csv_cell(t, r, 0)) == IV_NO_ID)
            i->problems.no_memory = true;
        else if (seen.count == before)
            iv_complain(&i->problems, iv_csv_line(t, r), IV_WARNING,
                        "row %s again; a matrix of scores names each once",
                        iv_quote(quoted, iv_csv_cell(t, r, 0)));
    }
    iv_ids_free(&seen);
}

/* The same of scores that sums and squares would not hold. */
static void look_at_sizes(iv_inspector *i, const iv_csv *t, bool named)
{
    for (size_t r = 0; r < t->row_count; r++) {
        for (size_t c = named; c < t->columns; c++) {
            char row[IV_QUOTE_SIZE], quoted[IV_QUOTE_SIZE];
            const iv_str s = iv_csv_cell(t, r, c);
            double value;
            if (!iv_scan_real(&value, s) || fabs(value) <= IV_SCORE_MOST)
                continue;
            iv_complain(&i->problems, iv_csv_line(t, r), IV_WARNING,
                        "row %s has the score %s; a matrix of scores has them from -1e100 to 1e100",
                        iv_quote(row, iv_csv_cell(t, r, 0)), iv_quote(quoted, s));
            break;
        }
    }
}

/* Labels, and something that says them too. */
static bool is_labels(const iv_csv *t)
{
    bool gold = false;

    if (iv_csv_find(t, iv_str_of("eval_id")) != IV_NONE)
        return false; /* of Inspect, where a target is no label */
    for (size_t c = 0; c < iv_csv_columns(t); c++)
        gold = gold || iv_is_gold_name(iv_csv_column(t, c));
    return gold && iv_csv_columns(t) > 1 + (size_t)(iv_id_column(t) != IV_NONE);
}

/* The first column of numbers that is no name of a role; a judge's before others. */
static size_t score_column(const iv_csv *t, size_t human)
{
    size_t found = IV_NONE;

    for (size_t c = 0; c < iv_csv_columns(t); c++) {
        const iv_str name = iv_csv_column(t, c);
        bool number = c != human && iv_csv_rows(t) > 0;
        double value;
        for (size_t r = 0; r < iv_csv_rows(t) && number; r++)
            number = iv_csv_is_missing(iv_csv_cell(t, r, c))
                || iv_scan_real(&value, iv_csv_cell(t, r, c));
        for (size_t role = 0; role < IV_SCORE_ROLES && number; role++)
            for (const char *const *n = iv_score_usual((iv_score_role)role, true);
                 role != IV_ROLE_SCORE && *n != NULL; n++)
                number = number && !iv_same_name(name, iv_str_of(*n));
        const bool judge = iv_is_named(name, "judge,judge_score,llm,llm_score,score");
        if (number && (found == IV_NONE || judge))
            found = c;
        if (number && judge)
            break;
    }
    return found;
}

/* Scores whose column has no usual name, or that people labelled some of: what names them. */
static void look_for_scores(iv_inspector *i, const iv_csv *t, iv_listing *may)
{
    size_t human = IV_NONE, item = IV_NONE;

    for (size_t c = 0; c < iv_csv_columns(t) && human == IV_NONE; c++)
        if (iv_is_named(iv_csv_column(t, c), "human,human_score,human_label,human_rating"))
            human = c;
    for (const char *const *n = iv_score_usual(IV_ROLE_ITEM, false);
         item == IV_NONE && *n != NULL; n++)
        item = iv_csv_find(t, iv_str_of(*n));
    for (const char *const *n = iv_score_usual(IV_ROLE_SYSTEM, false); *n != NULL; n++)
        i->systems = i->systems || iv_csv_find(t, iv_str_of(*n)) != IV_NONE;
    const bool known = may->count > 0 || iv_id_column(t) != IV_NONE || i->kind == IV_FILE_MATRIX;
    const size_t score = item != IV_NONE && (human != IV_NONE || !known)
        ? score_column(t, human) : IV_NONE;
    if (score == IV_NONE)
        return;
    const iv_str s = iv_csv_column(t, score);
    const iv_str h = human != IV_NONE ? iv_csv_column(t, human) : s;
    char text[400];
    (void)snprintf(text, sizeof text, human != IV_NONE
                   ? "--columns score=%.*s,human=%.*s --human-design random" : "-m %.*s",
                   (int)(s.len < 120 ? s.len : 120), s.ptr, (int)(h.len < 120 ? h.len : 120),
                   h.ptr);
    i->start = iv_arena_copy(&i->text, iv_str_of(text));
    i->problems.no_memory = i->problems.no_memory || i->start == NULL;
    iv_list(may, human != IV_NONE ? "scores of a judge and of people" : "scores that -m names");
}

/* By the names that readers know columns by; a table may be of several kinds. */
static void look_at_columns(iv_inspector *i, const iv_csv *t)
{
    static const char *const others[][5] = { /* what it is, and its columns */
        { "strata", "stratum", "N", "n", "r" },
        { "a log of a review", "stratum", "relevant" },
        { "counts", "tp", "fp", "fn" },
        { "observed costs", "certainty", "topics", "judgments" },
        { "votes", "a", "b", "winner" },
        { "votes", "model_a", "model_b", "winner" },
        { "references for judge new --queue", "title", "abstract" },
    };
    const bool topics = iv_role_column(t, &iv_topic_role) != IV_NONE;
    iv_listing may = { .most = 16 }, there = { .most = 8 };

    if (is_labels(t))
        iv_list(&may, "labels");
    if (iv_csv_is_scores(t))
        iv_list(&may, "scores");
    if (iv_csv_is_assessments(t) && iv_csv_find(t, iv_str_of("winner")) == IV_NONE)
        iv_list(&may, "labels by several assessors");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        bool all = true;
        for (size_t c = 1; c < 5 && others[k][c] != NULL; c++)
            all = all && iv_csv_find(t, iv_str_of(others[k][c])) != IV_NONE;
        if (all)
            iv_list(&may, "%s", others[k][0]);
    }
    if (topics && iv_csv_find(t, iv_str_of("group")) != IV_NONE)
        iv_list(&may, "groups of topics");
    if (may.count == 0 && iv_csv_find(t, iv_str_of("eval_id")) != IV_NONE)
        iv_list(&may, "messages, events or logs of Inspect");
    else
        look_for_scores(i, t, &may);
    if (may.count == 0 && iv_id_column(t) != IV_NONE)
        iv_list(&may, "predictions without gold labels, or labels by several assessors");
    for (size_t c = 0; c < t->columns; c++)
        iv_list_quoted(&there, iv_csv_column(t, c));
    if (may.count > 0)
        i->columns_of = iv_arena_copy(&i->text, iv_str_of(iv_listed(&may)));
    else if (i->kind != IV_FILE_MATRIX)
        iv_complain(&i->problems, 1, IV_WARNING, "no column has a name that says what the table "
                    "is, such as gold, score or stratum; the columns are %s", iv_listed(&there));
    i->problems.no_memory = i->problems.no_memory
        || (may.count > 0 && i->columns_of == NULL);
}

static void inspect_table(iv_inspector *i)
{
    iv_csv *t = calloc(1, sizeof *t);

    if (t == NULL) {
        i->problems.no_memory = true;
        return;
    }
    t->bytes = i->content;
    i->format = "table";
    iv_csv_read(t, true, NULL, &i->problems);
    i->topics = t->columns;
    i->records = t->row_count;
    if (t->row_count > 0) {
        const bool named = iv_csv_rows_named(t, &i->problems);
        if (iv_csv_is_matrix(t, named)) {
            i->kind = IV_FILE_MATRIX;
            i->format = "matrix of numbers";
            i->topics = t->columns - named;
            look_at_sizes(i, t, named);
            if (named)
                look_at_names(i, t);
            else
                iv_complain(&i->problems, iv_csv_line(t, 0), IV_WARNING,
                            "the rows have no names; they are numbered from 1");
        }
        look_at_columns(i, t);
    }
    t->bytes = (iv_bytes){ 0 }; /* the inspector's own */
    iv_csv_free(t);
}

/* --------------------------------------------------------------- inspect -- */

/* -------------------------------------------------- what kind of file -- */

static bool any_number(const iv_str *fields, size_t count)
{
    double value;

    for (size_t i = 0; i < count; i++) {
        if (iv_scan_real(&value, fields[i]))
            return true;
    }
    return false;
}

static bool begins_with(iv_str text, const char *word)
{
    return text.len >= strlen(word) && memcmp(text.ptr, word, strlen(word)) == 0;
}

/* Of the forms that are neither a run, nor judgments, nor a table; IV_FILE_UNKNOWN: none. */
static iv_file_kind other_kind(iv_str text)
{
    if (begins_with(text, "PK\x03\x04"))
        return memmem(text.ptr, text.len, "results.db", 10) != NULL ? IV_FILE_REFERENCES
            : IV_FILE_SCORES;
    return iv_references_begin(text) != NULL ? IV_FILE_REFERENCES : IV_FILE_UNKNOWN;
}

/*
 * A run or judgments by the fields of the first line; a table if none of its words is a
 * number, as in a header, and commas, tabs or semicolons separate them, or if they can be
 * neither a run nor judgments and more follows.
 */
static iv_file_kind kind_of(iv_str text, iv_judgments_format format)
{
    iv_str fields[6];
    uint64_t line;
    const size_t count = iv_first_fields(fields, 6, text, true, &line);
    const size_t kept = count < 6 ? count : 6;

    if (format != IV_JUDGMENTS_ANY)
        return IV_FILE_JUDGMENTS;
    if (count == 0)
        return IV_FILE_UNKNOWN;
    if (other_kind(text) != IV_FILE_UNKNOWN)
        return other_kind(text);
    if (fields[0].ptr[0] == '{' || fields[0].ptr[0] == '[')
        return IV_FILE_SCORES;
    const char *begin = fields[0].ptr;
    const char *last = fields[kept - 1].ptr + fields[kept - 1].len;
    const size_t span = (size_t)(last - begin);
    const bool commas = memchr(begin, ',', span) != NULL;
    const bool separated = commas || memchr(begin, '\t', span) != NULL
        || memchr(begin, ';', span) != NULL || (span > 3 && span < 6
                                                && memcmp(begin, "sep=", 4) == 0);
    const bool header = !any_number(fields, kept);
    if (iv_is_beir_header(fields, count))
        return IV_FILE_JUDGMENTS;
    if (separated && header)
        return IV_FILE_TABLE;
    if (count == 4 || count == 5)
        return IV_FILE_JUDGMENTS;
    if (iv_run_format_detected(fields, count) != IV_RUN_ANY)
        return IV_FILE_RUN;
    const char *eol = memchr(last, '\n', (size_t)(text.ptr + text.len - last));
    const bool more = eol != NULL && eol + 1 < text.ptr + text.len;
    return commas || (header && more) ? IV_FILE_TABLE : IV_FILE_UNKNOWN;
}

/* ------------------------------------------------- what any file may have -- */

/* The line endings and the byte-order mark. */
static void look_at_text(iv_inspector *i, iv_str text)
{
    uint64_t carriage = 0, first = 0, line = 0, empty = 0, first_empty = 0;
    const bool marked = text.ptr != i->content.ptr && i->content.len > 0;
    char more[IV_MORE_SIZE];

    for (iv_str s; iv_next_line(&s, &text);) {
        size_t blank = 0;
        line++;
        if (s.len > 0 && s.ptr[s.len - 1] == '\r') {
            carriage++;
            first = first == 0 ? line : first;
        }
        while (blank < s.len && iv_is_blank(s.ptr[blank]))
            blank++;
        if (blank == s.len) {
            empty++;
            first_empty = first_empty == 0 ? line : first_empty;
        }
    }
    i->lines = line - empty;
    if (marked)
        iv_complain(&i->problems, 1, IV_WARNING, "the byte-order mark is skipped");
    if (carriage > 0)
        iv_complain(&i->problems, first, IV_WARNING,
                    "CR before the line end is skipped on this line%s",
                    iv_and_more(more, carriage - 1, "line"));
    if (empty > 0 && empty < line)
        iv_complain(&i->problems, first_empty, IV_WARNING,
                    "empty lines are skipped: this line%s",
                    iv_and_more(more, empty - 1, "line"));
}

/* ------------------------------------------------------------ the whole -- */

/* As compare and eval read them with --scores. */
static void inspect_scores(iv_inspector *i, iv_str text, const char *name)
{
    iv_score_table *s = NULL;
    iv_err why = { 0 };
    const bool zip = begins_with(text, "PK");
    const int rc = zip
        ? iv_score_table_load(&s, &(iv_score_source){ .files = { &name, 1 } }, NULL, &why)
        : iv_score_table_parse(&s, name, text.ptr, text.len, NULL, IV_ROWS_AUTO, &why);

    i->format = zip ? "log of Inspect" : "scores in JSON";
    i->problems.no_memory = i->problems.no_memory || rc == IV_ENOMEM;
    if (rc != IV_OK) {
        iv_complain(&i->problems, why.line > 0 ? why.line : 1, IV_ERROR, "%s", why.msg);
        return;
    }
    i->records = s->count;
    i->topics = s->item_count;
    iv_score_table_free(s);
}

static void inspect_references(iv_inspector *i, iv_str text)
{
    const bool archive = begins_with(text, "PK");
    const char *form = archive ? "project of ASReview" : iv_references_begin(text);

    i->format = form;
    for (iv_str line; !archive && iv_next_line(&line, &text);) {
        i->lines += line.len > 0 && !(line.len == 1 && *line.ptr == '\r');
        i->records += iv_references_in(form, line);
    }
}

static void inspect_text(iv_inspector *i, iv_judgments_format format, const iv_work *work,
                         const char *name)
{
    const iv_str text = iv_text_of(&i->content);

    if (format == IV_JUDGMENTS_ANY && begins_with(text, "SQLite format 3")) {
        iv_complain(&i->problems, 1, IV_ERROR, "a database, expected text; 'intervale judge "
                    "status' shows a judging session");
        return;
    }
    i->kind = kind_of(text, format);
    if (i->kind != IV_FILE_REFERENCES && !begins_with(text, "PK\x03\x04"))
        look_at_text(i, text);
    switch (i->kind) {
    case IV_FILE_RUN:
        inspect_run(i, work);
        break;
    case IV_FILE_JUDGMENTS:
        inspect_judgments(i, format, work);
        break;
    case IV_FILE_TABLE:
    case IV_FILE_MATRIX:
        inspect_table(i);
        break;
    case IV_FILE_SCORES:
        inspect_scores(i, text, name);
        break;
    case IV_FILE_REFERENCES:
        inspect_references(i, text);
        break;
    case IV_FILE_UNKNOWN:
        if (iv_text_usable(text, &i->problems)
            && !iv_text_refuse_nul(text, &i->problems)) {
            iv_str field;
            uint64_t line;
            const size_t count = iv_first_fields(&field, 1, text, true, &line);
            iv_complain(&i->problems, count == 0 ? 1 : line, IV_ERROR,
                        "%zu field%s, expected a run (6 or 3), judgments (4 or 5) or a "
                        "table with a header", count, count == 1 ? "" : "s");
        }
        break;
    }
}

bool iv_inspector_add(iv_inspector *i, uint64_t line, iv_severity severity, const char *message)
{
    iv_complain(&i->problems, line, severity, "%s", message);
    iv_problems_finish(&i->problems);
    return !i->problems.no_memory;
}

/* Takes over the bytes.  why: they do not even unpack, which is their one problem. */
static int inspect(iv_inspector **out, iv_bytes *bytes, const iv_err *why,
                   iv_judgments_format format, size_t most, const iv_work *work, const char *name,
                   iv_err *err)
{
    static const char *const packings[] = { "plain", "gzip", "zstd" };
    iv_inspector *i = calloc(1, sizeof *i);

    if (i == NULL) {
        iv_bytes_free(bytes);
        return iv_fail_at(err, IV_ENOMEM, name, 0, "out of memory");
    }
    i->content = *bytes;
    i->problems.most = why != NULL ? 1 : most;
    i->format = "unknown";
    i->packing = why != NULL ? "damaged" : packings[bytes->packing];
    i->bytes = bytes->stored;
    i->grade_min = 1;
    if (why != NULL)
        iv_complain(&i->problems, why->line, IV_ERROR, "%s", why->msg);
    else
        inspect_text(i, format, work, name);
    iv_problems_finish(&i->problems);
    if (i->problems.no_memory) {
        const int rc = iv_problems_verdict(&i->problems, name, err);
        iv_inspector_free(i);
        return rc;
    }
    *out = i;
    return IV_OK;
}

int iv_inspect_bytes(iv_inspector **out, iv_bytes *bytes, iv_judgments_format format,
                     size_t most, const iv_work *work, const char *name, iv_err *err)
{
    return inspect(out, bytes, NULL, format, most, work, name, err);
}

int iv_inspect(iv_inspector **out, const char *path, iv_judgments_format format,
               size_t most, const iv_work *work, iv_err *err)
{
    IV_TRY(iv_check_choice(format, iv_judgments_format_names(), "the format of the judgments",
                           err));
    iv_bytes bytes = { 0 };
    iv_err why = { IV_OK, "" };
    const bool zip = path != NULL && iv_is_zip(path);
    const int rc = (zip ? iv_bytes_load_raw : iv_bytes_load)(&bytes, path, work, &why);

    if (rc == IV_EPARSE)
        bytes = (iv_bytes){ 0 };
    else if (rc < 0)
        return iv_fail_as(err, &why);
    return inspect(out, &bytes, rc == IV_EPARSE ? &why : NULL, format, most, work, path, err);
}

void iv_inspector_free(iv_inspector *i)
{
    if (i == NULL)
        return;
    iv_problems_free(&i->problems);
    iv_arena_free(&i->text);
    free(i->topic_ids);
    iv_bytes_free(&i->content);
    free(i);
}

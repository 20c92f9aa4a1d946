/* SPDX-License-Identifier: Apache-2.0 */
/* Byte for byte what trec_eval prints, on recorded output of two versions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "err_text.h"
#include "measure/measures.h"
#include "measure/scorer.h"
#include "trec/judgments.h"
#include "trec/run.h"
#include "base/bytes.h"

/* Text that grows; the test stops when memory is out. */
typedef struct text {
    char *ptr;
    size_t len, capacity;
} text;

static void add_line(text *out, const iv_value_info *v, iv_str topic,
                     double number, const char *words)
{
    for (;;) {
        const size_t room = out->capacity - out->len;
        const size_t n = iv_trec_line(room > 0 ? out->ptr + out->len : NULL, room,
                                      v, topic, number, words);
        if (n < room) {
            out->len += n;
            return;
        }
        out->capacity = 2 * out->capacity + n + 1;
        out->ptr = realloc(out->ptr, out->capacity);
        assert_non_null(out->ptr);
    }
}

/* One recorded command line. */
typedef struct command {
    iv_dialect dialect;
    const char *name;
    bool queries, complete;
    const char *measure;
    int32_t level;
    size_t depth;
    bool judged_only;
} command;

static const command commands[] = {
    { 0, "official", false, false, "official", 1, SIZE_MAX, false },
    { 0, "all", true, false, "all_trec", 1, SIZE_MAX, false },
    { 0, "complete", true, true, "all_trec", 1, SIZE_MAX, false },
    { 0, "level2", true, false, "all_trec", 2, SIZE_MAX, false },
    { 0, "max100", true, false, "all_trec", 1, 100, false },
    { 0, "judged", true, false, "all_trec", 1, SIZE_MAX, true },
};

typedef struct collection {
    const char *name;
    iv_run *run;
    iv_judgments *judgments;
    int32_t largest;
    size_t lines; /* compared */
} collection;

static void path_of(char out[300], const collection *c, const char *file)
{
    (void)snprintf(out, 300, "%s/golden/trec_eval/%s/%s", TESTS_DIR, c->name,
                   file);
}

static void load(collection *c)
{
    char path[300];
    iv_err err = { IV_OK, "" };

    path_of(path, c, "run.zst");
    if (iv_run_load(&c->run, path, IV_RUN_ANY, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    path_of(path, c, "qrels.zst");
    if (iv_judgments_load(&c->judgments, path, IV_JUDGMENTS_ANY, NULL, &err) != IV_OK)
        fail_msg("%s", err_text(&err));
    c->largest = iv_largest_grade(c->judgments);
}

/* The lines of one topic; -1 when neither the run nor -c has it. */
static int score_topic(double *row, iv_scorer *s, iv_join *join,
                       const collection *c, const command *k, size_t judged_topic)
{
    const iv_str id = iv_judgments_topic(c->judgments, judged_topic);
    const size_t run_topic = iv_run_find_topic(c->run, id);
    const iv_judgment *judged;
    const size_t count = iv_judgments_of(&judged, c->judgments, judged_topic);
    const iv_precision precision =
        k->dialect == IV_TREC_EVAL_9 ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE;
    iv_joined topic;

    if (run_topic == IV_NONE && !k->complete)
        return -1;
    if (run_topic == IV_NONE)
        return iv_scorer_missing(row, s, judged, count, NULL);
    assert_int_equal(iv_join_topic(&topic, join, c->run, run_topic, c->judgments,
                                   judged_topic, precision, NULL),
                     IV_OK);
    return iv_scorer_topic(row, s, &topic, NULL);
}

static void print_topic(text *out, const iv_measures *m, const iv_scorer *s,
                        iv_str topic, const double *row)
{
    for (size_t i = 0; i < iv_measures_count(m); i++) {
        const iv_value_info *v = iv_measures_value(m, i);
        if (v->measure->per_topic)
            add_line(out, v, topic, row[i], iv_scorer_text(s, i));
    }
}

static double count_above_0(const iv_judgments *j)
{
    double above = 0.0;

    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        for (size_t i = 0; i < count; i++)
            above += judged[i].grade > 0;
    }
    return above;
}

static void print_summary(text *out, const iv_measures *m, const collection *c,
                          const command *k, const double *rows, size_t topics)
{
    const size_t count = iv_measures_count(m);
    double *all = malloc(count * sizeof *all);
    char tag[200];
    const iv_str id = iv_run_tag(c->run);

    assert_non_null(all);
    assert_int_equal(iv_measures_summary(all, m, rows, topics,
                                         k->complete ? count_above_0(c->judgments)
                                                     : -1.0, NULL),
                     IV_OK);
    (void)snprintf(tag, sizeof tag, "%.*s", (int)id.len, id.ptr);
    for (size_t i = 0; i < count; i++) {
        const iv_value_info *v = iv_measures_value(m, i);
        if (v->measure->overall)
            add_line(out, v, iv_str_of("all"), all[i], tag);
    }
    free(all);
}

static void evaluate(text *out, const collection *c, const command *k)
{
    iv_measure_options o = { 0 };
    const size_t topics = iv_judgments_topics(c->judgments);
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    iv_join *join = NULL;
    size_t scored = 0;

    o.dialect = k->dialect;
    o.level = k->level;
    o.depth = k->depth;
    o.judged_only = k->judged_only;
    o.as_trec_eval = true;
    assert_int_equal(iv_measures_parse(&m, &k->measure, 1, &o, NULL), IV_OK);
    assert_int_equal(iv_scorer_new(&s, m, c->largest, NULL), IV_OK);
    assert_int_equal(iv_join_new(&join, NULL), IV_OK);
    const size_t width = iv_measures_count(m);
    double *rows = malloc(topics * width * sizeof *rows);
    assert_non_null(rows);
    for (size_t t = 0; t < topics; t++) {
        const iv_str id = iv_judgments_topic(c->judgments, t);
        double *row = rows + scored * width;
        const int rc = score_topic(row, s, join, c, k, t);
        if (rc < 0)
            continue;
        scored++;
        /* Version 9 counts a topic that is missing but prints nothing. */
        if (k->queries && (k->dialect == IV_TREC_EVAL_10
                           || iv_run_find_topic(c->run, id) != IV_NONE))
            print_topic(out, m, s, id, row);
    }
    print_summary(out, m, c, k, rows, scored);
    free(rows);
    iv_join_free(join);
    iv_scorer_free(s);
    iv_measures_free(m);
}

static bool next_line(iv_str *line, iv_str *rest)
{
    if (rest->len == 0)
        return false;
    const char *end = memchr(rest->ptr, '\n', rest->len);
    line->ptr = rest->ptr;
    line->len = end != NULL ? (size_t)(end - rest->ptr) : rest->len;
    const size_t used = line->len + (end != NULL);
    rest->ptr += used;
    rest->len -= used;
    return true;
}

static void compare(collection *c, const command *k, iv_str want, iv_str got,
                    bool broken_off)
{
    iv_str w = { NULL, 0 }, g = { NULL, 0 };
    size_t number = 0;

    while (next_line(&w, &want)) {
        number++;
        c->lines++;
        if (!next_line(&g, &got))
            fail_msg("%s, version %d, %s, line %zu: missing: %.*s", c->name,
                     k->dialect == IV_TREC_EVAL_9 ? 9 : 10, k->name, number,
                     (int)w.len, w.ptr);
        if (iv_str_cmp(w, g) == 0)
            continue;
        fail_msg("%s, version %d, %s, line %zu: expected '%.*s', got '%.*s'",
                 c->name, k->dialect == IV_TREC_EVAL_9 ? 9 : 10, k->name, number,
                 (int)w.len, w.ptr, (int)g.len, g.ptr);
    }
    if (got.len > 0 && !broken_off)
        fail_msg("%s, %s: %zu bytes after the last line", c->name, k->name,
                 got.len);
}

/* "## v10 all broken off" and the lines up to the next such line. */
static bool next_command(command *k, bool *broken_off, iv_str *lines, iv_str *rest)
{
    iv_str head, line;
    char version[8], name[16];

    if (!next_line(&head, rest))
        return false;
    *lines = (iv_str){ rest->ptr, 0 };
    while (rest->len > 0 && *rest->ptr != '#' && next_line(&line, rest))
        lines->len = (size_t)(rest->ptr - lines->ptr);
    assert_int_equal(sscanf(head.ptr, "## %7s %15[a-z0-9]", version, name), 2);
    *broken_off = head.ptr[head.len - 1] == 'f' && head.ptr[head.len - 2] == 'f';
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strcmp(commands[i].name, name) == 0) {
            *k = commands[i];
            k->dialect = strcmp(version, "v9") == 0 ? IV_TREC_EVAL_9
                                                    : IV_TREC_EVAL_10;
            return true;
        }
    fail_msg("unknown options %s", name);
    return false;
}

static void prints_what_trec_eval_printed(void **state)
{
    collection c = { .name = *state };
    iv_bytes file;
    char path[300];
    command k;
    bool broken_off;
    size_t seen = 0;
    iv_str lines;

    load(&c);
    path_of(path, &c, "expected.zst");
    assert_int_equal(iv_bytes_load(&file, path, NULL, NULL), IV_OK);
    iv_str rest = { file.ptr, file.len };
    while (next_command(&k, &broken_off, &lines, &rest)) {
        text got = { NULL, 0, 0 };
        evaluate(&got, &c, &k);
        compare(&c, &k, lines, (iv_str){ got.ptr, got.len }, broken_off);
        free(got.ptr);
        seen++;
    }
    assert_int_equal(seen, 12);
    print_message("%s: %zu lines agree\n", c.name, c.lines);
    iv_bytes_free(&file);
    iv_judgments_free(c.judgments);
    iv_run_free(c.run);
}

#define COLLECTION(name)                                                   \
    { #name, prints_what_trec_eval_printed, NULL, NULL, (void *)names.name }

int main(void)
{
    /* cmocka passes no const pointers; these live as long as the tests. */
    static struct {
        char crlf[5], deep_lists[11], graded[7], nearly_equal_scores[20],
            no_relevant_in_some[20], number_formats[15], plain[6],
            pooled_unjudged[16], short_lists[12], shuffled[9], ties[5],
            topic_order[12], topics_missing_from_qrels[26],
            topics_missing_from_run[24];
    } names = { "crlf", "deep_lists", "graded", "nearly_equal_scores",
                "no_relevant_in_some", "number_formats", "plain",
                "pooled_unjudged", "short_lists", "shuffled", "ties",
                "topic_order", "topics_missing_from_qrels",
                "topics_missing_from_run" };
    const struct CMUnitTest tests[] = {
        COLLECTION(crlf), COLLECTION(deep_lists), COLLECTION(graded),
        COLLECTION(nearly_equal_scores), COLLECTION(no_relevant_in_some),
        COLLECTION(number_formats), COLLECTION(plain),
        COLLECTION(pooled_unjudged), COLLECTION(short_lists),
        COLLECTION(shuffled), COLLECTION(ties), COLLECTION(topic_order),
        COLLECTION(topics_missing_from_qrels),
        COLLECTION(topics_missing_from_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Topic by topic: where a pair of runs differs, and which topics carry the difference. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "answer/answer_columns.h"
#include "answer/answer_parts.h"
#include "answer/contest.h"
#include "base/bytes.h"
#include "base/result.h"

enum {
    MOST_PAGES = 60,    /* pairs whose topics a reader may leaf through */
    MOST_TOPICS = 5000, /* of each, on a page */
    MOST_CELLS = 60000, /* that a page can carry beside its tables */
    NAMED = 3           /* topics that a sentence names */
};

enum { TEXTS = 1 };

typedef struct topic_row {
    const char *pair;
    iv_str topic, text;
    double a, b, difference, without;
    size_t rank;
} topic_row;

const iv_field iv_contest_topic_fields[] = {
    { "pair", IV_AT(topic_row, pair), .about = "of runs, a - b" },
    { "topic", IV_AT(topic_row, topic), .about = "numbers in their order" },
    { "a", IV_AT(topic_row, a), .digits = 4, .about = "score of the first run" },
    { "b", IV_AT(topic_row, b), .digits = 4, .about = "score of the second" },
    { "difference", IV_AT(topic_row, difference), .digits = 4,
      .about = "first run less second" },
    { "rank", IV_AT(topic_row, rank), .about = "of the difference; 1: a wins most" },
    { "without", IV_AT(topic_row, without), .digits = 4,
      .about = "mean difference of the other topics, with this one left out" },
    { "text", IV_AT(topic_row, text), .needs = TEXTS, .about = "what the topic asks" },
    { NULL } };

/* The rows while they are written. */
typedef struct leaves {
    topic_row *rows;
    size_t count, capacity, pages;
    size_t first;  /* rows of the first page */
    iv_str texts;  /* of the topics, as the file has them */
    size_t text;   /* where the last one was found: they are mostly in the same order */
    size_t most;   /* topics of a page, evenly chosen; 0: all */
    size_t step;   /* ... every so many of them, if not all */
    iv_arena names;
} leaves;

/* Numbers as numbers, before all else; the rest by their bytes. */
static int topic_order(const iv_str *x, const iv_str *y)
{
    int64_t i, k;
    const bool first = iv_scan_int(&i, *x, INT64_MIN, INT64_MAX);
    const bool second = iv_scan_int(&k, *y, INT64_MIN, INT64_MAX);

    if (first && second && i != k)
        return i < k ? -1 : 1;
    return first != second ? (first ? -1 : 1) : iv_str_cmp(*x, *y);
}

static int by_topic(const void *x, const void *y)
{
    return topic_order(&((const topic_row *)x)->topic, &((const topic_row *)y)->topic);
}

/* How many bytes from at to stop are none of these. */
static size_t strcspn_in(const char *at, const char *stop, const char *these)
{
    size_t len = 0;

    while (at + len < stop && (at[len] == '\0' || strchr(these, at[len]) == NULL))
        len++;
    return len;
}

/* What the file says of the topic: lines of an id, a tab or blank, and its text. */
static iv_str find_text(iv_str texts, size_t begin, iv_str topic)
{
    const char *end = texts.ptr + texts.len;

    for (const char *at = texts.ptr + begin; at < end;) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        const char *stop = eol == NULL ? end : eol;
        if ((size_t)(stop - at) > topic.len && memcmp(at, topic.ptr, topic.len) == 0
            && strchr("\t ,;", at[topic.len]) != NULL) {
            const char *from = at + topic.len + 1;
            while (stop > from && (stop[-1] == '\r' || stop[-1] == ' '))
                stop--;
            return (iv_str){ from, (size_t)(stop - from) };
        }
        at = stop + 1;
    }
    return (iv_str){ NULL, 0 };
}

static iv_str text_of(leaves *l, iv_str topic)
{
    iv_str found = { NULL, 0 };

    if (l->texts.len == 0)
        return found;
    found = find_text(l->texts, l->text, topic);
    if (found.ptr == NULL && l->text > 0)
        found = find_text(l->texts, 0, topic);
    if (found.ptr != NULL) { /* the next line begins behind it */
        const char *end = l->texts.ptr + l->texts.len;
        const char *eol = memchr(found.ptr, '\n', (size_t)(end - found.ptr));
        l->text = eol == NULL ? 0 : (size_t)(eol + 1 - l->texts.ptr);
    }
    return found;
}

/* Lines that are no topic with a text are refused; how many topics have none is said. */
static int check_texts(leaves *l, const iv_contest *c, iv_result *out, iv_err *err)
{
    const iv_str texts = l->texts;
    const char *end = texts.ptr + texts.len, *path = c->asked->topic_texts;
    uint64_t line = 1;
    size_t without = 0;

    for (const char *at = texts.ptr; at < end; line++) {
        const char *eol = memchr(at, '\n', (size_t)(end - at));
        const char *stop = eol == NULL ? end : eol;
        char quoted[IV_QUOTE_SIZE];
        const size_t id = strcspn_in(at, stop, "\t ,;\r"), len = (size_t)(stop - at);
        if (len > 0 && at[0] != '\r' && (id == 0 || id == len || at[id] == '\r'))
            return iv_fail_at(err, IV_EPARSE, path, line, "%s, expected a topic, a tab or blank, "
                              "and its text", iv_quote(quoted, (iv_str){ at, len }));
        at = stop + 1;
    }
    for (size_t t = 0; t < c->topic_count; t++)
        without += text_of(l, c->topics[t]).ptr == NULL;
    if (without > 0)
        iv_result_note(out, "%zu of %zu topics have no text in %s", without, c->topic_count, path);
    return IV_OK;
}

static int by_difference(const void *x, const void *y)
{
    const topic_row *const a = *(const topic_row *const *)x, *const b = *(const topic_row *const *)y;

    return a->difference != b->difference ? (a->difference < b->difference ? 1 : -1)
                                          : (a > b) - (a < b);
}

/* Ranks of the differences, and the means without each: the sum is taken in the order of
 * the topics. */
static bool finish_page(topic_row *rows, size_t count)
{
    topic_row **order = malloc((count + 1) * sizeof *order);
    double sum = 0.0;

    if (order == NULL)
        return false;
    qsort(rows, count, sizeof *rows, by_topic);
    for (size_t i = 0; i < count; i++)
        sum += rows[i].difference;
    for (size_t i = 0; i < count; i++) {
        rows[i].without = count > 1 ? (sum - rows[i].difference) / (double)(count - 1) : NAN;
        order[i] = &rows[i];
    }
    qsort(order, count, sizeof *order, by_difference);
    for (size_t i = 0; i < count; i++)
        order[i]->rank = i + 1;
    free(order);
    return true;
}

/* Keeps some of very many topics, evenly. */
static void thin_out(leaves *l, size_t begin)
{
    const size_t count = l->count - begin;

    if (l->most == 0 || count <= l->most)
        return;
    l->step = (count + l->most - 1) / l->most;
    l->count = begin;
    for (size_t i = 0; i < count; i += l->step)
        l->rows[l->count++] = l->rows[begin + i];
}

/* One page: the difference of two runs on each topic that both have.  False: memory
 * is out. */
static bool put_page(leaves *l, const iv_contest *c, size_t m, size_t first, size_t second)
{
    const double *a = iv_contest_values(c, m) + first * c->topic_count;
    const double *b = iv_contest_values(c, m) + second * c->topic_count;
    const bool many = c->measure_count > 1;
    char name[512];
    topic_row *rows = iv_grow(l->rows, &l->capacity, l->count + c->topic_count, sizeof *rows);

    (void)snprintf(name, sizeof name, "%.200s - %.200s%s%.60s", c->runs[first], c->runs[second],
                   many ? ", " : "", many ? c->measures[m] : "");
    const char *kept = iv_arena_copy(&l->names, iv_str_of(name));
    if (rows != NULL)
        l->rows = rows;
    if (rows == NULL || kept == NULL)
        return false;
    const size_t begin = l->count;
    l->pages++;
    for (size_t t = 0; t < c->topic_count; t++)
        if (!isnan(a[t]) && !isnan(b[t]))
            rows[l->count++] = (topic_row){ kept, c->topics[t], text_of(l, c->topics[t]),
                                            a[t], b[t], a[t] - b[t], NAN, 0 };
    if (!finish_page(rows + begin, l->count - begin))
        return false;
    thin_out(l, begin);
    if (begin == 0)
        l->first = l->count;
    return true;
}

/* ------------------------------------------------------------ in words -- */

/* Names the NAMED topics for which `key` is smallest, with what it is. */
static void say_topics(iv_wording *w, const topic_row *rows, size_t count,
                       double (*key)(const topic_row *))
{
    double last = -INFINITY;
    size_t said = 0;

    while (said < NAMED && said < count) {
        double next = INFINITY;
        for (size_t i = 0; i < count; i++)
            if (key(&rows[i]) > last && key(&rows[i]) < next)
                next = key(&rows[i]);
        if (!isfinite(next))
            return;
        for (size_t i = 0; i < count && said < NAMED; i++)
            if (key(&rows[i]) == next)
                iv_say(w, "%s%.*s", said++ > 0 ? ", " : "",
                       (int)(rows[i].topic.len < 40 ? rows[i].topic.len : 40), rows[i].topic.ptr);
        last = next;
    }
}

static double easy(const topic_row *r) { return -(r->a + r->b); }
static double hard(const topic_row *r) { return r->a + r->b; }
static double lost(const topic_row *r) { return r->difference; }
static double won(const topic_row *r) { return -r->difference; }

/* The topic without which the mean difference changes most. */
static const topic_row *carrier(const topic_row *rows, size_t count, double mean)
{
    const topic_row *most = rows;

    for (size_t i = 1; i < count; i++)
        if (fabs(rows[i].without - mean) > fabs(most->without - mean))
            most = &rows[i];
    return most;
}

/* What the first page says, for those who read it. */
static void tell_page(iv_result *out, const topic_row *rows, size_t count)
{
    iv_wording w = { .len = 0 };
    double mean = 0.0;
    size_t turns = 0;

    if (count < 2)
        return;
    for (size_t i = 0; i < count; i++)
        mean += rows[i].difference / (double)count;
    for (size_t i = 0; i < count; i++)
        turns += rows[i].without * mean < 0.0;
    iv_say(&w, "%.200s: hardest for both ", rows[0].pair);
    say_topics(&w, rows, count, hard);
    iv_say(&w, "; easiest ");
    say_topics(&w, rows, count, easy);
    iv_say(&w, "; the first wins most on ");
    say_topics(&w, rows, count, won);
    iv_say(&w, " and loses most on ");
    say_topics(&w, rows, count, lost);
    const topic_row *most = carrier(rows, count, mean);
    iv_say(&w, "; without topic %.*s the mean difference of %.4f is %.4f, and %s",
           (int)(most->topic.len < 40 ? most->topic.len : 40), most->topic.ptr, mean,
           most->without, turns == 0 ? "no single topic turns its sign" : "a single topic turns "
           "its sign");
    iv_result_legend(out, "%s", w.at);
}

/* How early a pair comes: those of better runs first. */
static size_t lateness(const iv_compared_run *runs, const iv_compared_pair *pair)
{
    const size_t a = runs[pair->a].rank, b = runs[pair->b].rank;

    return a < b ? a * 100000 + b : b * 100000 + a;
}

/*
 * The pages of one measure, the pairs of the best runs first, up to `room`.
 * Ranked: the run of larger mean is the first of its pair.  False: memory is out.
 */
static bool put_pages(leaves *l, const iv_contest *c, size_t m, bool ranked, size_t room)
{
    const iv_compared_pair *pairs;
    const iv_compared_run *runs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[m]), end = l->pages + room;
    const size_t all = l->pages + n;
    size_t last = 0;
    bool ok = true;

    (void)iv_comparison_runs(&runs, c->found[m]);
    while (ok && l->pages < end && l->pages < all && l->count < MOST_CELLS) {
        size_t next = SIZE_MAX;
        for (size_t p = 0; p < n; p++) {
            const size_t when = lateness(runs, &pairs[p]);
            if (when > last && when < next)
                next = when;
        }
        for (size_t p = 0; ok && p < n && l->pages < end; p++) {
            if (lateness(runs, &pairs[p]) != next)
                continue;
            const size_t a = pairs[p].a, b = pairs[p].b;
            const bool turned = ranked && runs[a].rank > runs[b].rank;
            ok = put_page(l, c, m, turned ? b : a, turned ? a : b);
        }
        last = next;
    }
    return ok;
}

/* The differences of each topic, one page a pair; of the best runs if many. */
int iv_contest_topics(const iv_contest *c, iv_result *out, bool ranked, const iv_work *work,
                      iv_err *err)
{
    const iv_compared_pair *pairs;
    const size_t n = iv_comparison_pairs(&pairs, c->found[0]), M = c->measure_count;
    const char *path = c->asked->topic_texts;
    leaves l = { .count = 0 };
    iv_bytes bytes = { 0 };
    int rc = path != NULL ? iv_bytes_load(&bytes, path, work, err) : IV_OK;
    bool ok = true;

    if (rc < 0)
        return rc;
    l.texts = (iv_str){ bytes.ptr, bytes.len };
    if (path != NULL) {
        iv_result_input(out, path, bytes.stored);
        rc = check_texts(&l, c, out, err);
    }
    if (rc < 0) {
        iv_bytes_free(&bytes);
        return rc;
    }
    l.most = iv_result_wants_charts(out) ? MOST_TOPICS : 0;
    for (size_t m = 0; ok && m < M; m++)
        ok = put_pages(&l, c, m, ranked, (MOST_PAGES - l.pages) / (M - m));
    if (ok) {
        (void)iv_result_rows(out, &(iv_rows){ "topics", iv_contest_topic_fields, l.rows, l.count,
                                              sizeof *l.rows, .showing = IV_FOLDED,
                                              .with = path != NULL ? TEXTS : 0 });
        if (iv_result_wants_only(out, "topics"))
            tell_page(out, l.rows, l.first);
    }
    free(l.rows);
    iv_arena_free(&l.names);
    iv_bytes_free(&bytes);
    if (!ok)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_BARS, .table = "topics", .title = "The difference on each topic",
        .caption = "A bar is a topic: upwards where the first run of the pair wins, downwards "
                   "where the second does. A difference of means can come from many topics or "
                   "from a few.",
        .label = "topic", .page = "pair", .value = "difference" });
    if (l.step > 1)
        iv_result_note(out, "topic by topic the page shows a sample, one of every %zu; other formats "
                       "have all", l.step);
    if (l.pages < n * M && iv_result_wants_charts(out))
        iv_result_note(out, "topic by topic, the page has %zu of %zu pairs, those of the best "
                       "runs", l.pages, n * M);
    return IV_OK;
}

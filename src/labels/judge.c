/* SPDX-License-Identifier: Apache-2.0 */
/* A judge beside a reference: the documents that both labelled, and what they say. */

#include "base/err.h"
#include "base/memory.h"
#include "base/order.h"
#include "intervale/trec/score_sources.h"
#include "labels/judge.h"
#include "num/dist.h"
#include "sampling/sampled_judgments.h"
#include "stat/agreement.h"
#include "trec/judgments.h"
#include "trec/machine_labels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 10 }; /* of scores in the table of calibration */

typedef struct iv_judge_pair {
    int32_t a, b; /* grades */
    int32_t bin;  /* of the judge: its grade, or a tenth of all scores */
    double weight;
} pair;

void iv_judge_free(iv_judge *j)
{
    if (j == NULL)
        return;
    iv_judgments_free(j->cut);
    iv_arena_free(&j->memory);
    free(j);
}

/* ------------------------------------------------------------- the pairs -- */

static int32_t bin_of(const iv_judge *j, int32_t grade)
{
    return j->scored ? grade * BINS / IV_SCORE_PARTS : grade;
}

/* The documents of a topic that both have. */
static void pair_topic(iv_judge *j, const iv_sampling_topic *r, const iv_judgments *labels,
                       size_t topic)
{
    const iv_judgment *all;
    const size_t listed = iv_judgments_of(&all, labels, topic);
    const size_t before = j->pairs;
    size_t labelled = 0;

    for (size_t d = 0; d < r->count; d++) {
        if (!(r->pi[d] > 0.0))
            continue;
        const iv_judgment *x = iv_judgments_find(labels, topic, r->judgments[d].docno);
        if (x == NULL || x->grade < 0)
            j->only_reference++;
        else
            j->pair[j->pairs++] = (pair){ r->grade[d], x->grade, bin_of(j, x->grade),
                                                1.0 / r->pi[d] };
    }
    for (size_t i = 0; i < listed; i++)
        labelled += all[i].grade >= 0;
    for (size_t i = before; i < j->pairs && j->how.by_topic; i++)
        j->pair[i].weight = (double)labelled / (double)(j->pairs - before);
    if (j->pairs > before) {
        j->topic[j->topics++] = iv_judgments_topic(labels, topic);
        j->starts[j->topics] = j->pairs;
    }
}

/* What is judged for certain or not of a complete file: everything with a grade. */
static int pair_all(iv_judge *j, const iv_judgments *reference, const char *name,
                    const iv_judgments *labels, iv_err *err)
{
    const size_t topics = iv_judgments_topics(reference);
    const iv_judgment *listed;
    iv_sampling *s = NULL;
    size_t most = 0;

    for (size_t t = 0; t < topics; t++)
        most += iv_judgments_of(&listed, reference, t);
    j->pair = iv_take(&j->memory, most + 1, sizeof *j->pair);
    j->starts = iv_take(&j->memory, topics + 1, sizeof *j->starts);
    j->topic = iv_take(&j->memory, topics + 1, sizeof *j->topic);
    IV_TRY(iv_taken(&j->memory, err));
    IV_TRY(iv_sampling_new(&s, reference, name, IV_UNJUDGED_DROP, err));
    size_t shared = 0;
    for (size_t t = 0; t < topics; t++) {
        const size_t at = iv_judgments_find_topic(labels, iv_judgments_topic(reference, t));
        const iv_sampling_topic r = iv_sampling_topic_at(s, t);
        shared += at != IV_NONE;
        if (at != IV_NONE)
            pair_topic(j, &r, labels, at);
    }
    iv_sampling_free(s);
    j->topics_reference = topics - shared;
    return IV_OK;
}

/* ---------------------------------------------------------- scores, cut -- */

static int by_judge(const void *va, const void *vb)
{
    const pair *a = va, *b = vb;

    return a->b != b->b ? (a->b > b->b) - (a->b < b->b)
                        : (a->weight > b->weight) - (a->weight < b->weight);
}

/* Cuts scores so that each grade is as frequent as the reference's, on the pairs. */
static int cut_scores(iv_judge *j, iv_err *err)
{
    const size_t n = j->pairs;
    pair *sorted = iv_take(&j->memory, n, sizeof *sorted);
    int32_t top = 1;

    for (size_t i = 0; i < n; i++)
        top = j->pair[i].a > top ? j->pair[i].a : top;
    if (top > 1000)
        return iv_fail(err, IV_EARG, "the reference has grade %d, expected at most 1000 beside "
                       "scores", (int)top);
    int32_t *cuts = iv_take(&j->memory, (size_t)top, sizeof *cuts);
    IV_TRY(iv_taken(&j->memory, err));
    memcpy(sorted, j->pair, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_judge);
    for (int32_t h = 1; h <= top; h++) {
        double want = 0.0, have = 0.0;
        size_t at = n;
        for (size_t i = 0; i < n; i++)
            want += j->pair[i].a >= h ? j->pair[i].weight : 0.0;
        while (at > 0 && have + 0.5 * sorted[at - 1].weight < want)
            have += sorted[--at].weight;
        cuts[h - 1] = at == n ? IV_SCORE_PARTS : sorted[at].b;
    }
    IV_TRY(iv_machine_labels_cut(&j->cut, j->grades, cuts, (size_t)top, err));
    j->grades = j->cut;
    for (size_t i = 0; i < n; i++) {
        int32_t grade = 0;
        for (int32_t h = 0; h < top; h++)
            grade += cuts[h] <= j->pair[i].b;
        j->pair[i].b = grade;
    }
    return IV_OK;
}

/* --------------------------------------------------------- what they say -- */

/* The different numbers among n, rising, at the front; how many. */
static size_t distinct(int32_t *x, size_t n)
{
    size_t k = 0;

    qsort(x, n, sizeof *x, iv_ascending_grades);
    for (size_t i = 0; i < n; i++)
        if (k == 0 || x[k - 1] != x[i])
            x[k++] = x[i];
    return k;
}

static uint32_t place(const int32_t *sorted, size_t n, int32_t x)
{
    const int32_t *at = bsearch(&x, sorted, n, sizeof x, iv_ascending_grades);

    return (uint32_t)(at - sorted);
}

/* Pairs as numbers of labels: of the grades, of relevant or not, and of bins. */
typedef struct coded {
    iv_label_pairs graded, binary, binned;
    int32_t *grades, *bins;
    size_t grade_count, bin_count;
    double *value, *relevant; /* of a grade's number */
} coded;

/* What the jackknife leaves out in turn: topics, or of few topics items. */
static size_t units_of(const iv_judge *j)
{
    return j->topics < IV_ALPHA_UNITS ? j->pairs : j->topics;
}

static int encode(coded *c, iv_judge *j, iv_err *err)
{
    const size_t n = j->pairs, units = units_of(j);
    size_t *items = iv_take(&j->memory, n + 1, sizeof *items);
    iv_label_pair *g = iv_take(&j->memory, n, sizeof *g), *b = iv_take(&j->memory, n, sizeof *b),
                  *s = iv_take(&j->memory, n, sizeof *s);

    c->grades = iv_take(&j->memory, 2 * n, sizeof *c->grades);
    c->bins = iv_take(&j->memory, n, sizeof *c->bins);
    IV_TRY(iv_taken(&j->memory, err));
    for (size_t i = 0; i < n; i++) {
        c->grades[i] = j->pair[i].a;
        c->grades[n + i] = j->pair[i].b;
        c->bins[i] = j->pair[i].bin;
    }
    c->grade_count = distinct(c->grades, 2 * n);
    c->bin_count = distinct(c->bins, n);
    if (c->grade_count > 1000)
        return iv_fail(err, IV_ENODATA, "%zu different grades, expected at most 1000",
                       c->grade_count);
    c->value = iv_take(&j->memory, c->grade_count, sizeof *c->value);
    c->relevant = iv_take(&j->memory, c->grade_count, sizeof *c->relevant);
    IV_TRY(iv_taken(&j->memory, err));
    for (size_t k = 0; k < c->grade_count; k++) {
        c->value[k] = c->grades[k];
        c->relevant[k] = c->grades[k] >= j->level;
    }
    for (size_t i = 0; i < n; i++) {
        const pair *p = &j->pair[i];
        const uint32_t a = place(c->grades, c->grade_count, p->a);
        g[i] = (iv_label_pair){ a, place(c->grades, c->grade_count, p->b), p->weight };
        b[i] = (iv_label_pair){ p->a >= j->level, p->b >= j->judge_level, p->weight };
        s[i] = (iv_label_pair){ a, place(c->bins, c->bin_count, p->bin), p->weight };
        items[i + 1] = i + 1;
    }
    const size_t *starts = j->topics < IV_ALPHA_UNITS ? items : j->starts;
    const uint32_t most = (uint32_t)(c->grade_count > c->bin_count ? c->grade_count
                                                                   : c->bin_count);
    c->graded = (iv_label_pairs){ g, starts, units, (uint32_t)c->grade_count };
    c->binary = (iv_label_pairs){ b, starts, units, 2 };
    c->binned = (iv_label_pairs){ s, starts, units, most };
    return IV_OK;
}

/* The share of pairs with `hit` among those with `of`, where a bit of each is set: 1 the
 * reference says relevant, 2 the judge does, 4 always, 8 the reference does not, 16 the judge. */
static iv_interval share(iv_judge *j, const coded *c, unsigned hit, unsigned of, double *room)
{
    const size_t units = c->binary.units;
    double *hits = room, *all = room + units;
    size_t count = 0, u = 0;

    memset(room, 0, 2 * units * sizeof *room);
    for (size_t i = 0; i < j->pairs; i++) {
        const iv_label_pair *p = &c->binary.at[i];
        const unsigned is = (p->a ? 1 : 8) | (p->b ? 2 : 16) | 4;
        while (i >= c->binary.starts[u + 1])
            u++;
        if (is & of) {
            all[u] += p->weight;
            hits[u] += is & hit ? p->weight : 0.0;
            count++;
        }
    }
    return iv_share_over_units(hits, all, units, count, j->how.confidence);
}

static iv_interval bias(const iv_judge *j, const coded *c, double *room)
{
    const size_t units = c->binary.units;
    double *less = room, *all = room + units, sum = 0.0, weight = 0.0;
    size_t u = 0;

    memset(room, 0, 2 * units * sizeof *room);
    for (size_t i = 0; i < j->pairs; i++) {
        const iv_label_pair *p = &c->binary.at[i];
        while (i >= c->binary.starts[u + 1])
            u++;
        less[u] += p->weight * ((double)p->b - (double)p->a);
        all[u] += p->weight;
        sum += p->weight * ((double)p->b - (double)p->a);
        weight += p->weight;
    }
    for (size_t k = 0; k < units; k++)
        less[k] = units > 1 ? (sum - less[k]) / (weight - all[k]) : 0.0;
    return iv_jackknifed(sum / weight, less, units, j->how.confidence);
}

/* -------------------------------------------------------- labels and cells -- */

static int describe_labels(iv_judge *j, const coded *c, double *room, iv_err *err)
{
    const size_t units = c->binary.units, n = j->pairs;
    iv_judge_label *l = iv_take(&j->memory, c->bin_count, sizeof *l);
    iv_judge_cell *cells = iv_take(&j->memory, c->grade_count * c->grade_count + 1,
                                   sizeof *cells);
    double total = 0.0;

    IV_TRY(iv_taken(&j->memory, err));
    for (size_t k = 0; k < c->bin_count; k++) {
        double *hits = room, *all = room + units, grades = 0.0, weight = 0.0;
        size_t u = 0;
        memset(room, 0, 2 * units * sizeof *room);
        l[k].label = c->bins[k];
        for (size_t i = 0; i < n; i++) {
            const pair *p = &j->pair[i];
            while (i >= c->binary.starts[u + 1])
                u++;
            if (p->bin != c->bins[k])
                continue;
            l[k].judged++;
            weight += p->weight;
            grades += p->weight * p->a;
            all[u] += p->weight;
            hits[u] += p->a >= j->level ? p->weight : 0.0;
        }
        l[k].grade = grades / weight;
        l[k].share = iv_share_over_units(hits, all, units, l[k].judged, j->how.confidence);
    }
    for (size_t i = 0; i < n; i++) {
        const iv_label_pair *p = &c->graded.at[i];
        iv_judge_cell *x = &cells[p->a * c->grade_count + p->b];
        x->pairs++;
        x->share += p->weight;
        total += p->weight;
    }
    for (size_t k = 0; k < c->grade_count * c->grade_count; k++)
        if (cells[k].pairs > 0) {
            cells[k].reference = c->grades[k / c->grade_count];
            cells[k].judge = c->grades[k % c->grade_count];
            cells[k].share /= total;
            cells[j->cell_count++] = cells[k];
        }
    j->labels = l;
    j->label_count = c->bin_count;
    j->cells = cells;
    return IV_OK;
}

/* How many documents of the shared topics have each label. */
static void count_labelled(iv_judge *j, const iv_judgments *labels)
{
    iv_judge_label *l = j->labels;

    for (size_t t = 0; t < j->topics; t++) {
        const iv_judgment *all;
        const size_t n = iv_judgments_of(&all, labels,
                                         iv_judgments_find_topic(labels, j->topic[t]));
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < j->label_count; k++)
                l[k].pairs += all[i].grade >= 0 && bin_of(j, all[i].grade) == l[k].label;
    }
}

static int describe(iv_judge *j, iv_err *err)
{
    const double confidence = j->how.confidence;
    const size_t units = units_of(j);
    double *room = iv_take(&j->memory, 2 * units, sizeof *room);
    double *left = iv_take(&j->memory, units, sizeof *left);
    coded c = { 0 };
    uint32_t level = 0;

    IV_TRY(iv_taken(&j->memory, err));
    IV_TRY(encode(&c, j, err));
    j->constant = c.bin_count == 1;
    IV_TRY(iv_kappa_of(&j->kappa, NULL, &c.binary, IV_KAPPA_PLAIN, confidence, err));
    IV_TRY(iv_kappa_of(&j->graded, NULL, &c.graded, j->how.weights, confidence, err));
    j->sensitivity = share(j, &c, 2, 1, room);
    j->specificity = share(j, &c, 16, 8, room);
    j->bias = bias(j, &c, room);
    IV_TRY(iv_worth_of(&j->worth, NULL, &c.binned, c.relevant, confidence, err));
    IV_TRY(iv_worth_of(&j->worth_graded, left, &c.binned, c.value, confidence, err));
    j->log_worth = left;
    IV_TRY(describe_labels(j, &c, room, err));
    while (level < c.grade_count && c.grades[level] < j->level)
        level++;
    const iv_label_pairs topics = { c.binned.at, j->starts, j->topics, c.binned.labels };
    return iv_drift_of(&j->drift_sd, &j->drift, &topics, level, err);
}

/* ------------------------------------------------------------------- all -- */

static int32_t judge_level(const iv_judge *j)
{
    int32_t most = 0;

    if (j->how.judge_level != 0)
        return j->how.judge_level < 0 ? 0 : j->how.judge_level;
    for (size_t i = 0; i < j->pairs; i++)
        most = j->pair[i].b > most ? j->pair[i].b : most;
    return most == 1 && j->level > 1 ? 1 : j->level;
}

static bool has_grades(const iv_judgments *reference)
{
    const iv_judgment *listed;

    for (size_t t = 0; t < iv_judgments_topics(reference); t++)
        for (size_t i = iv_judgments_of(&listed, reference, t); i-- > 0;)
            if (listed[i].grade >= 0)
                return true;
    return false;
}

static int build(iv_judge *j, const iv_judgments *reference, const char *name,
                 const char *judge_name, iv_err *err)
{
    const iv_judgments *labels = j->grades;

    IV_TRY(pair_all(j, reference, name, labels, err));
    if (j->topics_reference == iv_judgments_topics(reference))
        return iv_fail(err, IV_ENODATA, "%s and %s share no topic", name, judge_name);
    if (!has_grades(reference))
        return iv_fail_at(err, IV_ENODATA, name, 0, "no grade is filled in: every one is below 0; "
                          "expected 0 or more in place of -1");
    if (j->pairs == 0)
        return iv_fail(err, IV_ENODATA, "%s has no label for any document that %s judged",
                       judge_name, name);
    if (j->scored)
        IV_TRY(cut_scores(j, err));
    j->level = j->how.level == 0 ? 1 : j->how.level < 0 ? 0 : j->how.level;
    j->judge_level = judge_level(j);
    IV_TRY(describe(j, err));
    count_labelled(j, labels);
    return IV_OK;
}

int iv_judge_new(iv_judge **out, const iv_judgments *reference, const char *name,
                 const iv_judgments *judge, bool scored, const char *judge_name,
                 const iv_judge_options *options, iv_err *err)
{
    iv_judge *j = calloc(1, sizeof *j);

    if (j == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory");
    j->grades = judge;
    j->scored = scored;
    if (options != NULL)
        j->how = *options;
    const int rc = build(j, reference, name, judge_name, err);
    if (rc == IV_OK)
        *out = j;
    else
        iv_judge_free(j);
    return rc;
}

/* a - b; two that are infinite, as of judges who are always right, do not differ. */
static double lead(double a, double b) { return a == b ? 0.0 : a - b; }

double iv_judge_worse(const iv_judge *a, const iv_judge *b)
{
    /* Items are the same ones if neither judge lacks one of these topics. */
    const size_t n = units_of(a);
    const bool same = a->topics == b->topics && n == units_of(b)
        && (n == a->topics || a->only_reference + b->only_reference == 0);
    double difference = lead(log(a->worth_graded.value), log(b->worth_graded.value));
    double *left = same && n > 1 ? malloc(n * sizeof *left) : NULL;

    for (size_t t = 0; left != NULL && t < n; t++) {
        left[t] = lead(a->log_worth[t], b->log_worth[t]);
        if (!isfinite(left[t])
            || (t < a->topics && iv_str_cmp(a->topic[t], b->topic[t]) != 0))
            difference = (double)NAN;
    }
    const iv_interval d = iv_jackknifed(difference, left, left != NULL ? n : 0, 0.0);
    free(left);
    /* Judges with the same labels have no error to divide by. */
    if (d.se == 0.0 && d.value == 0.0)
        return 1.0;
    return d.se > 0.0 ? 2.0 * iv_t_sf(fabs(d.value) / d.se, (double)n - 1.0) : (double)NAN;
}

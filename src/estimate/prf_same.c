/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Systems on the same items: exact where only the items that one of two
 * systems got right matter (accuracy, recall, specificity), from the joint
 * posterior where not; averages over many classes by themselves.
 */
#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "estimate/prf_making.h"

enum { GROUP = 64 };

/* The prior of "only a was right" over two classes: the paper's 1/2 when right =
 * wrong = 1/2. */
static double alone(iv_prf_prior p)
{
    return 2.0 * p.right * p.wrong / (p.right + p.wrong);
}

/* Of so many rows of gold, each of which has right + wrong of the prior, as in the
 * posterior of one system; `half` is of "only a was right". */
static iv_paired_cells cells_of(const iv_paired_counts *n, iv_prf_prior p, int32_t rows, double half)
{
    return (iv_paired_cells){ (double)n->a_only + half, (double)n->b_only + half,
                              fmax((double)n->rest + (p.right + p.wrong) * rows - 2.0 * half,
                                   0.5 * half) }; /* all differ: nothing is left of one row's */
}

/* Accuracy has the paper's prior, of two classes and of more: with half of it two equal systems
 * would be told apart twice as often as they should. */
static iv_paired_cells accuracy_cells(const iv_paired_counts *n, iv_prf_prior p, int32_t rows)
{
    return cells_of(n, p, rows, alone(p));
}

/* Accuracy of two classes has the prior of both rows; of more it is one share. */
static int32_t rows(const iv_prf_items *items)
{
    return items->classes > 2 ? 1 : 2;
}

/* One metric that pairs are compared by. */
typedef struct subject {
    const char *name;
    iv_prf_target target; /* system not set */
    bool exact;           /* else by drawing */
    bool ranked;          /* in P(best) */
} subject;

typedef struct comparer {
    iv_prf_making *k;
    subject *subjects; /* each pair has them all, in their order */
    size_t count, room;
    size_t group;      /* how many are drawn at a time */
    double *draws;     /* of a group, system after system of each subject */
    iv_err *err;
} comparer;

static int add_subject(comparer *c, iv_prf_metric m, iv_prf_average average, int32_t klass,
                       const char *what)
{
    const bool multiclass = c->k->out.multiclass;
    const bool rate = m.kind == IV_PRF_RECALL || (m.kind == IV_PRF_SPECIFICITY && !multiclass);
    subject *grown = iv_grow(c->subjects, &c->room, c->count + 1, sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(c->err);
    c->subjects = grown;
    grown[c->count] = (subject){
        iv_prf_keep_name(c->k, m, what), { 0, average, klass, m },
        m.kind == IV_PRF_ACCURACY || (rate && average == IV_PRF_ONE),
        !multiclass || average != IV_PRF_ONE };
    return grown[c->count].name != NULL ? (c->count++, IV_OK) : iv_no_memory(c->err);
}

static int list_subjects(comparer *c)
{
    const iv_prf_making *k = c->k;
    int rc = IV_OK;

    if (!k->out.multiclass) {
        for (size_t m = 0; m < k->metric_count && rc == IV_OK; m++)
            rc = add_subject(c, k->metrics[m], k->metrics[m].kind == IV_PRF_ACCURACY
                                                   ? IV_PRF_MICRO : IV_PRF_ONE, 1, NULL);
        return rc;
    }
    rc = add_subject(c, (iv_prf_metric){ IV_PRF_ACCURACY, 0.0 }, IV_PRF_MICRO, 0, NULL);
    for (int32_t klass = 0; klass < k->items.classes && rc == IV_OK; klass++) {
        for (size_t m = 0; m < k->averaged && rc == IV_OK; m++)
            rc = add_subject(c, k->metrics[m], IV_PRF_ONE, klass,
                             k->systems[0].categories[klass].name);
    }
    for (size_t m = 0; m < k->averaged && rc == IV_OK; m++)
        rc = add_subject(c, k->metrics[m], IV_PRF_MACRO, 0, "macro");
    return rc;
}

/* ------------------------------------------------------------ exact pairs -- */

static int exact_pair(void *user, void *memory, size_t i, iv_err *err)
{
    const comparer *c = user;
    iv_prf_pair *p = &c->k->pairs[i];
    const subject *s = &c->subjects[i % c->count];
    const iv_prf_items *items = &c->k->items;
    const iv_prf_prior prior = c->k->out.prior;
    const iv_prf_kind kind = s->target.metric.kind;
    iv_posterior_gap gap;

    (void)memory;
    if (!s->exact)
        return IV_OK;
    const iv_paired_counts n = iv_prf_paired(items, p->a_at, p->b_at, kind, s->target.klass);
    const iv_paired_cells cells = kind == IV_PRF_ACCURACY ? accuracy_cells(&n, prior, rows(items))
        : cells_of(&n, prior, 1, 0.5 * alone(prior));
    const int rc = iv_paired_compare(&gap, cells, c->k->out.confidence, err);
    if (rc < 0)
        return rc;
    p->probability = iv_prf_unsure(gap.greater, 0);
    p->difference = gap.mean;
    p->lower = gap.lower;
    p->upper = gap.upper;
    return IV_OK;
}

/* ---------------------------------------------------------------- by draws -- */

static bool averaged(const subject *s)
{
    return s->target.average != IV_PRF_ONE;
}

/* Room for the draws of a group: some 256 MB. */
static int make_room(comparer *c, size_t systems)
{
    const size_t draws = c->k->out.draws, most = ((size_t)32 << 20) / draws / systems;

    c->group = most < 1 ? 1 : most > GROUP ? GROUP : most;
    free(c->draws);
    c->draws = malloc(c->group * systems * draws * sizeof *c->draws);
    return c->draws != NULL ? IV_OK : iv_no_memory(c->err);
}

/* Subjects that want drawing, from *next on, at most a group of them, and all of them
 * averages, which are drawn by themselves, or of one class, which is drawn against the rest. */
static size_t choose(size_t at[GROUP], const comparer *c, size_t *next, bool ranked)
{
    size_t n = 0;

    for (; *next < c->count && n < c->group; (*next)++) {
        const subject *s = &c->subjects[*next];
        if (!(ranked ? s->ranked : !s->exact))
            continue;
        if (n > 0 && (averaged(s) != averaged(&c->subjects[at[0]])
                      || (!averaged(s) && s->target.klass != c->subjects[at[0]].target.klass)))
            break;
        at[n++] = *next;
    }
    return n;
}

/* Averages over many classes, one after the other. */
static int draw_averages(comparer *c, const size_t *at, size_t count, const size_t *systems,
                         size_t system_count, const iv_draw_plan *plan, const iv_work *work)
{
    int rc = IV_OK;

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        iv_stage stage;
        rc = iv_prf_average_draw(c->draws + i * system_count * plan->draws, &c->k->items, systems,
                                 system_count, &c->subjects[at[i]].target, c->k->out.prior, plan,
                                 iv_work_nth(&stage, work, i, count), c->err);
    }
    return rc;
}

static int draw_group(comparer *c, const iv_prf_joint *joint, const size_t *at, size_t count,
                      const size_t *which, size_t systems, uint32_t stream, const iv_work *work)
{
    const iv_draw_plan plan = { c->k->out.draws, stream };

    if (c->k->items.classes > 2 && averaged(&c->subjects[at[0]]))
        return draw_averages(c, at, count, which, systems, &plan, work);
    iv_prf_target *targets = calloc(count * systems + 1, sizeof *targets);
    if (targets == NULL)
        return iv_no_memory(c->err);
    for (size_t i = 0; i < count * systems; i++) {
        targets[i] = c->subjects[at[i / systems]].target;
        targets[i].system = i % systems;
    }
    const int rc = iv_prf_joint_draw(c->draws, joint, targets, count * systems, &plan, work,
                                     c->err);
    free(targets);
    return rc;
}

/* What becomes of draws: a pair each subject, or, with a probability, P(best). */
typedef struct drawn_job {
    comparer *c;
    const size_t *at;
    size_t pair, systems;
    double *probability;
} drawn_job;

/* Did two systems say the same of every item? */
static bool agree(const iv_prf_items *items, size_t a, size_t b)
{
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *l = items->labels + i * (items->systems + 1) + 1;
        if (l[a] != l[b])
            return false;
    }
    return true;
}

/* A pair from its draws; where nothing tells the two apart, chance must not. */
static int finish_pair(iv_prf_pair *p, const iv_prf_making *k, const double *draws, iv_err *err)
{
    IV_TRY(iv_prf_pair_from_draws(p, k, draws, draws + k->out.draws, err));
    if (agree(&k->items, p->a_at, p->b_at)) {
        const double half = 0.5 * (p->upper - p->lower);
        p->probability = 0.5;
        p->probability_error = p->difference = p->difference_error = 0.0;
        p->lower = -half;
        p->upper = half;
    }
    return IV_OK;
}

/* Systems that say the same are the best as often as each other. */
static void share_best(double *probability, const iv_prf_items *items)
{
    for (size_t a = 0; a < items->systems; a++) {
        double sum = probability[a], alike = 1.0;
        bool first = true;
        for (size_t b = 0; b < a && first; b++)
            first = !agree(items, a, b);
        for (size_t b = a + 1; b < items->systems && first; b++) {
            if (agree(items, a, b)) {
                sum += probability[b];
                alike += 1.0;
            }
        }
        for (size_t b = a; b < items->systems && alike > 1.0; b++)
            if (b == a || agree(items, a, b))
                probability[b] = sum / alike;
    }
}

static int finish_drawn(void *user, void *memory, size_t i, iv_err *err)
{
    const drawn_job *j = user;
    const iv_prf_making *k = j->c->k;
    const double *draws = j->c->draws + i * j->systems * k->out.draws;

    (void)memory;
    if (j->probability == NULL)
        return finish_pair(&k->pairs[j->pair * j->c->count + j->at[i]], k, draws, err);
    const double **each = calloc(j->systems, sizeof(double *));
    if (each == NULL)
        return iv_no_memory(err);
    for (size_t s = 0; s < j->systems; s++)
        each[s] = draws + s * k->out.draws;
    iv_prf_best_from_draws(j->probability + i * j->systems, each, j->systems, k->out.draws);
    share_best(j->probability + i * j->systems, &k->items);
    free(each);
    return IV_OK;
}

/* Draws of some systems, group by group, and what is made of them. */
static int draw_all(drawn_job *j, const size_t *systems, uint32_t stream, const iv_work *work)
{
    comparer *c = j->c;
    const iv_prf_items *items = &c->k->items;
    const iv_prf_prior prior = c->k->out.prior;
    iv_prf_joint *joint = NULL;
    int rc = iv_prf_joint_new(&joint, items, systems, j->systems, prior, c->err);

    for (size_t next = 0; next < c->count && rc == IV_OK;) {
        size_t at[GROUP];
        const double from = (double)next / (double)c->count;
        const size_t n = choose(at, c, &next, j->probability != NULL);
        const double to = (double)next / (double)c->count;
        iv_stage stage;
        if (n == 0)
            break;
        j->at = at;
        rc = draw_group(c, joint, at, n, systems, j->systems, stream,
                        iv_work_part(&stage, work, from, 0.5 * (from + to)));
        if (rc == IV_OK)
            rc = iv_parallel(&(iv_loop){ n, finish_drawn, j, NULL },
                             iv_work_part(&stage, work, 0.5 * (from + to), to), c->err);
        for (size_t i = 0; i < n && rc == IV_OK && j->probability != NULL; i++)
            rc = iv_prf_add_best(c->k, c->subjects[at[i]].name, j->probability + i * j->systems,
                                 true, c->err);
    }
    iv_prf_joint_free(joint);
    return rc;
}

static int rank_all(comparer *c, uint32_t stream, const iv_work *work)
{
    const size_t systems = c->k->out.system_count;
    drawn_job j = { .c = c, .systems = systems,
                    .probability = calloc(GROUP * systems, sizeof(double)) };
    int rc = j.probability != NULL ? make_room(c, systems) : iv_no_memory(c->err);

    if (rc == IV_OK)
        rc = draw_all(&j, NULL, stream, work);
    free(j.probability);
    return rc;
}

/* ----------------------------------------------------------------- all of it -- */

static int add_alone(iv_prf_making *k, size_t a, size_t b, iv_err *err)
{
    const iv_paired_counts n = iv_prf_paired(&k->items, a, b, IV_PRF_ACCURACY, 0);
    const iv_paired_cells c = accuracy_cells(&n, k->out.prior, rows(&k->items));
    iv_prf_alone *grown = iv_grow(k->alone, &k->alone_room, k->out.alone_count + 1,
                                  sizeof *grown);

    if (grown == NULL)
        return iv_no_memory(err);
    k->out.alone = k->alone = grown;
    grown[k->out.alone_count++] = (iv_prf_alone){
        .a = k->systems[a].name, .b = k->systems[b].name, .a_only = n.a_only,
        .b_only = n.b_only, .agree = n.rest, .probability = iv_prf_unsure(iv_paired_greater(c), 0),
        .difference = iv_paired_difference(c), .log_odds = iv_paired_log_odds(c),
        .mcnemar_p = iv_mcnemar(n.a_only, n.b_only) };
    return IV_OK;
}

static int list_pairs(comparer *c)
{
    iv_prf_making *k = c->k;
    int rc = IV_OK;

    for (size_t a = 0; a < k->out.system_count && rc == IV_OK; a++) {
        for (size_t b = a + 1; b < k->out.system_count && rc == IV_OK; b++) {
            rc = add_alone(k, a, b, c->err);
            for (size_t i = 0; i < c->count && rc == IV_OK; i++)
                rc = iv_prf_add_pair(k, a, b, c->subjects[i].name, c->err);
        }
    }
    return rc;
}

static int draw_pairs(comparer *c, uint32_t stream, const iv_work *work)
{
    const iv_prf_evaluation *e = &c->k->out;
    int rc = make_room(c, 2);

    for (size_t p = 0; p < e->alone_count && rc == IV_OK; p++) {
        const iv_prf_pair *first = &e->pairs[p * c->count];
        const size_t systems[2] = { first->a_at, first->b_at };
        drawn_job j = { .c = c, .pair = p, .systems = 2 };
        iv_stage stage;
        rc = draw_all(&j, systems, stream + (uint32_t)p,
                      iv_work_part(&stage, work, (double)p / (double)e->alone_count,
                                   (double)(p + 1) / (double)e->alone_count));
    }
    return rc;
}

int iv_prf_make_same(iv_prf_making *k, const iv_work *work, iv_err *err)
{
    const uint32_t first = UINT32_C(0x80000000); /* apart from those of single systems */
    const iv_prf_evaluation *e = &k->out;
    const double to = e->system_count > 2 ? 0.8 : 1.0; /* the rest is P(best) */
    comparer c = { .k = k, .err = err };
    iv_stage stage;
    int rc = list_subjects(&c);

    if (rc == IV_OK)
        rc = list_pairs(&c);
    if (rc == IV_OK)
        rc = iv_parallel(&(iv_loop){ e->pair_count, exact_pair, &c, NULL },
                         iv_work_part(&stage, work, 0.0, 0.2), err);
    if (rc == IV_OK)
        rc = draw_pairs(&c, first, iv_work_part(&stage, work, 0.2, to));
    if (rc == IV_OK && e->system_count > 2)
        rc = rank_all(&c, first + (uint32_t)e->alone_count,
                      iv_work_part(&stage, work, to, 1.0));
    for (size_t i = 0; i < e->pair_count && rc == IV_OK; i++) {
        iv_prf_pair *p = &k->pairs[i];
        iv_prf_know_mean(p, iv_prf_find(e, p->a_at, p->metric), iv_prf_find(e, p->b_at, p->metric));
    }
    free(c.subjects);
    free(c.draws);
    return rc;
}

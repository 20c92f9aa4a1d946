/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The posterior of all systems on the same items, by drawing.
 *
 * The cells are gold x answer of system 1 x ... x answer of system S.  The
 * prior spreads (right + wrong) over each row of gold: a system alone is right
 * with prior share right/(right+wrong), and errs evenly, independently of the
 * others.  Each system's confusion matrix then has the prior of the paper.
 *
 * Few cells are drawn one by one, as a Dirichlet.  Many are a Dirichlet
 * process with this prior as its base: observed cells get gamma weights by
 * their counts, and what the prior adds is broken off stick by stick, each
 * piece at a cell drawn from the base (Sethuraman 1994), until 1e-12 of it is
 * left.
 *
 * Of one class alone only whether it is meant and said matters: sums of a Dirichlet's
 * cells are a Dirichlet, and 2^(S+1) cells are drawn in place of them all.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checking.h"
#include "stat/prf/prf_state.h"

enum { FEW_CELLS = 64,
       MOST_COLLAPSED = 5 }; /* systems: 64 cells */

struct iv_prf_joint {
    size_t systems, cells;
    int32_t classes;
    int32_t *label; /* cells x (systems + 1) */
    double *alpha;  /* of each cell */
    double rest;    /* of the stick, 0: the cells are all there are */
    double right;   /* prior share of being right */
};

static size_t stride(const iv_prf_joint *j)
{
    return j->systems + 1;
}

/* The number of cells, or more than FEW_CELLS if it is more. */
static size_t cell_count(size_t systems, int32_t classes)
{
    size_t n = (size_t)classes;

    for (size_t s = 0; s < systems && n <= (size_t)FEW_CELLS * (size_t)classes; s++)
        n *= (size_t)classes;
    return n;
}

static int copy_items(int32_t *rows, const iv_prf_items *items, const size_t *systems,
                      size_t count, iv_err *err)
{
    for (size_t i = 0; i < items->items; i++) {
        const int32_t *from = items->labels + i * (items->systems + 1);
        int32_t *to = rows + i * (count + 1);
        to[0] = from[0];
        for (size_t s = 0; s < count; s++)
            to[1 + s] = from[1 + (systems != NULL ? systems[s] : s)];
        for (size_t s = 0; s <= count; s++) {
            if (to[s] < 0 || to[s] >= items->classes)
                return iv_fail(err, IV_EARG, "item %zu has a label outside its range", i);
        }
    }
    return IV_OK;
}

static uint64_t hash_row(const int32_t *row, size_t n)
{
    uint64_t h = 0x9e3779b97f4a7c15u;

    for (size_t i = 0; i < n; i++) {
        h ^= (uint64_t)(uint32_t)row[i];
        h *= 0xff51afd7ed558ccdu;
        h ^= h >> 32;
    }
    return h;
}

/* Gathers equal rows; cells come in the order of their first item. */
static int gather(iv_prf_joint *j, int32_t *rows, size_t items, iv_err *err)
{
    size_t slots = 16;

    while (slots < 2 * items)
        slots *= 2;
    size_t *table = calloc(slots, sizeof *table); /* index of a cell + 1 */
    j->label = rows;
    j->alpha = calloc(items, sizeof *j->alpha);
    if (table == NULL || j->alpha == NULL) {
        free(table);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    const size_t n = stride(j), bytes = n * sizeof *rows;
    for (size_t i = 0; i < items; i++) {
        size_t at = (size_t)hash_row(rows + i * n, n) & (slots - 1);
        while (table[at] != 0 && memcmp(rows + (table[at] - 1) * n, rows + i * n, bytes) != 0)
            at = (at + 1) & (slots - 1);
        if (table[at] == 0) { /* cells <= i: the row moves down or stays */
            memmove(rows + j->cells * n, rows + i * n, bytes);
            table[at] = ++j->cells;
        }
        j->alpha[table[at] - 1] += 1.0;
    }
    free(table);
    return IV_OK;
}

/* Lists all cells with their prior, so that no stick is left to break. */
static int complete(iv_prf_joint *j, size_t all, iv_prf_prior prior, iv_err *err)
{
    const size_t n = stride(j);
    int32_t *label = calloc(all * n, sizeof *label);
    double *alpha = calloc(all, sizeof *alpha);
    const double others = (double)(j->classes - 1);

    if (label == NULL || alpha == NULL) {
        free(label);
        free(alpha);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    for (size_t c = 0; c < all; c++) {
        size_t code = c;
        alpha[c] = prior.right + prior.wrong;
        for (size_t s = 0; s < n; s++, code /= (size_t)j->classes) {
            label[c * n + s] = (int32_t)(code % (size_t)j->classes);
            if (s > 0)
                alpha[c] *= label[c * n + s] == label[c * n] ? j->right
                                                             : (1.0 - j->right) / others;
        }
    }
    for (size_t c = 0; c < j->cells; c++) {
        size_t code = 0;
        for (size_t s = n; s-- > 0;)
            code = code * (size_t)j->classes + (size_t)j->label[c * n + s];
        alpha[code] += j->alpha[c];
    }
    free(j->label);
    free(j->alpha);
    j->label = label;
    j->alpha = alpha;
    j->cells = all;
    j->rest = 0.0;
    return IV_OK;
}

int iv_prf_joint_new(iv_prf_joint **out, const iv_prf_items *items, const size_t *systems,
                     size_t count, iv_prf_prior prior, iv_err *err)
{
    IV_TRY(iv_check_list(items->labels, items->items, "label", err));
    int rc;

    if (systems == NULL)
        count = items->systems;
    if (items->items == 0 || count == 0)
        return iv_fail(err, IV_ENODATA, "no items or no systems");
    if (items->classes < 2)
        return iv_fail(err, IV_EARG, "%d classes, expected 2 at least", (int)items->classes);
    rc = iv_prf_check_prior(&prior, err);
    if (rc < 0)
        return rc;
    iv_prf_joint *j = calloc(1, sizeof *j);
    int32_t *rows = malloc(items->items * (count + 1) * sizeof *rows);
    if (j == NULL || rows == NULL) {
        free(rows);
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
        goto done;
    }
    j->systems = count;
    j->classes = items->classes;
    j->rest = (double)items->classes * (prior.right + prior.wrong);
    j->right = prior.right / (prior.right + prior.wrong);
    j->label = rows;
    rc = copy_items(rows, items, systems, count, err);
    if (rc == IV_OK)
        rc = gather(j, rows, items->items, err);
    const size_t all = cell_count(count, items->classes);
    if (rc == IV_OK && all <= (size_t)FEW_CELLS * (size_t)items->classes)
        rc = complete(j, all, prior, err);
    if (rc < 0)
        goto done;
    *out = j;
    j = NULL;
done:
    iv_prf_joint_free(j);
    return rc;
}

void iv_prf_joint_free(iv_prf_joint *j)
{
    if (j == NULL)
        return;
    free(j->label);
    free(j->alpha);
    free(j);
}

/* ------------------------------------------------------------- drawing -- */

/* Weight of a system's outcomes class by class. */
typedef struct tally {
    double *tp, *fp, *fn; /* systems x classes, each */
    double total;
    int32_t *cell;        /* of a stick's piece */
} tally;

static void add(tally *t, const iv_prf_joint *j, const int32_t *label, double weight)
{
    const size_t k = (size_t)j->classes;

    t->total += weight;
    for (size_t s = 0; s < j->systems; s++) {
        const size_t gold = s * k + (size_t)label[0], said = s * k + (size_t)label[1 + s];
        if (gold == said) {
            t->tp[gold] += weight;
        } else {
            t->fn[gold] += weight;
            t->fp[said] += weight;
        }
    }
}

/* A cell of the base: gold evenly, each system right by its prior share. */
static void draw_base(int32_t *cell, iv_stream *s, const iv_prf_joint *j)
{
    cell[0] = (int32_t)iv_draw_below(s, (uint64_t)j->classes);
    for (size_t i = 1; i <= j->systems; i++) {
        cell[i] = cell[0];
        if (iv_draw_uniform(s) >= j->right) {
            const int32_t other = (int32_t)iv_draw_below(s, (uint64_t)j->classes - 1);
            cell[i] = other + (other >= cell[0]);
        }
    }
}

static void draw_tally(tally *t, iv_stream *s, const iv_prf_joint *j)
{
    const size_t bytes = j->systems * (size_t)j->classes * sizeof *t->tp;

    memset(t->tp, 0, bytes);
    memset(t->fp, 0, bytes);
    memset(t->fn, 0, bytes);
    t->total = 0.0;
    for (size_t c = 0; c < j->cells; c++)
        add(t, j, j->label + c * stride(j), iv_draw_gamma(s, j->alpha[c]));
    if (j->rest == 0.0)
        return;
    const double stick = iv_draw_gamma(s, j->rest);
    for (double left = stick; left > 1e-12 * stick;) {
        const double piece = left * iv_draw_beta(s, 1.0, j->rest);
        draw_base(t->cell, s, j);
        add(t, j, t->cell, piece);
        left -= piece;
    }
}

static double class_value(iv_stream *s, const tally *t, const iv_prf_joint *j,
                          const iv_prf_target *target, size_t klass)
{
    const size_t at = target->system * (size_t)j->classes + klass;
    const double tn = fmax(0.0, t->total - t->tp[at] - t->fp[at] - t->fn[at]);
    const double v = iv_prf_of_cells(target->metric, t->tp[at], t->fp[at], t->fn[at], tn);

    return iv_or_coin(v, s, j->right);
}

static double target_value(iv_stream *s, const tally *t, const iv_prf_joint *j,
                           const iv_prf_target *target)
{
    const size_t k = (size_t)j->classes;
    double sum = 0.0;

    if (target->average == IV_PRF_ONE)
        return class_value(s, t, j, target, (size_t)target->klass);
    for (size_t c = 0; c < k; c++) {
        if (target->average == IV_PRF_MICRO)
            sum += t->tp[target->system * k + c];
        else if (target->average == IV_PRF_WEIGHTED)
            sum += class_value(s, t, j, target, c)
                * (t->tp[target->system * k + c] + t->fn[target->system * k + c]) / t->total;
        else
            sum += class_value(s, t, j, target, c) / (double)k;
    }
    return target->average == IV_PRF_MICRO ? sum / t->total : sum;
}

/* What is drawn, and where it goes. */
typedef struct drawing {
    double *out;
    const iv_prf_joint *joint;
    const iv_prf_target *targets;
    size_t count;
} drawing;

static void *tally_new(iv_arena *own, void *user)
{
    const iv_prf_joint *j = ((const drawing *)user)->joint;
    const size_t n = j->systems * (size_t)j->classes;
    tally *t = iv_take(own, 1, sizeof *t);

    if (t != NULL) {
        t->tp = iv_take(own, n, sizeof *t->tp);
        t->fp = iv_take(own, n, sizeof *t->fp);
        t->fn = iv_take(own, n, sizeof *t->fn);
        t->cell = iv_take(own, stride(j), sizeof *t->cell);
    }
    return t;
}

static void fill(void *user, void *memory, const iv_draw_part *part)
{
    const drawing *d = user;

    for (size_t i = part->from; i < part->to; i++) {
        draw_tally(memory, part->stream, d->joint);
        for (size_t m = 0; m < d->count; m++)
            d->out[m * part->draws + i] = target_value(part->stream, memory, d->joint,
                                                       &d->targets[m]);
    }
}

/* Is this class meant, and said?  Bit 0 is gold, bit s system s. */
static size_t code_of(const int32_t *label, size_t n, int32_t klass)
{
    size_t code = 0;

    for (size_t s = 0; s < n; s++)
        code |= (size_t)(label[s] == klass) << s;
    return code;
}

/* The joint posterior of one class against the rest, which has label 0. */
static int collapse(iv_prf_joint **out, const iv_prf_joint *j, int32_t klass, iv_err *err)
{
    const size_t n = stride(j), all = (size_t)1 << n;
    const double others = (double)(j->classes - 1), wrong = 1.0 - j->right;
    iv_prf_joint *two = calloc(1, sizeof *two);
    int32_t *label = calloc(all * n, sizeof *label);
    double *alpha = calloc(all, sizeof *alpha);

    if (two == NULL || label == NULL || alpha == NULL) {
        free(two);
        free(label);
        free(alpha);
        return iv_fail(err, IV_ENOMEM, "out of memory");
    }
    *two = (iv_prf_joint){ j->systems, all, 2, label, alpha, 0.0, j->right };
    for (size_t c = 0; c < all; c++) {
        const bool meant = c & 1;
        alpha[c] = j->rest / (double)j->classes * (meant ? 1.0 : others);
        for (size_t s = 0; s < n; s++)
            label[c * n + s] = (int32_t)(c >> s & 1);
        for (size_t s = 1; s < n; s++) {
            const double said = meant ? j->right : wrong / others;
            alpha[c] *= label[c * n + s] == 1 ? said : 1.0 - said;
        }
    }
    for (size_t c = 0; c < j->cells; c++)
        alpha[code_of(j->label + c * n, n, klass)] += j->alpha[c];
    *out = two;
    return IV_OK;
}

/* The same metrics, where the rest has label 0 and their class 1. */
static int draw_class(double *out, const iv_prf_joint *j, const iv_prf_target *targets,
                      size_t count, const iv_draw_plan *plan, const iv_work *work, iv_err *err)
{
    iv_prf_target *binary = malloc(count * sizeof *binary);
    drawing d = { out, NULL, binary, count };
    iv_prf_joint *two = NULL;
    int rc = binary != NULL ? collapse(&two, j, targets[0].klass, err)
                            : iv_fail(err, IV_ENOMEM, "out of memory");

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        binary[i] = targets[i];
        binary[i].klass = 1;
    }
    d.joint = two;
    if (rc == IV_OK)
        rc = iv_draw_blocks(&(iv_drawer){ fill, &d, tally_new }, plan, work, err);
    iv_prf_joint_free(two);
    free(binary);
    return rc;
}

int iv_prf_joint_draw(double *out, const iv_prf_joint *j, const iv_prf_target *targets,
                      size_t target_count, const iv_draw_plan *plan, const iv_work *work,
                      iv_err *err)
{
    drawing d = { out, j, targets, target_count };
    bool single = target_count > 0 && j->classes > 2 && j->systems <= MOST_COLLAPSED;

    for (size_t i = 0; i < target_count; i++) {
        const iv_prf_target *t = &targets[i];
        single = single && t->average == IV_PRF_ONE && t->klass == targets[0].klass;
        if (t->system >= j->systems
            || (t->average == IV_PRF_ONE && (t->klass < 0 || t->klass >= j->classes)))
            return iv_fail(err, IV_EARG, "target %zu has no such system or class", i);
    }
    return single ? draw_class(out, j, targets, target_count, plan, work, err)
                  : iv_draw_blocks(&(iv_drawer){ fill, &d, tally_new }, plan, work, err);
}

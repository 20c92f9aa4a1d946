/* SPDX-License-Identifier: Apache-2.0 */
/* Which measures can be estimated from a sample, and how they are asked for. */
#include "design/sampling_state.h"
#include "estimate/evaluation_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/names.h"
#include "measure/measure_parts.h"
#include "measure/measure_private.h"
#include "trec/trec_private.h"

IV_NAMES(iv_estimator_names, "auto", "corrected", "published")

/* The complete measures that have an estimate. */
static const struct known {
    const char *name; /* trec_eval's */
    iv_sampled_kind kind;
    bool count;
} known[] = {
    { "map", IV_SAMPLED_AP, false },
    { "map_cut", IV_SAMPLED_AP, false },
    { "P", IV_SAMPLED_P, false },
    { "recall", IV_SAMPLED_RECALL, false },
    { "Rprec", IV_SAMPLED_RPREC, false },
    { "ndcg", IV_SAMPLED_NDCG, false },
    { "ndcg_cut", IV_SAMPLED_NDCG, false },
    { "num_rel", IV_SAMPLED_NUM_REL, true },
    { "num_rel_ret", IV_SAMPLED_NUM_REL_RET, true },
    { "num_ret", IV_SAMPLED_NUM_RET, true },
    { "infAP", IV_SAMPLED_INFAP, false },
};

/* TREC's own, which are no complete measures. */
static const struct known inferred[] = {
    { "xinfAP", IV_SAMPLED_XINFAP, false },
    { "infNDCG", IV_SAMPLED_INFNDCG, false },
    { "inum_rel", IV_SAMPLED_INUM_REL, true },
    { "inum_rel_ret", IV_SAMPLED_INUM_REL_RET, true },
};

static const struct known *find_inferred(const char *name)
{
    for (size_t i = 0; i < sizeof inferred / sizeof *inferred; i++)
        if (strcmp(name, inferred[i].name) == 0)
            return &inferred[i];
    return NULL;
}

/* The cut-offs of iP_10, iP10, iP@10, iP.10,50; 0 when it is none of them. */
static size_t inferred_cutoffs(size_t out[8], const char *name)
{
    size_t count = 0;

    if (strncmp(name, "iP", 2) != 0)
        return 0;
    const char *p = name + 2;
    if (*p == '_' || *p == '@' || *p == '.')
        p++;
    while (count < 8) {
        const char *end = p + strcspn(p, ",");
        int64_t k;
        if (!iv_scan_int(&k, (iv_str){ p, (size_t)(end - p) }, 1, 1000))
            return 0;
        out[count++] = (size_t)k;
        if (*end == '\0')
            return count;
        p = end + 1;
    }
    return 0;
}

static bool is_inferred(const char *name)
{
    size_t unused[8];

    return find_inferred(name) != NULL || inferred_cutoffs(unused, name) > 0;
}

void iv_sampled_measures_free(iv_sampled_measures *m)
{
    if (m == NULL)
        return;
    iv_measures_free(m->complete);
    iv_arena_free(&m->names);
    free(m->values);
    free(m);
}

static bool add_value(iv_sampled_measures *m, iv_sampled_value v)
{
    for (size_t i = 0; i < m->count; i++)
        if (strcmp(m->values[i].name, v.name) == 0)
            return true; /* asked for twice */
    if (!IV_ROOM(m->values, m->capacity, m->count + 1))
        return false;
    v.name = iv_arena_copy(&m->names, iv_str_of(v.name));
    m->values[m->count++] = v;
    return v.name != NULL;
}

static bool add_inferred(iv_sampled_measures *m, const char *name, int32_t level)
{
    const struct known *k = find_inferred(name);
    size_t cuts[8];
    bool good = true;

    if (k != NULL)
        return add_value(m, (iv_sampled_value){ name, k->kind, 0, level, k->count, true,
                                                IV_NONE });
    const size_t count = inferred_cutoffs(cuts, name);
    for (size_t i = 0; i < count && good; i++) {
        char label[32];
        (void)snprintf(label, sizeof label, "iP_%zu", cuts[i]);
        good = add_value(m, (iv_sampled_value){ label, IV_SAMPLED_IP, cuts[i], level, false,
                                                true, IV_NONE });
    }
    return good;
}

/* ------------------------------------------------------------- complete -- */

static size_t place_of(const iv_measures *m, const char *name)
{
    for (size_t i = 0; i < iv_measures_count(m); i++)
        if (strcmp(iv_measures_value(m, i)->name, name) == 0)
            return i;
    return IV_NONE;
}

static int add_complete(iv_sampled_measures *m, const iv_value_info *v, iv_err *err)
{
    const struct known *k = NULL;

    for (size_t i = 0; i < sizeof known / sizeof *known && k == NULL; i++)
        if (strcmp(v->measure->name, known[i].name) == 0)
            k = &known[i];
    if (k == NULL || v->judged_only)
        return iv_fail(err, IV_EARG, "%s cannot be estimated from a sample of judgments; "
                       "known are AP, P, recall, Rprec, nDCG, num_rel, num_rel_ret, infAP, "
                       "xinfAP, infNDCG, iP_k, inum_rel", v->name);
    return add_value(m, (iv_sampled_value){ v->name, k->kind, v->cutoff, v->level, k->count,
                                            k->kind == IV_SAMPLED_INFAP,
                                            place_of(m->complete, v->name) })
        ? IV_OK : iv_fail(err, IV_ENOMEM, "out of memory for measures");
}

/* A name of the complete measures: its values, in their order. */
static int add_name(iv_sampled_measures *m, const char *name, const iv_measure_options *o,
                    iv_err *err)
{
    iv_measures *one = NULL;
    int rc = iv_measures_parse(&one, &name, 1, o, err);

    for (size_t i = 0; rc == IV_OK && i < iv_measures_count(one); i++)
        rc = add_complete(m, iv_measures_value(one, i), err);
    iv_measures_free(one);
    return rc;
}

int iv_measures_parse_complete(iv_measures **out, const char *const *names, size_t count,
                               const iv_measure_options *options, iv_err *err)
{
    const char **complete = malloc((count + 1) * sizeof *complete);
    size_t n = 0;

    if (complete == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for measures");
    for (size_t i = 0; i < count; i++)
        if (!is_inferred(names[i]))
            complete[n++] = names[i];
    const int rc = n > 0 ? iv_measures_parse(out, complete, n, options, err) : IV_OK;
    free(complete);
    return rc;
}

static int parse_all(iv_sampled_measures *m, const char *const *names, size_t count,
                     const iv_measure_options *o, iv_err *err)
{
    int rc = iv_measures_parse_complete(&m->complete, names, count, o, err);

    for (size_t i = 0; i < count && rc == IV_OK; i++) {
        if (!is_inferred(names[i]))
            rc = add_name(m, names[i], o, err);
        else if (!add_inferred(m, names[i], iv_measure_options_of(o).level))
            rc = iv_fail(err, IV_ENOMEM, "out of memory for measures");
    }
    return rc;
}

int iv_sampled_measures_parse(iv_sampled_measures **out, const char *const *names,
                              size_t count, const iv_measure_options *options, iv_err *err)
{
    iv_measure_options o = options != NULL ? *options : (iv_measure_options){ 0 };
    iv_sampled_measures *m = calloc(1, sizeof *m);

    if (m == NULL)
        return iv_fail(err, IV_ENOMEM, "out of memory for measures");
    o.as_trec_eval = false;
    m->depth = iv_measure_options_of(&o).depth;
    const int rc = parse_all(m, names, count, &o, err);
    if (rc == IV_OK)
        *out = m;
    else
        iv_sampled_measures_free(m);
    return rc;
}

int iv_sampled_check(const iv_sampling *s, const iv_sampled_measures *m, iv_err *err)
{
    const iv_judgments *j = s->judgments;
    const size_t depth = s->noted.depth;

    for (size_t i = 0; i < m->count; i++) {
        if (depth > 0 && m->values[i].cutoff > depth)
            return iv_fail(err, IV_EARG, "%s looks deeper than the sampled frame, the first %zu "
                           "documents of each run; expected a cut-off of at most %zu",
                           m->values[i].name, depth, depth);
        if (!m->values[i].inferred)
            continue;
        for (size_t t = 0; t < iv_judgments_topics(j); t++) {
            const iv_sampling_topic topic = iv_sampling_topic_at(s, t);
            if (!topic.frame_known && !topic.certain)
                return iv_fail(err, IV_EARG, "%s needs a uniform or stratified sample with "
                               "the documents that were not sampled, and these judgments "
                               "have none; AP can be estimated", m->values[i].name);
        }
    }
    return IV_OK;
}

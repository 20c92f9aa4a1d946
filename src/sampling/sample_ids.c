/* SPDX-License-Identifier: Apache-2.0 */
/* sample --ids: documents of a list, by whole families, at random. */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "num/draw.h"
#include "result/answering.h"
#include "sampling/sample_labels.h"
#include "trec/families.h"

#include <math.h>

/* Families of a list: where the documents of each are, and its segment. */
typedef struct grouped {
    size_t *first, *member;  /* members of family f: from first[f] to first[f + 1] */
    size_t *order;           /* families, those drawn first */
    bool *in;                /* has a family retrieved documents? */
} grouped;

static int group(grouped *g, const iv_family_list *l, iv_arena *a, iv_err *err)
{
    g->first = iv_take(a, l->families + 2, sizeof *g->first);
    g->member = iv_take(a, l->count + 1, sizeof *g->member);
    g->order = iv_take(a, l->families + 1, sizeof *g->order);
    g->in = iv_take(a, l->families + 1, sizeof *g->in);
    IV_TRY(iv_taken(a, err));
    for (size_t i = 0; i < l->count; i++) {
        g->first[l->family[i] + 2]++;
        g->in[l->family[i]] = g->in[l->family[i]] || (l->retrieved != NULL && l->retrieved[i]);
    }
    for (size_t f = 0; f < l->families; f++)
        g->first[f + 2] += g->first[f + 1];
    for (size_t i = 0; i < l->count; i++)
        g->member[g->first[l->family[i] + 1]++] = i;
    return IV_OK;
}

/* Puts families with or without retrieved documents behind those drawn; as many as have `budget`
 * documents on average. */
static size_t draw_families(grouped *g, size_t drawn, const iv_family_list *l, bool in,
                            double budget, iv_stream *s)
{
    size_t count = 0, documents = 0;
    size_t *all = g->order + drawn;

    for (size_t f = 0; f < l->families; f++)
        if (g->in[f] == in) {
            all[count++] = f;
            documents += g->first[f + 1] - g->first[f];
        }
    const double wanted = count == 0 ? 0.0 : ceil(budget * (double)count / (double)documents);
    iv_draw_shuffle(s, all, count, sizeof *all);
    return wanted < (double)count ? (size_t)wanted : count;
}

static int write(FILE *f, const grouped *g, iv_sample_grades *grades, size_t drawn,
                 const iv_family_list *l, iv_err *err)
{
    for (size_t k = 0; k < drawn; k++)
        for (size_t i = g->first[g->order[k]]; i < g->first[g->order[k] + 1]; i++)
            IV_TRY(iv_sample_put(f, grades, iv_str_of("review"), l->document[g->member[i]], err));
    return IV_OK;
}

int iv_sample_ids(iv_result *out, const iv_sample_question *q, iv_sample_grades *grades,
                  const iv_work *work, iv_err *err)
{
    char filled[IV_SAMPLE_FILLED_SIZE];
    typedef iv_sample_question T;
    iv_arena *own = iv_result_own(out);
    iv_stream s = iv_stream_start(iv_work_seed(work), IV_FOR_SAMPLING, UINT64_C(0x69647300));
    iv_family_list l;
    grouped g;
    size_t drawn = 0;

    if (q->from.runs.count > 0)
        return iv_fail(err, IV_EARG, "a list of documents is sampled without runs");
    IV_TRY(IV_REFUSE(q, "with --ids", err, IV_IDLE(depth, "depth"), IV_IDLE(how.design, "design"),
        IV_IDLE(how.strata.count, "strata"), IV_IDLE(how.rates.count, "rates"),
        IV_IDLE(how.spread, "divide"), IV_IDLE(how.pool_depth, "pool-depth"),
        IV_IDLE(how.budget, "budget"), IV_IDLE(how.budget_depth, "budget-depth"),
        IV_IDLE(from.judgments, "judged"), IV_IDLE(from.run_format, "run-format"),
        IV_IDLE(weights, "weights"), IV_IDLE(machine, "machine"),
        IV_IDLE(human_design, "human-design")));
    if (q->how.total == 0)
        return iv_fail(err, IV_EARG, "--ids needs --total: how many documents to sample");
    IV_TRY(iv_family_list_load(&l, own, q->ids, work, err));
    IV_TRY(group(&g, &l, own, err));
    const double budget = (double)q->how.total / (l.retrieved != NULL ? 2.0 : 1.0);
    if (l.retrieved != NULL)
        drawn = draw_families(&g, 0, &l, true, budget, &s);
    drawn += draw_families(&g, drawn, &l, false, budget, &s);
    iv_draw_shuffle(&s, g.order, drawn, sizeof *g.order);
    IV_TRY(write(NULL, &g, grades, drawn, &l, err)); /* counts */
    if (l.clustered)
        iv_result_answer(out, "%s of %s documents, %s of %s families, are to be judged.%s",
                         IV_COUNT(grades->chosen), IV_COUNT(l.count), IV_COUNT(drawn),
                         IV_COUNT(l.families), iv_sample_filled(filled, grades));
    else
        iv_result_answer(out, "%s of %s documents are to be judged.%s", IV_COUNT(grades->chosen),
                         IV_COUNT(l.count), iv_sample_filled(filled, grades));
    IV_TRY(iv_result_status(out, err)); /* before anything is written */
    return q->form != NULL ? write(q->form, &g, grades, drawn, &l, err) : IV_OK;
}

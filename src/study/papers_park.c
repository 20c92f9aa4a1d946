/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Park (2011), tables 1 to 3: how often intervals on mean average precision
 * miss the mean of the 249 topics of TREC 2004's Robust track, over 110 systems
 * and 1,000 samples of each.  The paper prints no standard errors; theirs is
 * taken as that of 110,000 independent samples, the least it can be.
 */
#include <math.h>

#include "study/map_study.h"
#include "study/papers_study.h"

enum { TABLES = 3, SIZES = 3, LEVELS = 10 };

static const iv_interval_method methods[TABLES] = { IV_INTERVAL_PERCENTILE, IV_INTERVAL_BCA,
                                                    IV_INTERVAL_LOGIT };
static const int64_t sizes[SIZES] = { 5, 10, 20 };
static const double levels[LEVELS] = { .05, .10, .15, .20, .25, .30, .35, .40, .45, .50 };

static const double printed[TABLES][LEVELS][SIZES] = {
    { { .1814, .1075, .0701 }, { .2279, .1576, .1191 }, { .2816, .2045, .1672 },
      { .3295, .2514, .2151 }, { .3658, .2981, .2628 }, { .4015, .3435, .3098 },
      { .4380, .3901, .3587 }, { .4789, .4357, .4054 }, { .5166, .4811, .4552 },
      { .5573, .5269, .5035 } },
    { { .1704, .0932, .0592 }, { .2186, .1442, .1067 }, { .2613, .1927, .1552 },
      { .3085, .2392, .2030 }, { .3515, .2848, .2500 }, { .3903, .3310, .2995 },
      { .4278, .3777, .3477 }, { .4664, .4242, .3958 }, { .5050, .4702, .4445 },
      { .5450, .5172, .4937 } },
    { { .0546, .0541, .0466 }, { .1097, .1075, .0934 }, { .1646, .1592, .1420 },
      { .2190, .2101, .1910 }, { .2724, .2606, .2406 }, { .3244, .3103, .2915 },
      { .3742, .3601, .3424 }, { .4232, .4089, .3924 }, { .4730, .4580, .4431 },
      { .5235, .5074, .4937 } },
};

#define THEIR_SAMPLES (110.0 * 1000.0)

static void add_table(iv_papers *p, int table, const iv_map_study_cell *cells)
{
    for (size_t n = 0; n < SIZES; n++)
        for (size_t a = 0; a < LEVELS; a++) {
            const double theirs = printed[table][a][n];
            const iv_map_study_cell *x = &cells[n * LEVELS + a];
            iv_papers_add(p, (iv_published){ .table = (iv_paper_table)(IV_PARK_1 + table),
                .published = theirs, .rounding = 0.00005,
                .published_se = sqrt(theirs * (1.0 - theirs) / THEIR_SAMPLES),
                .ours = x->error, .our_se = x->error_se },
                "n = %d, alpha = %.2f", (int)sizes[n], levels[a]);
        }
}

int iv_papers_park(iv_papers *p, const iv_papers_options *o, iv_err *err)
{
    iv_interval_method wanted[TABLES];
    int table[TABLES];
    size_t count = 0;
    iv_map_study_cell *cells = NULL;
    iv_arena own = { 0 };
    size_t found;

    for (int t = 0; t < TABLES; t++) {
        if (!o->wanted[IV_PARK_1 + t])
            continue;
        if (o->robust2004 == NULL)
            iv_papers_leave_out(p, (iv_paper_table)(IV_PARK_1 + t), "it needs the matrix of "
                                "TREC 2004's Robust track: --robust2004 FILE");
        table[count] = t;
        wanted[count++] = methods[t];
    }
    if (count == 0 || o->robust2004 == NULL)
        return IV_OK;
    const int rc = iv_map_study(&cells, &found, &own, o->robust2004, &(iv_map_study_options){
        .methods = wanted, .method_count = count, .n = { sizes, SIZES },
        .alpha = { levels, LEVELS }, .samples = o->quick ? 50 : 0 }, iv_papers_work(p), err);
    for (size_t i = 0; i < count && rc == IV_OK; i++)
        add_table(p, table[i], cells + i * SIZES * LEVELS);
    iv_arena_free(&own);
    return rc;
}

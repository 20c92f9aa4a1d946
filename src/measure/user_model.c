/* SPDX-License-Identifier: Apache-2.0 */
/*
 * User models.  A reader looks at rank 1 and goes on from rank i with probability c(i);
 * a measure is what the reader expects of it.  P(i) = c(1) ... c(i - 1) is the chance
 * to see rank i, and 1000 ranks are looked at, as cwl_eval does: what is behind the
 * list has no gain.
 *
 * Ref: Moffat, Bailey, Scholer and Thomas (2017), Incorporating user expectations and
 * behavior into the measurement of search effectiveness, ACM TOIS 35, 24;
 * Azzopardi, Thomas and Moffat (2019), cwl_eval, SIGIR.
 */
#include "measure/definition.h"
#include "measure/topic.h"

#include <math.h>

enum { RANKS = 1000 };

/* A rank as the reader meets it. */
typedef struct iv_met {
    double rank, gain;
    double sum;  /* of the gains down to it */
    double rest; /* of gain / rank of those below */
    double p, target, cutoff;
} iv_met;

typedef struct model {
    const char *name;
    double (*goes_on)(const iv_met *at);
    bool binary, cut; /* gains are 0 or 1; it needs a cut-off */
    double p;         /* unless given */
} model;

static double squared(double x)
{
    return x * x;
}

static double insq(const iv_met *m)
{
    return squared((m->rank + 2.0 * m->target - 1.0) / (m->rank + 2.0 * m->target));
}

static double inst(const iv_met *m)
{
    const double both = 2.0 * m->target - m->sum;

    return squared((m->rank + both - 1.0) / (m->rank + both));
}

static double before_cut(const iv_met *m, double c)
{
    return m->rank < m->cutoff ? c : 0.0;
}

static double bpm(const iv_met *m) { return before_cut(m, m->sum < m->target ? 1.0 : 0.0); }
static double nerr8(const iv_met *m) { return before_cut(m, 1.0 - m->gain); }
static double nerr10(const iv_met *m) { return m->p * (1.0 - m->gain); }
static double nerr11(const iv_met *m) { return insq(m) * (1.0 - m->gain); }
static double precision(const iv_met *m) { return before_cut(m, 1.0); }
static double first(const iv_met *m) { return m->sum > 0.0 ? 0.0 : 1.0; }
static double biased(const iv_met *m) { return m->p; }

static double nerr9(const iv_met *m)
{
    return before_cut(m, m->rank / (m->rank + 1.0) * (1.0 - m->gain));
}

static double sdcg(const iv_met *m)
{
    return before_cut(m, log2(m->rank + 1.0) / log2(m->rank + 2.0));
}

static double average(const iv_met *m)
{
    return m->rest > 0.0 ? m->rest / (m->rest + m->gain / m->rank) : 0.0;
}

/* In the order of iv_model. */
static const model models[] = {
    { "", NULL, false, false, 0.0 },
    { "INST", inst, false, false, 0.0 },     { "INSQ", insq, false, false, 0.0 },
    { "BPM", bpm, false, true, 0.0 },        { "SDCG", sdcg, false, true, 0.0 },
    { "NERR8", nerr8, false, true, 0.0 },    { "NERR9", nerr9, false, true, 0.0 },
    { "NERR10", nerr10, false, false, 0.9 }, { "NERR11", nerr11, false, false, 0.0 },
    { "P", precision, true, true, 0.0 },     { "RR", first, true, false, 0.0 },
    { "AP", average, true, false, 0.0 },     { "RBP", biased, true, false, 0.8 },
};

iv_model iv_model_named(iv_str name)
{
    for (int i = 1; i < (int)(sizeof models / sizeof *models); i++)
        if (iv_str_cmp(iv_str_of(models[i].name), name) == 0)
            return (iv_model)i;
    return IV_MODEL_NONE;
}

const char *iv_model_name(iv_model m) { return models[m].name; }

bool iv_model_cut(iv_model m) { return models[m].cut; }

bool iv_model_binary(iv_model m) { return models[m].binary; }

double iv_model_gain(const iv_requested *a, int32_t largest, int32_t grade)
{
    const double max = (double)(a->max_grade > 0 ? a->max_grade : largest);
    const double min = (double)a->min_grade;

    if (models[a->model].binary)
        return grade >= 0 && grade >= a->level ? 1.0 : 0.0;
    return max > min ? (fmin(fmax((double)grade, min), max) - min) / (max - min) : 0.0;
}

static iv_met start(const iv_requested *a)
{
    return (iv_met){ .p = isnan(a->persistence) ? models[a->model].p : a->persistence,
                     .target = a->target, .cutoff = (double)a->cutoff };
}

double iv_model_weight(const iv_requested *a, size_t rank)
{
    iv_met at = start(a);
    double p = 1.0;

    for (size_t i = 1; i < rank && p > 0.0; i++) {
        at.rank = (double)i;
        p *= models[a->model].goes_on(&at);
    }
    return rank <= RANKS ? p : 0.0;
}

/* What the reader expects: documents looked at, a document's mean gain, its cost (every document
 * costs the same), gain until the reader stops, and where that is. */
enum { ITEMS, UTILITY_EACH, COST, TOTAL, STOP, EXPECTED };

static void fill(double gain[RANKS], const iv_requested *a, const iv_topic *t, bool best)
{
    const iv_ranking *r = t->view->ranking;

    for (size_t i = 0; i < RANKS; i++)
        gain[i] = best ? 1.0 : 0.0;
    for (size_t i = 0; i < r->hit_count && r->hits[i].rank <= RANKS; i++)
        if (r->hits[i].grade >= 0)
            gain[r->hits[i].rank - 1] = iv_model_gain(a, t->largest_grade, r->hits[i].grade);
}

/* best: where nothing is known gains are 1. */
static double read_down(const iv_requested *a, const iv_topic *t, int which, bool best)
{
    double gain[RANKS], below[RANKS + 1], p = 1.0, e[EXPECTED] = { [COST] = 1.0 };
    iv_met at = start(a);

    fill(gain, a, t, best);
    below[RANKS] = 0.0;
    for (size_t i = RANKS; i-- > 0;)
        below[i] = below[i + 1] + gain[i] / (double)(i + 1);
    for (size_t i = 0; i < RANKS; i++) {
        at.rank = (double)(i + 1);
        at.gain = gain[i];
        at.sum += gain[i];
        at.rest = below[i + 1];
        const double c = models[a->model].goes_on(&at);
        e[ITEMS] += p;
        e[UTILITY_EACH] += p * gain[i];
        e[TOTAL] += p * (1.0 - c) * at.sum;
        e[STOP] += p * (1.0 - c) * at.rank;
        p *= c;
        if (!(p > 0.0))
            break;
    }
    e[UTILITY_EACH] /= e[ITEMS];
    return e[which];
}

static void put(double *out, const iv_requested *a, const iv_topic *t, int which)
{
    *out = read_down(a, t, which, false);
    if (a->residual)
        *out = read_down(a, t, which, true) - *out;
}

#define QUANTITY(symbol, of, top, how, line, words)                                  \
    static void compute_##symbol(double *out, const iv_requested *a, const iv_topic *t)  \
    {                                                                                \
        put(out, a, t, of);                                                          \
    }                                                                                \
    static const iv_definition iv_define_##symbol = {                                \
        .info = { .name = #symbol, .ir_name = #symbol, .family = "user models",      \
                  .usage = how, .brief = line, .text = words, .kind = IV_REAL,       \
                  .summary = IV_SUMMARY_MEAN, .highest = top, .per_topic = true,     \
                  .overall = true, .graded = true },                                 \
        .at = IV_AT_MAY, .persistence = NAN, .target = 1.0,                          \
        .keywords = IV_IR_MODEL | IV_IR_P | IV_IR_T | IV_IR_REL | IV_IR_MIN_REL      \
            | IV_IR_MAX_REL | IV_IR_RESIDUAL,                                        \
        .compute = compute_##symbol }

#define MODELS                                                                       \
    "\nmodel: P, RR, AP, RBP (gain 1 from grade rel on) or INST, INSQ, BPM, SDCG, NERR8\n" \
    "to NERR11 (gain by grade) with their parameters; a cut-off where they need one.\n"   \
    "residual=True is how much more it would be if every rank that is not judged, also\n" \
    "behind the list, had gain 1. Ref: Moffat and others (2017), TOIS 35, 24. Bounds and\n" \
    "ties are known for some models only, under their own names.\n"

QUANTITY(EU, UTILITY_EACH, 1.0, "EU(model=RBP,p=0.8)  EU(model=INST,T=2)",
         "expected utility a document of a user model",
         "EU = (sum over ranks i of P(i) gain(i)) / (sum of P(i))\n"
         "P(i): the chance that the reader gets to rank i, of 1000.\n" MODELS);
QUANTITY(ETU, TOTAL, INFINITY, "ETU(model=P)@10  ETU(model=INST,T=2)",
         "expected total utility of a user model",
         "ETU = sum over ranks i of P(i) (1 - c(i)) (gain down to i)\n"
         "c(i): the chance to go on from rank i.\n" MODELS);
QUANTITY(EC, COST, 1.0, "EC(model=P)@10", "expected cost a document of a user model",
         "1: every document costs the same here.\n" MODELS);
QUANTITY(ETC, STOP, INFINITY, "ETC(model=P)@10  ETC(model=BPM,T=2)@10",
         "expected total cost of a user model",
         "ETC = sum over ranks i of P(i) (1 - c(i)) i\n"
         "A document costs 1.\n" MODELS);
QUANTITY(ED, ITEMS, INFINITY, "ED(model=RBP,p=0.8)  ED(model=NERR8)@10",
         "documents that the reader of a user model looks at",
         "ED = sum over ranks i of P(i)\n" MODELS);

#define MODEL(symbol, must, keys, bounded, first_p, how, line, words)                \
    static const iv_definition iv_define_##symbol = {                                \
        .info = { .name = #symbol, .ir_name = #symbol, .family = "user models",      \
                  .usage = how, .brief = line,                                       \
                  .text = words "gain: (grade - min_rel) / (max_rel - min_rel), held in [0, 1];\n" \
                          "min_rel is 0 and max_rel the largest grade of all judgments unless\n"   \
                    "given. residual=True: what ranks that are not judged, also behind the\n" \
                          "list, could add. Unjudged documents have gain 0.\n",      \
                  IV_MEAN_WITHIN(0.0, 1.0), .graded = true },                        \
        .at = must, .model = IV_MODEL_##symbol, .persistence = first_p, .target = 1.0, \
        .keywords = (keys) | IV_IR_MIN_REL | IV_IR_MAX_REL | IV_IR_RESIDUAL,         \
        .range = bounded, .compute = compute_EU }

#define UTILITY(c)                                                                   \
    "The mean gain that a reader meets who goes on from rank i with probability\n"   \
    "c(i) = " c "\n\n"
#define TO_1000 "Rank 1000 is the last that is looked at.\n"
#define NO_BOUNDS                                                                    \
    "Bounds and ties are not known: a higher gain can lower the value, since the\n"  \
    "reader stops sooner.\n"
#define NO_EXPECTATION                                                               \
    "Values over ties are not known: the expected ratio has no closed form.\n"

MODEL(INST, IV_AT_NEVER, IV_IR_T, IV_RANGE_NONE, 0.0, "INST(max_rel=2)  INST(T=2.5,max_rel=3)",
      "INST, a reader who wants a gain of T",
      UTILITY("((i + 2T - G(i) - 1) / (i + 2T - G(i)))^2, G(i): gain down to i.")
      TO_1000 NO_BOUNDS "Ref: Moffat, Bailey, Scholer and Thomas (2015), ADCS.\n");
MODEL(INSQ, IV_AT_NEVER, IV_IR_T, IV_RANGE_WEIGHTS, 0.0, "INSQ(max_rel=2)  INSQ(T=2.5)",
      "INSQ, a reader who wants a gain of T and does not see it",
      UTILITY("((i + 2T - 1) / (i + 2T))^2.")
      TO_1000 "Ref: Moffat, Scholer and Thomas (2012), ADCS.\n");
MODEL(BPM, IV_AT_MUST, IV_IR_T, IV_RANGE_NONE, 0.0, "BPM(T=2,max_rel=2)@10",
      "Bejeweled player model: until a gain of T or rank k",
      UTILITY("1 while the gain down to i is below T and i below k, else 0.")
      NO_BOUNDS "Ref: Zhang and others (2017), SIGIR.\n");
MODEL(SDCG, IV_AT_MUST, IV_IR_DCG, IV_RANGE_WEIGHTS, 0.0, "SDCG(max_rel=2)@10",
      "scaled DCG: by the DCG of k documents of the highest gain",
      UTILITY("log2(i + 1) / log2(i + 2) for i below k, else 0.")
      "Ref: Jarvelin and Kekalainen (2002), ACM TOIS 20.\n");
MODEL(NERR8, IV_AT_MUST, 0, IV_RANGE_RISES, 0.0, "NERR8(max_rel=2)@10",
      "nearly ERR, equation 8: stops by gain, or at rank k",
      UTILITY("1 - gain(i) for i below k, else 0.") NO_EXPECTATION
      "Ref: Azzopardi, Mackenzie and Moffat (2021), ICTIR.\n");
MODEL(NERR9, IV_AT_MUST, 0, IV_RANGE_RISES, 0.0, "NERR9(max_rel=2)@10",
      "nearly ERR, equation 9: with a discount",
      UTILITY("(1 - gain(i)) i / (i + 1) for i below k, else 0.") NO_EXPECTATION
      "Ref: Azzopardi, Mackenzie and Moffat (2021), ICTIR.\n");
MODEL(NERR10, IV_AT_NEVER, IV_IR_P, IV_RANGE_RISES, 0.9, "NERR10(p=0.8,max_rel=2)",
      "nearly ERR, equation 10: with a persistence",
      UTILITY("p (1 - gain(i)); p is 0.9 unless given.") TO_1000 NO_EXPECTATION
      "Ref: Azzopardi, Mackenzie and Moffat (2021), ICTIR.\n");
MODEL(NERR11, IV_AT_NEVER, IV_IR_T, IV_RANGE_RISES, 0.0, "NERR11(T=2,max_rel=2)",
      "nearly ERR, equation 11: with a wanted gain of T",
      UTILITY("(1 - gain(i)) ((i + 2T - 1) / (i + 2T))^2.") TO_1000 NO_EXPECTATION
      "Ref: Azzopardi, Mackenzie and Moffat (2021), ICTIR.\n");

/* What trec_eval lacks. */
const iv_definition *const iv_beyond_user_model[] = {
    &iv_define_INST, &iv_define_INSQ, &iv_define_BPM, &iv_define_SDCG, &iv_define_NERR8,
    &iv_define_NERR9, &iv_define_NERR10, &iv_define_NERR11, &iv_define_EU, &iv_define_ETU,
    &iv_define_EC, &iv_define_ETC, &iv_define_ED, NULL
};

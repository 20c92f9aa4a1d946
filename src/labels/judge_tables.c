/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of judges beside a reference: tables, charts, notes. */
#include "base/listing.h"
#include "base/memory.h"
#include "labels/agree.h"
#include "result/answering.h"
#include "result/wording.h"

#include <math.h>
#include <string.h>

enum { WITH_RUNS = 1 << 0, SEVERAL = 1 << 1 };

/* Above this the calibration is said to differ between topics, if chance does not do it. */
static const double drift_told = 0.3, drift_level = 0.01;

#define QUIETLY(name_, member, what, for_)                                                      \
    { name_, IV_AT(iv_judge_summary, member.value), .digits = 3, .audience = for_,              \
      .about = what },                                                                           \
    IV_LIMITS_NAMED(iv_judge_summary, name_ "_", member., 3, IV_FOR_PROGRAMS)

const iv_field iv_judge_fields[] = {
    { "judge", IV_AT(iv_judge_summary, name), .about = "file of the judge" },
    { "topics", IV_AT(iv_judge_summary, judge.topics), .audience = IV_FOR_PROGRAMS,
      .about = "topics that both have" },
    { "pairs", IV_AT(iv_judge_summary, judge.pairs), .heading = "documents",
      .about = "documents that both labelled" },
    { "level", IV_AT(iv_judge_summary, judge.level), .audience = IV_FOR_PROGRAMS,
      .about = "the reference's lowest relevant grade" },
    { "judge_level", IV_AT(iv_judge_summary, judge.judge_level), .audience = IV_FOR_PROGRAMS,
      .about = "lowest relevant grade of the judge" },
    { "kappa", IV_AT(iv_judge_summary, judge.kappa.is.value), .digits = 3,
      .about = "agreement on relevant or not, beyond chance" },
    { "kappa_lower", IV_AT(iv_judge_summary, judge.kappa.is.lower), .digits = 3, .heading = "lower",
      .about = "lower limit of the interval" },
    { "kappa_upper", IV_AT(iv_judge_summary, judge.kappa.is.upper), .digits = 3, .heading = "upper",
      .about = "upper limit of the interval" },
    { "agreement", IV_AT(iv_judge_summary, judge.kappa.agreement), .digits = 3,
      .about = "proportion of documents with the same label" },
    QUIETLY("kappa_grades", judge.graded.is, "agreement on grades, beyond chance", IV_IF_VERBOSE),
    QUIETLY("sensitivity", judge.sensitivity, "proportion of relevant documents labelled relevant",
            IV_FOR_ALL),
    QUIETLY("specificity", judge.specificity, "proportion of other documents labelled not relevant",
            IV_FOR_ALL),
    QUIETLY("bias", judge.bias, "proportion labelled relevant minus that of the reference",
            IV_FOR_ALL),
    QUIETLY("informativeness", judge.worth_graded,
            "reference labels needed without the judge, divided by those needed with it for the "
            "same standard error",
            IV_FOR_ALL),
    QUIETLY("informativeness_binary", judge.worth, "informativeness for relevant or not relevant",
            IV_IF_VERBOSE),
    { "drift", IV_AT(iv_judge_summary, judge.drift_sd), .digits = 3, .audience = IV_IF_VERBOSE,
      .about = "relative standard deviation of the calibration between topics" },
    { "drift_p", IV_AT(iv_judge_summary, judge.drift.p), .digits = 4, .audience = IV_IF_VERBOSE,
      .about = "p-value of no difference between topics" },
    { "p_best", IV_AT(iv_judge_summary, p_best), .digits = 4, .needs = SEVERAL,
      .heading = "p (against the first)",
      .about = "p-value of being as informative as the first judge" },
    { "tau", IV_AT(iv_judge_summary, runs.orders.tau), .digits = 3, .needs = WITH_RUNS,
      .heading = "tau of runs",
      .about = "Kendall's tau between the rankings of runs by judge and by reference" },
    { "flips", IV_AT(iv_judge_summary, runs.flips), .needs = WITH_RUNS,
      .heading = "pairs reversed",
      .about = "pairs of runs that differ significantly in opposite directions" },
    { "lost", IV_AT(iv_judge_summary, runs.lost), .needs = WITH_RUNS,
      .heading = "pairs significant by reference only",
      .about = "pairs of runs that differ significantly by the reference only" },
    { "new", IV_AT(iv_judge_summary, runs.fresh), .needs = WITH_RUNS,
      .heading = "pairs significant by judge only",
      .about = "pairs of runs that differ significantly by the judge only" },
    { NULL } };

const iv_field iv_judge_cell_fields[] = {
    { "judge", IV_AT(iv_judge_cell, by), .audience = IV_IF_VARIES, .about = "file of the judge" },
    { "reference", IV_AT(iv_judge_cell, reference), .about = "the reference's grade" },
    { "label", IV_AT(iv_judge_cell, judge), .about = "label of the judge" },
    { "pairs", IV_AT(iv_judge_cell, pairs), .heading = "documents",
      .about = "documents with this grade and label" },
    { "proportion", IV_AT(iv_judge_cell, share), .digits = 4,
      .about = "weighted proportion of all documents" },
    { NULL } };

const iv_field iv_judge_label_fields[] = {
    { "judge", IV_AT(iv_judge_label, by), .audience = IV_IF_VARIES, .about = "file of the judge" },
    { "label", IV_AT(iv_judge_label, label),
      .about = "label of the judge; for scores, the decile" },
    { "pairs", IV_AT(iv_judge_label, pairs), .heading = "documents",
      .about = "documents with this label" },
    { "judged", IV_AT(iv_judge_label, judged), .heading = "judged in reference",
      .about = "documents also judged by the reference" },
    { "relevant", IV_AT(iv_judge_label, share.value), .digits = 4, .heading = "proportion relevant",
      .about = "proportion relevant by the reference" },
    IV_LIMITS(iv_judge_label, share., 4),
    { "grade", IV_AT(iv_judge_label, grade), .digits = 3, .heading = "mean grade",
      .about = "mean grade of the reference" },
    { NULL } };

/* Endings that say what a file is; any other dot is the judge's own, as in llama3.2. */
const char *iv_judge_name(iv_arena *memory, const char *path)
{
    static const char *const ends[] = { ".gz", ".zst", ".qrels", ".prels", ".jsonl", ".json",
                                        ".csv",
                                        ".tsv", ".txt" };
    const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path;
    iv_str s = { name, strlen(name) };

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const size_t end = strlen(ends[i]);
        if (s.len > end && memcmp(name + s.len - end, ends[i], end) == 0)
            s.len -= end;
    }
    return iv_arena_copy(memory, s);
}

static void put_judges(iv_result *out, const iv_judge_summary *judges, size_t count,
                       iv_showing showing)
{
    iv_table *t = IV_TABLE(out, "judges", iv_judge_fields, judges, count, .showing = showing,
                           .with = (count > 1 ? SEVERAL : 0)
                               | (judges->runs.systems > 0 ? WITH_RUNS : 0));
    iv_table_head(t, "bias", "proportion relevant, judge minus reference");
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_FOREST, .table = "judges", .title = "Agreement with the reference",
        .caption = "A point is kappa, the agreement beyond chance on what is relevant; the line "
                   "is its interval over topics.", .label = "judge", .value = "kappa",
        .lower = "kappa_lower", .upper = "kappa_upper" });
}

static void put_labels(iv_result *out, iv_arena *memory, const iv_judge_summary *judges,
                       size_t count, iv_showing showing)
{
    size_t cells = 0, labels = 0, c = 0, l = 0;

    for (size_t i = 0; i < count; i++) {
        cells += judges[i].judge.cell_count;
        labels += judges[i].judge.label_count;
    }
    iv_judge_cell *cell = iv_take(memory, cells, sizeof *cell);
    iv_judge_label *label = iv_take(memory, labels, sizeof *label);
    const bool ok = cell != NULL && label != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const iv_judge *x = &judges[i].judge;
        for (size_t k = 0; k < x->cell_count; k++) {
            cell[c] = x->cells[k];
            cell[c++].by = judges[i].name;
        }
        for (size_t k = 0; k < x->label_count; k++) {
            label[l] = x->labels[k];
            label[l++].by = judges[i].name;
        }
    }
    const iv_showing one = count > 1 && showing == IV_SHOWN ? IV_ASIDE : showing;
    IV_TABLE(out, "confusion", iv_judge_cell_fields, cell, c, .showing = one);
    IV_TABLE(out, "calibration", iv_judge_label_fields, label, l, .showing = one);
}

void iv_judge_tables(iv_result *out, iv_arena *memory, const iv_judge_summary *judges,
                     size_t count, iv_showing showing)
{
    put_judges(out, judges, count, showing);
    put_labels(out, memory, judges, count, showing);
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "calibration", .title = "What a label means",
        .caption = "A point is a label of the judge. Its height is the proportion of documents "
                   "with this label that the reference calls relevant. The line is its interval "
                   "over topics.",
        .x = "label", .value = "relevant", .lower = "lower", .upper = "upper", .page = "judge",
        .value_axis = { .title = "proportion that is relevant", .from = 0.0, .to = 1.0 } });
}

/* ----------------------------------------------------------------- notes -- */

static void tell_one_side(iv_result *out, const iv_judge_summary *j)
{
    const iv_judge *x = &j->judge;

    if (x->only_reference > 0)
        iv_result_note(out, "%s judged document%s %s excluded: '%s' has no label for %s.",
                       IV_COUNT(x->only_reference), iv_plural(x->only_reference),
                       x->only_reference == 1 ? "is" : "are", j->name,
                       x->only_reference == 1 ? "it" : "them");
    if (x->topics_reference > 0)
        iv_result_note(out, "'%s' has no labels for %s judged topic%s.", j->name,
                       IV_COUNT(x->topics_reference), iv_plural(x->topics_reference));
}

void iv_judge_notes(iv_result *out, const iv_judge_summary *judges, size_t count)
{
    iv_listing few = { .most = 5 }, one = { .most = 5 }, drifts = { .most = 5 },
               scored = { .most = 5 };
    double most = 0.0;

    for (size_t i = 0; i < count; i++) {
        const iv_judge *x = &judges[i].judge;
        const iv_str name = iv_str_of(judges[i].name);
        tell_one_side(out, &judges[i]);
        if (x->kappa.few || x->graded.few)
            iv_list_quoted(&few, name);
        if (x->constant)
            iv_list_quoted(&one, name);
        if (x->scored)
            iv_list_quoted(&scored, name);
        if (x->drift_sd > drift_told && x->drift.p < drift_level) {
            iv_list_quoted(&drifts, name);
            most = fmax(most, x->drift_sd);
        }
    }
    if (one.count > 0)
        iv_result_note(out, "These judges gave all documents the same label: %s.",
                       iv_listed(&one));
    if (few.count > 0)
        iv_result_note(out, "The interval of kappa is not reliable for %s: there are fewer than "
                            "%d documents of some label, or fewer than %d disagreements. In "
                            "simulations, the coverage of such 95 %% intervals was 71 %% to 100 "
                            "%%. Label more documents.",
                       iv_listed(&few), IV_KAPPA_RARE, IV_KAPPA_APART);
    if (scored.count > 0)
        iv_result_note(out, "These labels are scores, cut into grades as frequent as the "
                            "reference's: %s.", iv_listed(&scored));
    if (drifts.count > 0)
        iv_result_note(out, "Among documents with the same label from %s, the proportion of "
                            "relevant ones differs significantly between topics (relative standard "
                            "deviation up to %.2f). Calibration of labels (--table "
                            "calibration) holds on average over topics, not for each.",
                       iv_listed(&drifts), most);
}

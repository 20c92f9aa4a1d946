/* SPDX-License-Identifier: Apache-2.0 */
/* What must be said wherever a machine's labels are used. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "answer/assisted_parts.h"
#include "answer/judge_tables.h"
#include "answer/run_notes.h"

enum { FEW_TOPICS = 15, FEW_DOCUMENTS = 100 };
static const double unlike_level = 0.01;

bool iv_machine_idle(const iv_assisted_mean *m)
{
    return m->units > m->judged && m->judged > 3
        && !(m->rho * m->rho >= 1.0 / ((double)m->judged - 2.0));
}

static void tell_topics(iv_result *out, const iv_assisted_view *v, const iv_machines *how)
{
    const iv_sampling *sampling = iv_evaluation_view(v->human)->sampling;

    if (sampling != NULL && v->rectified == NULL)
        iv_result_note(out, "the sample's file does not tell which documents could be drawn: the "
                       "machine's labels count over topics only");
    if (v->rectified != NULL && v->units == v->judged)
        iv_result_note(out, "the machine's labels say how likely each document of the frame is "
                       "relevant, learnt on the other topics and put right by the sample%s", v->framed ? ""
                       : "; it labelled a part of the frame only, so that this counts for P at "
                       "cut-offs: what is divided by the number of relevant documents (AP, nDCG, "
                       "recall) would be biased, and is people's alone");
    else if (v->complete)
        iv_result_note(out, "people judged every topic that the machine labelled: the answer is "
                       "theirs alone");
    else if (v->units == v->judged)
        iv_result_note(out, "the machine labelled no topic beyond the judged ones: the answer is "
                       "people's alone");
    if (v->human_only > 0)
        iv_result_note(out, "%zu judged topic%s without the machine's labels count%s for people "
                       "alone only", v->human_only, iv_plural(v->human_only),
                       v->human_only == 1 ? "s" : "");
    if (v->given > v->machines)
        iv_result_note(out, "of %zu machines the first %zu count: %zu judged topics allow no more; "
                       "to choose by what agrees best with the same judgments would overstate the "
                       "gain", v->given, v->machines, v->judged);
    else if (v->machines > 1)
        iv_result_note(out, "%zu machines together; had they been chosen by the same judgments, "
                       "the gain would be overstated", v->machines);
    if (v->units > v->judged && v->judged < FEW_TOPICS)
        iv_result_note(out, "%zu judged topics: fewer than %d tell little of how far the machine "
                       "can be trusted", v->judged, FEW_TOPICS);
    if (v->unlike < unlike_level)
        iv_result_note(out, "the judged topics are not like the others: by the machine their scores "
                       "differ (p = %.2g); if they were chosen by what is easy or hard, intervals do "
                       "not hold", v->unlike);
    if (how->infer == IV_INFER_THESE)
        iv_result_note(out, "intervals are of these %zu topics, not of others like them",
                       v->units);
}

/* Where a sample found nothing relevant, how many there are is the machine's guess. */
static void tell_floor(iv_result *out, const iv_assisted_view *v)
{
    const iv_sampling *s = v->rectified != NULL ? iv_evaluation_view(v->human)->sampling : NULL;
    const size_t topics = s != NULL ? iv_judgments_topics(iv_sampling_judgments(s)) : 0;
    const int32_t level = iv_judge_view(v->judges[0])->level;
    size_t empty = 0;

    for (size_t t = 0; t < topics; t++) {
        const iv_sampling_topic x = iv_sampling_topic_at(s, t);
        bool found = false;
        for (size_t d = 0; d < x.count; d++)
            found = found || (x.pi[d] > 0.0 && x.grade[d] >= level);
        empty += !found;
    }
    if (5 * empty > topics)
        iv_result_note(out, "in %zu of %zu topics nothing relevant was drawn, and the number of "
                       "relevant documents is at its floor: measures that divide by it (AP, nDCG, "
                       "recall) lean on the machine there; judge more documents a topic", empty,
                       topics);
}

/* With few judged documents what divides by the number of relevant ones leans on a guess of it. */
static bool few_documents(double *each, const iv_assisted_view *v)
{
    const iv_judged_by *judge = iv_judge_view(v->judges[0]);

    *each = (double)judge->pairs / (double)judge->topics;
    return v->rectified != NULL && v->framed && *each < FEW_DOCUMENTS;
}

void iv_assisted_doubted(char *out, size_t size, const iv_assisted_view *v, const char *measure,
                         const iv_assisted_mean *m)
{
    const iv_evaluated *e = iv_evaluation_view(v->human);
    double each;
    bool divides = false;

    for (size_t i = 0; i < e->measure_count; i++)
        divides = divides || (strcmp(e->measures[i].name, measure) == 0 && e->measures[i].info != NULL
                              && strcmp(e->measures[i].info->measure->name, "P") != 0);
    *out = '\0';
    if (!isfinite(m->lower) && m->reason[0] != '\0')
        (void)snprintf(out, size, " No interval: %s.", m->reason);
    else if (divides && few_documents(&each, v))
        (void)snprintf(out, size, " The interval has room for a bias: %.0f judged documents a topic do "
                       "not tell how many are relevant.", each);
}

static void tell_few(iv_result *out, const iv_assisted_view *v)
{
    double each;

    if (few_documents(&each, v) && each >= 15.0)
        iv_result_note(out, "%.0f judged documents a topic: with fewer than %d intervals of AP and "
                       "recall may not hold, least with a machine that tells little, since the number "
                       "of relevant documents that they divide by is partly a guess", each,
                       FEW_DOCUMENTS);
}

/* Documents of the runs that the machine did not label. */
static void tell_unlabelled(iv_result *out, const iv_assisted_view *v)
{
    const iv_evaluated *x = iv_evaluation_view(v->machine);
    size_t top = 0, unlabelled = 0;

    for (size_t r = 0; r < x->run_count; r++) {
        top += x->runs[r].noted.top_retrieved;
        unlabelled += x->runs[r].noted.top_unjudged;
    }
    if (unlabelled > 0)
        iv_result_note(out, "%zu of %zu documents (%.2g %%) among the first 10 of all topics and runs "
                       "%s no label of the machine, and count%s as not relevant in its scores",
                       unlabelled, top, 100.0 * (double)unlabelled / (double)top,
                       unlabelled == 1 ? "has" : "have", unlabelled == 1 ? "s" : "");
}

static void tell_grades(iv_result *out, const iv_told_judge *judge)
{
    if (judge->is->level != judge->is->judge_level)
        iv_result_note(out, "%s has other grades than people: relevant is its label %d and more, "
                       "theirs %d and more", judge->name, (int)judge->is->judge_level,
                       (int)judge->is->level);
}

int iv_tell_machines(iv_result *out, iv_arena *memory, const iv_source *source,
                     const iv_machines *machines, const iv_assisted *a, size_t nothing,
                     size_t all, iv_err *err)
{
    const iv_assisted_view *v = iv_assisted_viewed(a);
    iv_told_judge *told = iv_take(memory, v->machines, sizeof *told);

    IV_TRY(iv_taken(memory, err));
    iv_tell_inputs(out, source, iv_evaluation_view(v->human));
    for (size_t i = 0; i < v->machines; i++) {
        told[i] = (iv_told_judge){ iv_judge_name(memory, machines->files.at[i]),
                                   iv_judge_view(v->judges[i]), (double)NAN, NULL };
        if (told[i].name == NULL)
            return iv_fail(err, IV_ENOMEM, "out of memory");
        iv_result_input(out, machines->files.at[i], v->bytes[i]);
    }
    iv_judge_tables(out, memory, told, v->machines, IV_ASIDE);
    tell_topics(out, v, machines);
    if (nothing > 0 && v->units > v->judged)
        iv_result_note(out, "the machine adds nothing to %s%zu of %zu estimates: over the judged "
                       "topics it does not follow people's values, and people alone are as good",
                       nothing == all ? "all " : "", nothing, all);
    tell_unlabelled(out, v);
    tell_floor(out, v);
    tell_few(out, v);
    for (size_t i = 0; i < v->machines; i++)
        tell_grades(out, &told[i]);
    iv_judge_notes(out, told, v->machines);
    if (v->rectified != NULL)
        iv_result_note(out, "the judged documents are taken for a random sample with the "
                       "probabilities that the file has; nothing in the data could show that they "
                       "are not");
    if (v->rectified == NULL || v->units > v->judged)
        iv_result_note(out, "the topics that people judged are taken for a random sample of all; "
                       "nothing in the data could show that they are not");
    iv_result_method(out, "Each measure is computed from people's judgments and from the machine's "
                     "labels. Over the judged topics the one is regressed on the other, and the "
                     "mean of the machine over all topics corrects people's mean; the error is the "
                     "jackknife's over topics, the interval Student's t, on the logit scale for "
                     "measures in [0, 1].");
    iv_result_assumption(out, "Which topics people judged was left to chance; the machine and its "
                         "instructions were the same for all; people's labels are the truth.");
    return IV_OK;
}

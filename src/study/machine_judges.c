/* SPDX-License-Identifier: Apache-2.0 */
/* study machine: who labels. */
#include "base/memory.h"
#include "intervale/num.h"
#include "study/machine_study.h"

enum { NOISE, INVERTED, MADE_UP, PURPOSE = 0x6d61 };

/* The first machine's labels shuffled over all documents, or turned round. */
static int make_up(iv_judgments **out, const iv_judgments *from, int how, uint64_t seed,
                   iv_arena *memory, iv_err *err)
{
    const size_t topics = iv_judgments_topics(from);
    const iv_judgment *j;
    size_t n = 0, k = 0;
    int32_t most = 0;

    for (size_t t = 0; t < topics; t++)
        n += iv_judgments_of(&j, from, t);
    iv_str *topic = iv_take(memory, n, sizeof *topic), *docno = iv_take(memory, n, sizeof *docno);
    int32_t *grade = iv_take(memory, n, sizeof *grade);
    IV_TRY(iv_taken(memory, err));
    for (size_t t = 0; t < topics; t++) {
        const size_t count = iv_judgments_of(&j, from, t);
        for (size_t i = 0; i < count; i++, k++) {
            topic[k] = iv_judgments_topic(from, t);
            docno[k] = j[i].docno;
            grade[k] = j[i].grade;
            most = grade[k] > most ? grade[k] : most;
        }
    }
    iv_stream s = iv_stream_start(seed, PURPOSE, 0);
    if (how == NOISE)
        iv_draw_shuffle(&s, grade, n, sizeof *grade);
    for (size_t i = 0; how == INVERTED && i < n; i++)
        grade[i] = most - grade[i];
    return iv_judgments_build(out, "made up", &(iv_judgment_columns){
        .count = n, .topic = { .strs = topic }, .docno = { .strs = docno }, .grade = grade }, NULL,
        err);
}

static void end_judgments(void *j) { iv_judgments_free(j); }
static void end_judge(void *j) { iv_judge_free(j); }

static int take_judge(iv_study_judges *out, iv_arena *own, size_t i,
                      const iv_study_machine_question *q, const iv_work *work, iv_err *err)
{
    const size_t made = i < q->machine.files.count ? MADE_UP : i - q->machine.files.count;
    iv_judgments *labels = NULL;

    if (made == MADE_UP)
        IV_TRY(iv_machine_labels_load(&labels, &out->scored[i], q->machine.files.at[i],
                                      (int)q->machine.format, work, err));
    else
        IV_TRY(make_up(&labels, out->labels[0], (int)made, work != NULL ? work->seed : 0, own,
                       err));
    out->labels[i] = iv_own(own, labels, end_judgments);
    IV_TRY(iv_taken(own, err));
    out->scored[i] = made == MADE_UP ? out->scored[i] : out->scored[0];
    out->name[i] = made == MADE_UP ? q->machine.files.at[i] : made == NOISE ? "noise" : "inverted";
    IV_TRY(iv_judge_new(&out->judge[i], out->human, q->source.judgments, labels, out->scored[i],
                        out->name[i], &(iv_judge_options){ .level = q->measure.level,
                                                           .judge_level = q->machine.level }, err));
    (void)iv_own(own, out->judge[i], end_judge);
    return iv_taken(own, err);
}

int iv_study_judges_load(iv_study_judges *out, iv_arena *own, const iv_study_machine_question *q,
                         const iv_work *work, iv_err *err)
{
    iv_judgments *human = NULL;

    IV_TRY(iv_judgments_load(&human, q->source.judgments, q->source.judgments_format, work, err));
    out->human = iv_own(own, human, end_judgments);
    out->count = q->machine.files.count + MADE_UP;
    out->name = iv_take(own, out->count, sizeof *out->name);
    out->labels = iv_take(own, out->count, sizeof *out->labels);
    out->judge = iv_take(own, out->count, sizeof *out->judge);
    out->scored = iv_take(own, out->count, sizeof *out->scored);
    IV_TRY(iv_taken(own, err));
    for (size_t i = 0; i < out->count; i++)
        IV_TRY(take_judge(out, own, i, q, work, err));
    return IV_OK;
}

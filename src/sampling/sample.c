/* SPDX-License-Identifier: Apache-2.0 */
/* sample -- which documents shall be judged, and with which probability? */
#include "base/arguments.h"
#include "base/err.h"
#include "base/listing.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "result/answering.h"
#include "result/methods.h"
#include "result/run_input.h"
#include "sampling/sample_labels.h"
#include "sampling/sample_state.h"
#include "sampling/sampling_messages.h"
#include "sampling/scheme.h"
#include "trec/run.h"
#include "trec/run_source.h"
#include "trec/trec_ends.h"

#include <string.h>

/* What is read and made. */
typedef struct work {
    const iv_sample_question *q;
    iv_result *out;
    size_t depth;
    iv_run_input in;
    const iv_judgments *judged;
    iv_frame *frame;
    iv_sample *sample;
    iv_sample_grades grades;
} work;

/* ------------------------------------------------------------------- runs -- */

static int read_files(work *w, const iv_work *how, iv_err *err)
{
    const iv_source *from = &w->q->from;
    iv_judgments *read = NULL;
    iv_stage stage;

    IV_TRY(iv_run_input_read(&w->in, w->out, from, iv_work_part(&stage, how, 0.0, 0.7), err));
    if (from->judged == NULL && from->judgments != NULL)
        IV_TRY(iv_judgments_input(&read, w->out, from->judgments, from->judgments_format,
                                  iv_work_part(&stage, how, 0.7, 1.0), err));
    w->judged = from->judged != NULL ? from->judged : read;
    return IV_OK;
}

IV_ENDS(frame)
IV_ENDS(sample)

/* Fills in the grades that are known. */
static void fill(work *w)
{
    for (size_t t = 0; t < w->sample->topic_count; t++) {
        iv_sample_topic *x = &w->sample->topics[t];
        for (size_t i = 0; i < x->count; i++)
            if (x->documents[i].grade < 0) {
                x->documents[i].grade = iv_sample_grade(&w->grades, x->topic,
                                                        x->documents[i].docno);
                x->judged += x->documents[i].grade >= 0;
            }
    }
}

static int make_sample(work *w, const iv_work *how, iv_err *err)
{
    iv_sample_options o = w->q->how;
    iv_stage stage;

    IV_TRY(iv_frame_new(&w->frame, w->in.runs, w->in.count, w->depth,
                        iv_work_part(&stage, how, 0.0, 0.5), err));
    IV_TRY(IV_KEEP(w->out, frame, w->frame, err));
    if (w->q->weights != NULL) {
        const iv_work quiet = iv_work_quiet(how);
        iv_run *weights = NULL;
        IV_TRY(iv_run_load(&weights, w->q->weights, IV_RUN_TREC, &quiet, err));
        IV_TRY(IV_KEEP(w->out, run, weights, err));
        iv_result_input(w->out, w->q->weights, iv_run_bytes(weights));
        IV_TRY(iv_frame_weigh(w->frame, weights, w->q->weights, err));
    }
    o.judged = w->judged;
    IV_TRY(iv_sample_draw(&w->sample, w->frame, &o, iv_work_part(&stage, how, 0.5, 1.0), err));
    return IV_KEEP(w->out, sample, w->sample, err);
}

static int check(const iv_sample_question *q, iv_err *err)
{
    typedef iv_sample_question T;
    const iv_sample_options *o = &q->how;

    IV_TRY(IV_REFUSE(q, "without --machine", err, IV_IDLE(human_design, "human-design")));
    if (o->design != IV_DESIGN_STRATIFIED && (o->strata.count > 0 || o->rates.count > 0))
        return iv_fail(err, IV_EARG, "strata and their rates are for a stratified design");
    if (o->design == IV_DESIGN_POOL && (o->budget > 0 || o->total > 0 || o->budget_depth > 0))
        return iv_fail(err, IV_EARG, "a pool is not sampled: its size is its depth");
    if (q->weights != NULL && o->design != IV_DESIGN_STEVENS && o->design != IV_DESIGN_STRATIFIED)
        return iv_fail(err, IV_EARG, "weights are for the designs stevens and stratified");
    if (o->spread != IV_SPREAD_EVEN && o->total == 0)
        return iv_fail(err, IV_EARG, "dividing a total needs a total");
    return IV_OK;
}

/* -------------------------------------------------------------- the notes -- */

/* What a person should know before judging. */
static void tell(const work *w)
{
    size_t all = 0, ahead = 0;

    for (size_t t = 0; t < w->sample->topic_count; t++) {
        const iv_sample_topic *x = &w->sample->topics[t];
        ahead += x->count - x->judged;
        all += x->asked > x->frame && w->q->how.design != IV_DESIGN_POOL;
    }
    IV_SAY_SAMPLING(w->out, "sample.to-judge", ahead, .value = { (double)w->sample->topic_count,
                                                        (double)w->depth });
    IV_SAY_SAMPLING(w->out, "sample.census", all);
    IV_SAY_SAMPLING(w->out, "sample.foreign", w->sample->foreign,
           .text = { w->q->from.judgments != NULL ? w->q->from.judgments : "the judgments" });
    iv_result_used(w->out, iv_design_names()[w->q->how.design]);
}

/* ----------------------------------------------------------------- tables -- */

/* A topic: its documents by how they were included. */
typedef struct design_row {
    iv_str topic;
    size_t frame, sampled, certain, judged, to_judge;
} design_row;

const iv_field iv_sample_design_fields[] = {
    { "topic", IV_AT(design_row, topic), .about = "id of the topic" },
    { "frame", IV_AT(design_row, frame), .about = "documents that could be sampled" },
    { "sampled", IV_AT(design_row, sampled), .about = "documents sampled" },
    { "certain", IV_AT(design_row, certain), .about = "documents included with certainty" },
    { "judged", IV_AT(design_row, judged), .about = "documents already judged" },
    { "to_judge", IV_AT(design_row, to_judge), .about = "documents to judge" },
    { NULL } };

/* Documents of a topic with the same probability of inclusion. */
typedef struct bucket_row {
    iv_str topic;
    size_t documents, place;
    double probability;
} bucket_row;

const iv_field iv_sample_bucket_fields[] = {
    { "topic", IV_AT(bucket_row, topic), .about = "id of the topic" },
    { "documents", IV_AT(bucket_row, documents), .about = "documents sampled with the same "
      "probability" },
    { "place", IV_AT(bucket_row, place),
      .about = "position of the last of these documents in the frame, by falling weight" },
    { "probability", IV_AT(bucket_row, probability), .digits = 4,
      .about = "probability of inclusion of each document" },
    { NULL } };

static size_t bucket_count(const iv_sample_topic *x)
{
    return x->scheme != NULL ? x->scheme->buckets : 0;
}

/*
 * With which probability documents are judged: a row a bucket of equal ones,
 * at the place of its last document; before it one for where the steps begin.
 */
static size_t fill_buckets(bucket_row *rows, const iv_sample_topic *x)
{
    size_t place = x->fixed, count = 0;

    if (x->fixed > 0)
        rows[count++] = (bucket_row){ .topic = x->topic, .probability = 1.0 };
    else if (bucket_count(x) > 0)
        rows[count++] = (bucket_row){ .topic = x->topic,
                                      .probability = x->scheme->bucket[0].pi };
    if (x->fixed > 0)
        rows[count++] = (bucket_row){ .topic = x->topic, .documents = x->fixed, .place = place,
                                      .probability = 1.0 };
    for (size_t b = 0; b < bucket_count(x); b++) {
        const iv_bucket *bucket = &x->scheme->bucket[b];
        place += bucket->size;
        rows[count++] = (bucket_row){ .topic = x->topic, .documents = bucket->size,
                                      .place = place, .probability = bucket->pi };
    }
    return count;
}

static void draw(iv_result *out, double most)
{
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_POINTS, .table = "design", .title = "Documents to judge",
        .caption = "A point is a topic: how many of its documents are to be judged, and how many "
                   "are in the frame.",
        .label = "topic", .x = "frame", .value = "to_judge",
        .x_axis = { .title = "documents in the frame" },
        .value_axis = { .title = "documents to judge", .from = 0.0, .to = 1.1 * most } });
    iv_result_chart(out, &(iv_chart){
        .kind = IV_CHART_CURVES, .table = "probabilities", .title = "Inclusion probabilities",
        .caption = "The probability that a document is judged, by its position in the frame. A "
                   "step is a bucket of documents with equal probability. Where it is low, each "
                   "judgment stands for many documents.",
        .x = "place", .value = "probability", .page = "topic", .stepped = true,
        .x_axis = { .title = "position in the frame, largest weight first" },
        .value_axis = { .title = "probability" } });
}

static int tell_design(iv_result *out, const iv_sample *sample, const iv_sample_grades *grades,
                       iv_err *err)
{
    char filled[IV_SAMPLE_FILLED_SIZE];
    const size_t topics = sample->topic_count;
    size_t room = 1, buckets = 0, most = 0;

    for (size_t k = 0; k < topics; k++)
        room += bucket_count(&sample->topics[k]) + 2;
    design_row *rows = iv_take(iv_result_own(out), topics + 1, sizeof *rows);
    bucket_row *steps = iv_take(iv_result_own(out), room, sizeof *steps);
    IV_TRY(iv_taken(iv_result_own(out), err));
    for (size_t k = 0; k < topics; k++) {
        const iv_sample_topic *x = &sample->topics[k];
        const size_t ahead = x->count - x->judged;
        rows[k] = (design_row){ .topic = x->topic, .frame = x->frame, .sampled = x->drawn,
                                .certain = x->fixed, .judged = x->judged,
                                .to_judge = ahead };
        buckets += fill_buckets(steps + buckets, x);
        most = ahead > most ? ahead : most;
    }
    IV_TABLE(out, "design", iv_sample_design_fields, rows, topics);
    IV_TABLE(out, "probabilities", iv_sample_bucket_fields, steps, buckets, .showing = IV_FOLDED);
    draw(out, (double)most);
    iv_result_answer(out, "%s documents on %s topics are to be judged.%s",
                     IV_COUNT(grades->chosen), IV_COUNT(topics), iv_sample_filled(filled, grades));
    return IV_OK;
}

/* ------------------------------------------------------------------- form -- */

/* The file to fill in, with how it was made: the words of the result, the seed. */
static int write_form(const work *w, const iv_work *how, iv_err *err)
{
    const iv_texts given = iv_result_arguments(w->out);
    size_t room = 96;

    for (size_t i = 0; i < given.count; i++)
        room += strlen(given.at[i]) + 1;
    char *line = iv_take(iv_result_own(w->out), room, 1);
    IV_TRY(iv_taken(iv_result_own(w->out), err));
    size_t used = (size_t)snprintf(line, room, "Made by intervale %s: sample", iv_version());
    for (size_t i = 0; i < given.count; i++)
        used += (size_t)snprintf(line + used, room - used, " %s", given.at[i]);
    (void)snprintf(line + used, room - used, " (seed %llu, %zu contributing runs)",
                   (unsigned long long)iv_work_seed(how), w->in.count);
    return iv_sample_write(w->q->form, w->sample, (const char *const *)&line, 1, err);
}

static int answer_asked(iv_result *out, const void *asked, const iv_work *how, iv_err *err)
{
    const iv_sample_question *q = asked;
    work w = { .q = q, .out = out, .depth = q->depth == 0 ? IV_FRAME_DEPTH : q->depth };
    iv_judgments *labels = NULL;
    iv_stage stage;

    if (q->labels != NULL)
        IV_TRY(iv_judgments_input(&labels, out, q->labels, IV_JUDGMENTS_ANY, how, err));
    w.grades.known = labels;
    if (q->ids != NULL)
        return iv_sample_ids(out, q, &w.grades, how, err);
    if (q->machine != NULL)
        return iv_sample_labels(out, q, &w.grades, how, err);
    IV_TRY(check(q, err));
    IV_TRY(read_files(&w, iv_work_part(&stage, how, 0.0, 0.5), err));
    IV_TRY(make_sample(&w, iv_work_part(&stage, how, 0.5, 1.0), err));
    fill(&w);
    tell(&w);
    IV_TRY(tell_design(out, w.sample, &w.grades, err));
    IV_TRY(iv_result_status(out, err)); /* before anything is written */
    return q->form != NULL ? write_form(&w, how, err) : IV_OK;
}

int iv_answer_sample(iv_result *out, const iv_sample_question *q, const iv_work *how, iv_err *err)
{
    static const iv_part parts[] = {
        IV_SOURCE_PARTS(iv_sample_question, from.),
        IV_PART_OF(iv_sample_question, machine, PATH, "the automatic labels"),
        IV_PART_OF(iv_sample_question, weights, PATH, "the weights"),
        IV_PART_OF(iv_sample_question, labels, PATH, "the labels"),
        IV_CHOICE_OF(iv_sample_question, human_design, iv_human_design_names, "the human design"),
        IV_CHOICE_OF(iv_sample_question, how.design, iv_design_names, "the design"),
        IV_CHOICE_OF(iv_sample_question, how.spread, iv_spread_rule_names,
                     "how to divide a total"),
        IV_PART_OF(iv_sample_question, how.strata, INTEGERS, "depth of a stratum"),
        IV_PART_OF(iv_sample_question, how.rates, REALS, "rate of a stratum"),
    };

    return iv_answer_with(out, q, IV_ANSWERING(parts, answer_asked), how, err);
}

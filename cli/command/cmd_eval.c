/* SPDX-License-Identifier: Apache-2.0 */
/* eval -- every measure of every run, with its interval. */
#include <string.h>

#include "frame/score_operands.h"
#include "intervale/answer.h"

typedef iv_eval_question ask;

static const opt opts[] = {
    OPT_HEADING("Measures"),
    OPT_LIST(ask, 'm', "measure", "NAME", how.measures,
             "a measure, by trec_eval's name (P.5,10) or ir_measures' (nDCG@10); unless "
             "given, AP, nDCG@10, P@10, R@1000 and RR, or trec_eval's official ones in its "
             "format"),
    OPT_LEVEL(ask, how.measure.level),
    OPT_DEPTH(ask, how.measure.depth),
    OPT_FLAG(ask, 'J', "judged-only", how.measure.judged_only,
             "take unjudged documents out of the rankings first"),
    OPT_INT(ask, 'N', "collection", "N", how.measure.collection, 0, INT64_MAX,
            "documents in the collection, for utility"),
    OPT_ENUM(ask, 0, "compat", "VERSION", how.measure.dialect, iv_dialect, iv_dialect_names,
             "follow trec_eval 9 or 10 where they differ: scores as float or double, "
             "which measures are all_trec, interpolated cut-offs, printing of missing "
             "topics"),
    OPT_STR(ask, 'Z', "standards", "FILE", how.standards,
            "values as distances from the mean of reference runs, in their deviations: FILE "
            "has lines of topic, measure, mean and deviation"),
    OPT_HEADING("Topics"),
    OPT_FLAG(ask, 'q', "per-topic", topics, "show each topic, too: rows of the table measures"),
    OPT_FLAG(ask, 'n', "no-summary", no_summary, "no values over all topics"),
    OPT_FLAG(ask, 'c', "complete", how.complete,
             "judged topics that a run misses count, with nothing retrieved"),
    OPT_HEADING("How sure"),
    OPT_ENUM(ask, 0, "ci", "METHOD", how.interval, iv_interval_method, iv_interval_names,
             "interval on each mean over topics; auto is logit (Studentised logit bootstrap, Park "
             "2011) for measures in [0, 1], wilson for values that are 0 or 1, and t for others; "
             "bootstrap-t is for skewed values; see doc/methods/mean-intervals.md", CI_WORDS_WERE),
    OPT_FLAG(ask, 0, "guaranteed", how.guaranteed,
             "intervals with at least the nominal coverage, for any distribution: "
             "Clopper and Pearson's for measures that are 0 or 1, bounds by Hoeffding and Bentkus "
             "for others in [0, 1], which are much wider; none for measures without bounds"),
    OPT_FLAG(ask, 0, "anytime", anytime,
             "limits that hold for all numbers of topics at once, so that judging may be stopped "
             "by "
             "looking at them; topics count in the order of JUDGMENTS. Complete judgments, "
             "measures "
             "in [0, 1]"),
    OPT_INT(ask, 0, "resamples", "B", how.resampling.resamples, 1, 100000000,
            "resamples of the bootstrap", .usual = "10000"),
    OPT_FLAG(ask, 0, "bounds", how.bounds,
             "lowest and highest value over all that the unjudged retrieved documents could "
             "turn out to be"),
    OPT_FLAG(ask, 0, "ties", how.ties,
             "lowest, expected and highest value over the orders of documents of equal "
             "score"),
    OPT_HEADING("Sampled judgments"),
    OPT_ENUM(ask, 0, "estimator", "E", how.estimator, iv_estimator, iv_estimator_names,
             "corrected (auto): Aslam and Pavlu's ratio estimates, own term counted 1; published: "
             "AP and its interval of 4 standard errors as printed in 2008, biased upwards"),
    OPT_STR(ask, 0, "also", "QRELS", how.also,
            "merge these judgments; in a sample their documents have probability 1. Never merge "
            "documents chosen because of what was judged: estimates would be biased"),
    OPT_ENUM(ask, 0, "unjudged", "WHAT", how.unjudged, iv_unjudged, iv_unjudged_names,
             "a sampled document without a judgment: refuse the file (default), count it as "
             "nonrelevant, or drop it and lower the probabilities of its bucket"),
    OPT_HEADING("Scores of any kind"),
    OPT_SCORES(ask, scores),
    OPT_HEADING("Automatic labels"),
    OPT_MACHINE(ask, machine),
    OPT_HEADING("Files"),
    OPT_STR(ask, 0, "write-matrix", "FILE", matrix,
            "also write the first measure, systems x topics, for compare and study",
            .writes = true),
    OPT_STR(ask, 0, "write-scores", "FILE", write_scores,
            "write the scores of all topics instead of means: a part that --scores puts together "
            "with others, computed elsewhere", .writes = true),
    OPT_BOUNDED(ask, source),
    OPT_ENUM(ask, 'R', "judgments-format", "F", source.judgments_format, iv_judgments_format,
             iv_judgments_format_names, "format of JUDGMENTS; detected from the content, but for "
                                        "groups "
             "and prefs"),
    OPT_ENUM(ask, 0, "run-format", "F", source.run_format, iv_run_format,
             iv_run_format_names, "format of the runs; detected from the content"),
    OPT_END
};

/* What does not go together. */
static int check_usage(const ask *q, bool trec, iv_err *err)
{
    const bool asked = q->how.interval != IV_INTERVAL_AUTO;
    const bool interval = (asked && q->how.interval != IV_INTERVAL_NONE) || q->how.guaranteed;

    if (trec && (q->how.bounds || q->how.ties || interval))
        return cmd_usage(err, "--format trec has no place for %s",
                         q->how.bounds ? "--bounds" : q->how.ties ? "--ties"
                                                           : "an interval (--ci, --guaranteed)");
    if (q->machine.files.count > 0 && (trec || q->how.bounds || q->how.ties))
        return cmd_usage(err, "--machine does not go with %s", trec ? "--format trec"
                         : q->how.bounds ? "--bounds" : "--ties");
    if (q->anytime && (trec || q->how.bounds || q->how.ties || q->topics || q->scores.given
                       || q->machine.files.count > 0 || q->how.standards != NULL))
        return cmd_usage(err, "--anytime does not go with %s", trec ? "--format trec"
                         : q->how.bounds ? "--bounds" : q->how.ties ? "--ties"
                         : q->topics ? "-q" : q->scores.given ? "--scores"
                         : q->how.standards != NULL ? "--standards" : "--machine");
    if (asked && q->how.guaranteed)
        return cmd_usage(err, "either --guaranteed or --ci");
    if (!trec && q->no_summary && !q->topics)
        return cmd_usage(err, "-n without -q leaves nothing to show");
    return IV_OK;
}

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const bool trec = strcmp(c->shared->format, "trec") == 0;
    int rc = cmd_take_scores(&q->scores, &q->source, NULL, c, err);

    if (rc == IV_OK)
        rc = check_usage(q, trec, err);
    if (rc == IV_OK && q->scores.given && (trec || q->matrix != NULL || q->how.bounds || q->how.ties))
        return cmd_usage(err, "--scores does not go with --format trec, --write-matrix, --bounds "
                         "and --ties");
    if (rc != IV_OK)
        return rc;
    const bool parts = q->source.parts.count > 0;
    if (parts && (trec || q->matrix != NULL || q->write_scores != NULL))
        return cmd_usage(err, "--scores does not go with --format trec, --write-matrix and "
                         "--write-scores");
    if (!q->scores.given && !parts && c->operand_count < 2)
        return cmd_usage(err, "too few operands; usage: intervale eval [OPTIONS] JUDGMENTS RUN...");
    if (!q->scores.given && !parts) {
        q->source.judgments = c->operands[0];
        q->source.runs = (iv_texts){ (const char *const *)c->operands + 1, c->operand_count - 1 };
    }
    q->trec = trec ? c->out : NULL;
    c->written = trec;
    return iv_answer_eval(c->result, q, &c->work, err);
}

const cmd cmd_eval = {
    .name = "eval",
    .group = "Evaluation",
    .summary = "score runs by any measure, with intervals",
    .operands = "JUDGMENTS RUN... | --scores FILE...",
    .least = 1,
    .most = CMD_MANY,
    .description =
        "Scores each run against the judgments and gives every mean over topics with its "
        "standard error (in text of several runs only the interval is shown) and its "
        "interval: how far the mean over other topics of the same kind may be from the one "
        "seen. 'intervale measures' lists the measures.\n\n"
        "Runs are shown by the first measure, highest first, and named by their tag, or by "
        "their file where tags repeat. A topic that a run misses is excluded, as trec_eval "
        "does, but named in a note and counted in the column 'missing'; -c counts it with "
        "nothing retrieved.\n\n"
        "--format trec prints byte for byte what trec_eval prints; the letters -q -c -n -l "
        "-m -M -J -N -R -Z are trec_eval's.\n\n"
        "An interval speaks of topics only. What unjudged documents could change is shown "
        "by --bounds, what ties could change by --ties.\n\n"
        "Judgments in which a document stands once a group (a judge, or a subtopic, in the "
        "second column) are read where a measure asks for groups, or with -R groups "
        "(trec_eval's qrels_jg and qrels_prefs); -R prefs reads preferences. "
        "Nuggets (topic, nugget, vital or okay, answer, support) are read where a measure asks for "
        "them; the documents of a run are then answers.\n\n"
        "Sampled judgments (a completed file of 'intervale sample', prels, strata) give "
        "estimates of what judging the whole sampled frame would give, with standard errors "
        "and intervals; infAP, xinfAP, infNDCG and iP_10 are as TREC's tools define them. "
        "Column 'outside' has the proportion of a run that could not be sampled.\n\n"
        "With --scores the operands are scores of systems on items from any evaluation: repeats "
        "(seeds, epochs), clusters of items and sets of a suite count in standard errors and "
        "intervals, which table errors takes apart; tables sets, variance and reliability have "
        "means by set, what scores vary by, and how far the order of the systems would hold.\n\n"
        "With --machine, automatic labels (of an LLM) of all documents are corrected by human "
        "labels of "
        "a random sample: --human-design says how it was chosen. Shown side by side: both "
        "together, "
        "human labels alone, automatic labels alone and their bias. See doc/howto/llm-labels.md.",
    .exit_note = "an input cannot be read, a run shares no topic with the judgments, or a "
                 "measure needs what the judgments do not have",
    .examples = (const cmd_example[]){
        { "intervale eval qrels run.txt",
          "A run by the usual measures, each with its 95 % interval." },
        { "intervale eval -m AP -m nDCG@10 qrels runs/*",
          "Many runs by two measures, best first." },
        { "intervale eval --format trec -q -m all_trec qrels run.txt",
          "Exactly trec_eval -q -m all_trec qrels run.txt." },
        { "intervale eval -m AP --ci bca --confidence 0.9 --format tsv qrels run.txt",
          "Mean average precision with a 90 % BCa interval, for a program." },
        { "intervale eval -m AP --bounds --ties qrels run.txt",
          "What unjudged documents and ties could change." },
        { "intervale eval -q -m AP -m P@10 -m num_rel judge.txt runs/*",
          "Estimates from the completed file of 'intervale sample', topic by topic." },
        { "intervale eval --scores --columns cluster=document answers.jsonl",
          "Answers of models to questions, several about each document." },
        { "intervale eval --write-scores part.ivs qrels runs/*",
          "The scores of all topics, to be put together with those of other machines." },
        { "intervale eval --scores part.ivs", "What such parts say together." },
        { "intervale eval --machine llm.qrels --human-design random sample.qrels runs/*",
          "LLM labels of all documents, human labels of a random sample of them." },
        { "intervale eval --anytime -m AP qrels run.txt",
          "While topics are being judged: may one stop now?" },
        { "intervale eval -c -m AP --write-matrix ap.csv qrels runs/*",
          "Also writes the average precisions, systems x topics." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(ask),
    .confidence = CMD_CONFIDENCE(ask, how.resampling.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT,
    .formats = (const char *const[]){ "trec", NULL },
    .tables = (const char *const[]){ "measures", "topics", "judges", "confusion", "calibration",
                                     "drift", "sets", "errors", "variance", "reliability",
                                     "anytime", "path",
                                     NULL },
    .table_parts = true, /* of a measure each */
    .run = run,
};

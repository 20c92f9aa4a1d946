/* SPDX-License-Identifier: Apache-2.0 */
/* eval -- every measure of every run, with its interval. */
#include "frame/score_operands.h"

typedef iv_eval_question ask;

static const opt opts[] = {
    OPT_HEADING("Measures"),
    OPT_LIST(ask, 'm', "measure", "NAME", how.measures,
             "measure to compute (see 'intervale measures'). Names of trec_eval (P.5,10) or "
             "ir_measures (nDCG@10). Default: AP, nDCG@10, P@10, R@1000 and RR; with --format "
             "trec, trec_eval's official measures"),
    OPT_LEVEL(ask, how.measure.level),
    OPT_DEPTH(ask, how.measure.depth),
    OPT_FLAG(ask, 'J', "judged-only", how.measure.judged_only,
             "remove unjudged documents from the rankings first"),
    OPT_INT(ask, 'N', "collection", "N", how.measure.collection, 0, INT64_MAX,
            "number of documents in the collection. Only the measure 'utility' needs it"),
    OPT_ENUM(ask, 0, "compat", "VERSION", how.measure.dialect, iv_dialect, iv_dialect_names,
             "follow trec_eval 9 or 10 where they differ. They differ in the precision of "
             "scores, the list all_trec, interpolated cut-offs and missing topics"),
    OPT_STR(ask, 'Z', "standards", "FILE", how.standards,
            "standardise values by reference runs. Each line of FILE has topic, measure, mean "
            "and standard deviation"),
    OPT_HEADING("Topics"),
    OPT_FLAG(ask, 'q', "per-topic", topics, "show the value of each topic, too"),
    OPT_FLAG(ask, 'n', "no-summary", no_summary, "omit the means over topics"),
    OPT_FLAG(ask, 'c', "complete", how.complete,
             "count missing topics as 0. By default a topic that a run misses is excluded"),
    OPT_HEADING("How sure"),
    OPT_ENUM(ask, 0, "ci", "METHOD", how.interval, iv_interval_method, iv_interval_names,
             "method of the interval. auto is logit (Studentised logit bootstrap, Park 2011) for "
             "measures in [0, 1], wilson for values that are 0 or 1, and bootstrap-t (Studentised "
             "bootstrap) for others. See doc/methods/mean-intervals.md", CI_WORDS_WERE),
    OPT_FLAG(ask, 0, "guaranteed", how.guaranteed,
             "use intervals whose coverage is guaranteed. Clopper and Pearson's for values that "
             "are 0 or 1; Hoeffding's and Bentkus' bounds, much wider, for others in [0, 1]; none "
             "for measures without bounds"),
    OPT_INT(ask, 0, "resamples", "B", how.resampling.resamples, 1, 100000000,
            "number of bootstrap resamples", .usual = "10000"),
    OPT_FLAG(ask, 0, "bounds", how.bounds,
             "show the lowest and highest value that unjudged documents allow"),
    OPT_FLAG(ask, 0, "ties", how.ties,
             "show the lowest, mean and highest value over orders of ties"),
    OPT_NUMBERS(ask, 0, "range", "LOW,HIGH", range, 2, 2, -1e300, 1e300,
             "lowest and highest possible score of a table, for --at-least with --guaranteed or "
             "equal scores"),
    OPT_LIST(ask, 0, "at-least", "MEASURE=X", at_least,
             "test that MEASURE is at least X; --gate sets the exit status"),
    OPT_LIST(ask, 0, "at-most", "MEASURE=X", at_most,
             "test that MEASURE is at most X, such as a cost; several tests are one gate"),
    OPT_HEADING("Sampled judgments"),
    OPT_ENUM(ask, 0, "estimator", "E", how.estimator, iv_estimator, iv_estimator_names,
             "estimator for sampled judgments. corrected (auto): the ratio estimates of Aslam "
             "and Pavlu; in the precision at its own rank, a document counts as 1, not by its "
             "sampling weight. "
             "published: AP as printed in 2008, biased upwards, plus or minus 2 standard errors"),
    OPT_STR(ask, 0, "also", "QRELS", how.also,
            "use the judgments in QRELS, too. If JUDGMENTS is a sample, the documents of QRELS "
            "count as sampled with probability 1. Never add documents that were chosen because of "
            "earlier judgments: estimates would be biased"),
    OPT_ENUM(ask, 0, "unjudged", "WHAT", how.unjudged, iv_unjudged, iv_unjudged_names,
             "what to do with sampled documents without a judgment. Refuse the file, count them "
             "as nonrelevant, or drop them and lower the probabilities of the documents "
             "sampled with them"),
    OPT_HEADING("Files of scores"),
    OPT_SCORES(ask, scores),
    OPT_STR(ask, 0, "reference", "GROUP", gaps.reference,
            "group that the others are compared with (--columns group=NAME)",
            .usual = "the rest of the items"),
    OPT_REAL(ask, 0, "max-gap", "D", gaps.most, 1e-9, 1e300,
             "test that the means of no two groups differ by D or more"),
    OPT_LOWER(ask, scores),
    OPT_HEADING("Automatic labels"),
    OPT_MACHINE(ask, machine),
    OPT_STR(ask, 0, "judge-calibration", "FILE", machine.calibration,
            "a judge's scores of other answers, with human labels in a column human: corrects "
            "scores of 0 and 1 by its sensitivity and specificity there"),
    OPT_HEADING("Files"),
    OPT_STR(ask, 0, "write-matrix", "FILE", matrix,
            "also write a table of scores, systems x topics. It has the first measure; "
            "'intervale compare' and 'intervale study map' read it",
            .writes = true),
    OPT_STR(ask, 0, "write-scores", "FILE", write_scores,
            "write the scores of all topics instead of means. For work divided between "
            "machines; --scores combines their files", .writes = true),
    OPT_BOUNDED(ask, source),
    OPT_ENUM(ask, 'R', "judgments-format", "F", source.judgments_format, iv_judgments_format,
             iv_judgments_format_names, "format of JUDGMENTS. Detected from the content, except "
                                        "for groups and prefs"),
    OPT_ENUM(ask, 0, "run-format", "F", source.run_format, iv_run_format,
             iv_run_format_names, "format of the runs; detected from the content"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    ask *q = c->args;
    const bool trec = strcmp(c->shared->format, "trec") == 0;
    const int rc = cmd_take_scores(&q->scores, &q->source, c, err);

    if (rc != IV_OK)
        return rc;
    const bool parts = q->source.parts.count > 0;
    if (!q->scores.given && !parts && c->operand_count < 2)
        return cmd_usage(err, "too few operands; usage: intervale eval [OPTIONS] JUDGMENTS RUN...");
    if (!q->scores.given && !parts)
        cmd_take_runs(&q->source, c);
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
        "Computes the scores of systems, with intervals, from judgments and runs or from a table "
        "of scores.\n\n"
        "The interval is for the mean over all topics of this kind. It does not "
        "include what unjudged documents could change (--bounds) or ties (--ties). 'intervale "
        "measures' lists the measures.\n\n"
        "Runs are sorted by the first measure, highest first. They are named by their tag, or by "
        "their file where tags repeat. A topic that a run misses is excluded, as in trec_eval, "
        "and reported (but see -c). --format trec prints byte for byte what trec_eval "
        "prints, and the letters -q -c -n -l -m -M -J -N -R -Z are trec_eval's.\n\n"
        "Judgments by group (a judge or a subtopic in the second column) are read where a "
        "measure needs groups, or with -R groups. -R "
        "prefs reads preferences. Nuggets (topic, nugget, vital or okay, answer, support) are "
        "read where a measure needs them.\n\n"
        "From sampled judgments (the file of 'intervale sample' with grades filled in, prels, "
        "strata), scores are estimated as if every document that could be sampled were judged. "
        "infAP, xinfAP, infNDCG and iP_10 are as TREC's tools define them. Column 'outside' "
        "is the proportion of a run that could not be sampled.\n\n"
        "With --scores, standard errors include repeats (seeds, epochs), clusters of items and "
        "sets (data sets, tasks). Tables 'errors', 'sets' and 'variance' show the parts.\n\n"
        "Scores by a judge (--scores with --columns human=NAME or --human-labels) are corrected by "
        "human labels of some. --human-design says how these were chosen.\n\n"
        "With --machine, automatic labels of all documents are corrected by human labels of a "
        "random sample; --human-design says how it was chosen. See doc/howto/llm-labels.md.",
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
          "The scores of all topics, to be combined with those of other machines." },
        { "intervale eval --scores part.ivs", "The means over the topics of such parts." },
        { "intervale eval --machine llm.qrels --human-design random sample.qrels runs/*",
          "LLM labels of all documents, human labels of a random sample of them." },
        { "intervale eval -m AP --at-least AP=0.2 --gate qrels run.txt",
          "PASS (exit 0) if the interval lies above 0.2, FAIL (3) if below, else 4." },
        { "intervale eval -c -m AP --write-matrix ap.csv qrels runs/*",
          "Also writes the average precisions, systems x topics." },
        { NULL, NULL } },
    .often = "measure complete level scores ci guaranteed per-topic machine at-least",
    .pages = "doc/measures.md, doc/methods/mean-intervals.md",
    .opts = opts,
    CMD_ASKS(ask, how.resampling.confidence),
    .shared = SHARED_SEED | SHARED_THREADS | SHARED_CONFIDENCE | SHARED_REPORT | SHARED_GATE,
    .about = (const char *const[]){
        "gate", "exit 0 if all claims are met, 3 if not, 4 if unclear",
        NULL },
    .formats = (const char *const[]){ "trec", NULL },
    .table_parts = true, /* of a measure each */
    .run = run,
};

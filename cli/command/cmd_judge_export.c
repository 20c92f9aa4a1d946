/* SPDX-License-Identifier: Apache-2.0 */
/* judge export -- what was judged, as a file that the other commands read. */
#include "frame/frame.h"
#include "live/live.h"
#include "store/session_export.h"

static const opt opts[] = {
    OPT_ENUM(iv_export_options, 0, "as", "FORM", form, iv_store_form, iv_store_form_names,
             "format to write. prels: the sample, filled in. qrels: the grades alone. strata: the "
             "table of strata with n and r. log: every judgment in order, for 'intervale recall'. "
             "labels: CSV with item, assessor, label. ris, csv: references with labels, as "
             "ASReview reads them. duplicates: records that were removed, and why. Default: the "
             "first that suits the session",
             .names_were = (const char *const[]){ "format", NULL }),
    OPT_STR(iv_export_options, 0, "combine", "HOW", combine,
            "how to combine the labels of several assessors. last, majority, median (the "
            "lower one), adjudicated (the owner's, else the last), or an assessor's name",
            .usual = "adjudicated"),
    OPT_FLAG(iv_export_options, 0, "partial", partial,
             "export before everything is judged. Of a queue: all, in qrels with grade -1 for "
             "documents not judged yet. Of a sample and a review: the judgments up to the first "
             "gap, with their probabilities"),
    OPT_END
};

static int run(cmd_context *c, iv_err *err)
{
    const iv_export_options *q = c->args;
    iv_store *s = NULL;
    iv_exported done;
    int rc = iv_store_open(&s, c->operands[0], IV_STORE_READ, err);

    if (rc != IV_OK)
        return rc;
    c->written = true;
    rc = iv_live_export(&done, c->out, s, q, &c->work, err);
    if (rc == IV_ENODATA && !q->partial)
        cmd_hint(err, "; --partial exports what is judged");
    if (rc == IV_OK && done.cannot > 0)
        iv_result_note(c->result, "Documents that could not be judged: %zu. They have a grade of "
                       "-1, which 'eval' refuses unless --unjudged says what to do.", done.cannot);
    if (rc == IV_OK && done.topics_left_out > 0)
        iv_result_note(c->result, "Topics excluded because too little is judged: %zu.",
                       done.topics_left_out);
    const char *grade = iv_store_about_of(s)->kind == IV_STORE_QUEUE && q->form <= IV_EXPORT_QRELS
        ? ", with grade -1" : "";
    if (rc == IV_OK && q->partial && done.unjudged > 0)
        iv_result_note(c->result, "Documents not judged yet: %zu%s.", done.unjudged, grade);
    if (rc == IV_OK && done.undecided > 0)
        iv_result_note(c->result, "Documents whose labels tie: %zu%s.", done.undecided, grade);
    if (rc == IV_OK && done.conflicts > 0)
        iv_result_note(c->result, "Disagreements that the owner has not decided: %zu. They count "
                       "by the owner's grade, or else the last (--combine).", done.conflicts);
    if (rc == IV_OK && done.one_of_two > 0)
        iv_result_note(c->result, "Documents that a second assessor has yet to judge: %zu.",
                       done.one_of_two);
    if (rc == IV_OK && done.control > 0)
        iv_result_note(c->result, "Records of the control sample are not exported: %zu. Their "
                       "labels are in the file given with --judged.", done.control);
    iv_store_close(s);
    return rc;
}

const cmd cmd_judge_export = {
    .name = "judge export",
    .group = "Judging",
    .summary = "write the judgments of a session",
    .operands = "SESSION",
    .least = 1,
    .most = 1,
    .description =
        "Writes the judgments of a session to a file that other commands read.\n\n"
        "A completed sample is the file it was made from, with every -1 replaced. While a "
        "server has SESSION open, everything saved is exported.\n\n"
        "With --partial, documents of a sample that are not judged yet get '#: open' lines. "
        "The order of judging was random, so the judged ones are a random subset with smaller "
        "probabilities. A topic is excluded until its certain documents and one document of "
        "each bucket are judged.",
    .examples = (const cmd_example[]){
        { "intervale judge export judge.db --partial -o judged.prels",
          "What is judged so far, for 'intervale eval judged.prels RUN...'." },
        { "intervale judge export judge.db --partial --as qrels --combine majority -o judged.qrels",
          "As qrels, by majority." },
        { NULL, NULL } },
    .opts = opts,
    .args_size = sizeof(iv_export_options),
    .shared = SHARED_OUTPUT | SHARED_QUIET,
    .run = run,
};

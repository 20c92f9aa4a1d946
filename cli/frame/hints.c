/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>

static const struct {
    const char *says;   /* a part of the library's message */
    const char *option; /* that the command must have; NULL: any command */
    const char *hint;
} hints[] = {
    { "unknown measure ", NULL, "; 'intervale measures' lists them" },
    { "expected lines sorted by topic", "sort", "; --sort sorts it first" },
    { "could be prels ", "judgments-format", ": say which with --judgments-format" },
    { "unless they are by groups (subtopics", "measure",
      "; -m alpha_nDCG@20 and other measures of subtopics read them so, and --judgments-format "
      "groups" },
    { "expected 4: topic group docno grade", "judgments-format", "; --judgments-format prefs reads preferences" },
    { "is not judged, expected a grade", "unjudged",
      "; --unjudged nonrelevant or drop goes on without" },
    { "is not listed as a class", "classes",
      " (--classes lists those there are, --threshold X reads scores, --system names the columns "
      "of systems)" },
    { "unless the positive label is given", "system",
      " (--positive LABEL, and --system NAME where each class has a column)" },
    { "a column of scores for each", "positive",
      "; --positive LABEL takes one class against the rest, and --system NAME its column" },
    { "a threshold for ", "choose", " with --positive LABEL" },
    { ": name those that matter", "system", " (--system)" },
    { ", expected a number", "system", "; --system names the columns of systems" },
    { "list all classes there are", "classes", " with --classes" },
    { " be dropped", "unjudged", ", or --unjudged nonrelevant" },
    { "in the sample but not judged", "unjudged", "; --unjudged nonrelevant or --unjudged drop" },
    { "nor label, truth, y_true or target", "gold", "; --gold NAME names it" },
    { "the column of gold: say which", "gold", " with --gold NAME" },
    { "columns of systems, unless these are named", "system", " (--system NAME)" },
    { "no column for score;", "columns", "; --columns score=NAME names it, and a table with a column "
      "for each system is read by --matrix FILE --by topics" },
    { "a record without a score", "columns", "; --columns score=NAME names it" },
    { "no column for item", "columns", "; --columns item=NAME names it" },
    { "is simply not judged yet", NULL, "; 'intervale eval' and 'compare' estimate from a sample" },
    { "segment has n = 0: nothing", "unsampled", "; --unsampled prior lets the prior speak" },
    { "has n = 0: nothing", "unsampled",
      "; --unsampled skip leaves it out, --unsampled prior lets the prior speak" },
    { "tells nothing about them", "unsampled",
      "; --unsampled skip leaves them out, --unsampled prior lets the prior speak" },
    { "unless its rows are topics", "by", ": say --by topics then" },
    { "Tukey's test of all pairs is two-sided", "correct",
      "; use --correct holm, or a --baseline" },
    { "or of each side of one rank", "drawn-at", " (--drawn-at)" },
    { "; this may be a run", "measure", ", and judgments are named before runs" },
    { "a file of scores of topics", "scores",
      "; --scores reads it, by its name and as eval wrote it (not packed)" },
    { "give its strata as a table", "strata", " with --strata" },
    { "expected a header such as system,tp,fp,fn", "labels",
      "; labels of items are read by --labels FILE" },
    { "sets could be taken for a sample", "sets", " (--sets sampled)" },
};

/* The same of notes, each in a note of its own. */
static const struct {
    const char *says, *option, *hint;
} notes[] = {
    { "not declared to be binary", "binary",
      "--binary declares that all scores are 0 or 1, --columns binary=NAME that a column's are" },
    { "as one classifier's two classes do", "system",
      "--system NAME takes the scores of one class, that of --positive" },
    { "being called as gold: ", "system", "--system NAME takes a column for a system all the same" },
    { "sets could be taken for a sample", "sets", "--sets sampled takes sets for a sample" },
    { "and its rows are taken for systems", "by", "--by topics takes rows for topics" },
};

static bool has_option(const cmd *c, const char *name)
{
    for (const opt *o = c->opts; o != NULL && o->kind != OPT_END_; o++)
        if (o->name != NULL && strcmp(o->name, name) == 0)
            return true;
    return false;
}

void hints_add(iv_err *err, const cmd *c)
{
    for (size_t i = 0; i < sizeof hints / sizeof *hints; i++) {
        if (strstr(err->msg, hints[i].says) != NULL
            && (hints[i].option == NULL || has_option(c, hints[i].option))) {
            cmd_hint(err, hints[i].hint);
            return;
        }
    }
}

void hints_tell(iv_result *r, const cmd *c)
{
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++) {
        const iv_note *said;
        const size_t count = iv_result_notes(&said, r);
        bool matters = false;
        for (size_t k = 0; k < count && has_option(c, notes[i].option); k++)
            matters = matters || strstr(said[k].text, notes[i].says) != NULL;
        if (matters)
            iv_result_note(r, "%s", notes[i].hint);
    }
}

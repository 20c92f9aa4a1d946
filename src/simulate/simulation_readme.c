/* SPDX-License-Identifier: Apache-2.0 */
#include "simulate/simulation.h"
#include "simulate/simulate_private.h"

#include <math.h>

static void put_real(FILE *out, const char *before, double value)
{
    char text[IV_REAL_SIZE];

    (void)iv_format_real(text, value);
    (void)fprintf(out, "%s%s", before, text);
}

/* The qualities as they were given. */
static void put_quality(FILE *out, const iv_simulation *s)
{
    const uint32_t last = s->options.runs - 1;

    put_real(out, " --quality ", s->quality[0]);
    for (uint32_t r = 1; r <= last && s->quality_given > 2; r++)
        put_real(out, ",", s->quality[r]);
    if (s->quality_given == 2)
        put_real(out, ",", s->quality[last]);
}

/* The command that makes the same files, two options a line or so. */
static void put_command(FILE *out, const iv_simulation *s, const iv_simulation_files *f)
{
    const iv_simulation_options *o = &s->options;

    (void)fprintf(out, "    intervale simulate --topics %u --documents %u --runs %u \\\n"
                  "        --depth %u --grades %u", f->topics, o->documents, o->runs,
                  o->depth, o->grades);
    put_real(out, " --prevalence ", o->prevalence);
    put_real(out, " --prevalence-spread ", o->prevalence_spread);
    (void)fprintf(out, " \\\n        --least-relevant %u", o->least_relevant);
    put_real(out, " --similarity ", o->similarity);
    put_real(out, " --difficulty ", o->difficulty);
    put_real(out, " \\\n        --breadth ", o->breadth);
    put_real(out, " --interaction ", o->interaction);
    put_real(out, " --ties ", o->ties);
    (void)fprintf(out, " \\\n       ");
    put_quality(out, s);
    (void)fprintf(out, " \\\n        --first-topic %u --prefix %s",
                  (uint32_t)f->first_topic,
                  f->prefix);
    if (f->judged > 0)
        (void)fprintf(out, " --judged %u --judging %s", f->judged,
                      iv_judging_names()[f->judging]);
    if (f->judge != NULL)
        (void)fprintf(out, " --judge %s", f->judge);
    if (f->truth_topics > 0)
        (void)fprintf(out, " --truth-topics %u", f->truth_topics);
    (void)fprintf(out, " --seed %llu -o DIR\n", (unsigned long long)o->seed);
}

void iv_simulation_readme(FILE *out, const iv_simulation *s,
                          const iv_simulation_files *files,
                          const iv_simulation_summary *summary)
{
    const iv_simulation_options *o = &s->options;

    (void)fprintf(out, "A simulated test collection: no document, topic or run in it is "
                  "real.\n\nMade by intervale %s, which makes the same bytes again with\n\n",
                  iv_version());
    put_command(out, s, files);
    (void)fprintf(out, "\nThe model is in doc/methods/simulation.md of intervale.\n\n");
    (void)fprintf(out, "qrels      %llu judgments of %u topics (%u to %u); ",
                  (unsigned long long)summary->judgments, files->topics,
                  (uint32_t)files->first_topic,
                  (uint32_t)files->first_topic + (files->topics - 1));
    if (files->judged == 0)
        (void)fprintf(out, "every document is judged\n");
    else
        (void)fprintf(out, "at most %u a topic,\n           %s\n", files->judged,
                      files->judging == IV_JUDGE_POOL
                          ? "those that some run ranks highest" : "chosen at random");
    (void)fprintf(out, "           relevant documents of a topic: %u to %u, mean ",
                  summary->least_relevant, summary->most_relevant);
    put_real(out, "", summary->mean_relevant);
    (void)fprintf(out, "\nruns/      %u run%s, each with %u documents a topic\n",
                  o->runs, o->runs == 1 ? "" : "s", o->depth);
    if (files->judge != NULL)
        (void)fprintf(out, "machine.qrels  labels of every document by a machine: %s\n",
                      files->judge);
    (void)fprintf(out, "truth.tsv  of each run: its quality in the model; its mean average "
                  "precision over\n           this set of topics with every document judged");
    if (files->truth_topics > 0)
        (void)fprintf(out, "; the same expected over all\n           topics of the "
                      "population, estimated from %u others, and the\n           standard "
                      "error of that", files->truth_topics);
    (void)fprintf(out, "\n");
}

void iv_simulation_truth_lines(FILE *out, const iv_simulation *s, const char *prefix,
                               const iv_simulation_truth *truth)
{
    char name[IV_SIMULATED_RUN_SIZE];

    (void)fprintf(out, "run\tquality\tmap\texpected_map\texpected_map_se\n");
    for (uint32_t r = 0; r < s->options.runs; r++) {
        (void)fprintf(out, "%s", iv_simulated_run_name(name, s, prefix, r));
        put_real(out, "\t", truth[r].quality);
        put_real(out, "\t", truth[r].map);
        if (isnan(truth[r].expected)) {
            (void)fprintf(out, "\t\t\n");
            continue;
        }
        put_real(out, "\t", truth[r].expected);
        put_real(out, "\t", truth[r].expected_se);
        (void)fprintf(out, "\n");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Reading what scoring kept. */
#include "estimate/scores.h"

#include <math.h>
#include <string.h>

iv_str iv_scores_tag(const iv_scores *s)
{
    return iv_str_of(s->tag);
}

uint64_t iv_scores_bytes(const iv_scores *s)
{
    return s->bytes;
}

size_t iv_scores_topics(const iv_scores *s)
{
    return s->topics;
}

iv_str iv_scores_topic(const iv_scores *s, size_t topic)
{
    return iv_judgments_topic(s->judgments, s->topic[topic].judged);
}

const double *iv_scores_row(const iv_scores *s, size_t topic)
{
    return s->rows + topic * s->width;
}

bool iv_scores_was_missing(const iv_scores *s, size_t topic)
{
    return s->topic[topic].in_run == IV_NONE;
}

const char *iv_scores_text(const iv_scores *s, size_t topic, size_t i)
{
    if (s->texts == NULL || s->text_of[i] == IV_NONE)
        return NULL;
    return s->texts[topic * s->text_count + s->text_of[i]];
}

const double *iv_scores_rows(const iv_scores *s)
{
    return s->rows;
}

void iv_scores_summary(double *out, const iv_scores *s)
{
    /* Fails only without topics, and every iv_scores has one. */
    const int rc = iv_measures_summary(out, s->measures, s->rows, s->topics,
                                       s->complete ? s->judgments : NULL, NULL);

    (void)rc;
}

size_t iv_scores_missing(const iv_scores *s)
{
    return s->missing_count;
}

iv_str iv_scores_missing_topic(const iv_scores *s, size_t i)
{
    return iv_judgments_topic(s->judgments, s->missing[i]);
}

iv_scores_notes iv_scores_noted(const iv_scores *s)
{
    return s->noted;
}

iv_bounds iv_scores_bounds(const iv_scores *s, size_t topic, size_t i)
{
    const iv_bounds none = { (double)NAN, (double)NAN };

    return s->bounds != NULL ? s->bounds[topic * s->width + i] : none;
}

iv_ties iv_scores_ties(const iv_scores *s, size_t topic, size_t i)
{
    const iv_ties none = { (double)NAN, (double)NAN, (double)NAN };

    return s->ties != NULL ? s->ties[topic * s->width + i] : none;
}

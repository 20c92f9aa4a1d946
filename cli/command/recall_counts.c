/* SPDX-License-Identifier: Apache-2.0 */
/* Cases, and the simplest way to one: two segments on the command line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "command/recall_cases.h"

void recall_cases_free(recall_cases *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->at[i].run);
        free(c->at[i].topic);
        free(c->at[i].strata);
    }
    free(c->at);
    *c = (recall_cases){ 0 };
}

iv_segments recall_segments(const recall_case *c)
{
    return (iv_segments){ c->strata, c->strata + c->retrieved, c->retrieved, c->unretrieved };
}

static char *copy_text(iv_str s)
{
    char *out = malloc(s.len + 1);

    if (out != NULL) {
        memcpy(out, s.ptr, s.len);
        out[s.len] = '\0';
    }
    return out;
}

recall_case *recall_add(recall_cases *c, iv_str run, iv_str topic,
                        const iv_stratum *strata, size_t retrieved, size_t unretrieved)
{
    const size_t count = retrieved + unretrieved;

    if (c->count == c->capacity) {
        const size_t capacity = c->capacity == 0 ? 8 : 2 * c->capacity;
        recall_case *at = realloc(c->at, capacity * sizeof *at);
        if (at == NULL)
            return NULL;
        c->at = at;
        c->capacity = capacity;
    }
    recall_case *new = &c->at[c->count];
    *new = (recall_case){ .retrieved = retrieved, .unretrieved = unretrieved };
    new->run = copy_text(run);
    new->topic = topic.ptr == NULL ? NULL : copy_text(topic);
    new->strata = malloc((count == 0 ? 1 : count) * sizeof *new->strata);
    c->count++; /* freed with the rest, whatever is missing */
    if (new->run == NULL || (topic.ptr != NULL && new->topic == NULL) || new->strata == NULL)
        return NULL;
    if (count > 0)
        memcpy(new->strata, strata, count * sizeof *strata);
    return new;
}

static int read_segment(iv_stratum *out, const opt_numbers *given, const char *name,
                        iv_err *err)
{
    for (size_t i = 0; i < 3; i++) {
        if (given->at[i] != floor(given->at[i]))
            return cmd_usage(err, "--%s: %g is not a whole number; expected N,n,r", name,
                             given->at[i]);
    }
    *out = (iv_stratum){ (int64_t)given->at[0], (int64_t)given->at[1], (int64_t)given->at[2] };
    if (out->size == 0)
        return iv_fail(err, IV_EARG, "the %s segment is empty: N = 0", name);
    if (out->sampled > out->size)
        return iv_fail(err, IV_EARG, "the %s segment: n = %lld sampled of N = %lld documents",
                       name, (long long)out->sampled, (long long)out->size);
    if (out->relevant > out->sampled)
        return iv_fail(err, IV_EARG, "the %s segment: r = %lld relevant of n = %lld sampled",
                       name, (long long)out->relevant, (long long)out->sampled);
    return IV_OK;
}

int recall_from_counts(recall_cases *out, cmd_context *c, iv_err *err)
{
    const recall_args *a = c->args;
    iv_stratum s[2];
    int rc = read_segment(&s[0], &a->retrieved, "retrieved", err);

    if (rc == IV_OK)
        rc = read_segment(&s[1], &a->unretrieved, "unretrieved", err);
    for (int i = 0; i < 2 && rc == IV_OK; i++) {
        const char *name = i == 0 ? "retrieved" : "unretrieved";
        if (s[i].sampled > 0)
            continue;
        if (a->unsampled == UNSAMPLED_REFUSE)
            return iv_fail(err, IV_ENODATA, "the %s segment has n = 0: nothing is sampled, so "
                           "it tells nothing; --unsampled prior lets the prior speak", name);
        if (a->unsampled == UNSAMPLED_SKIP)
            return iv_fail(err, IV_ENODATA, "the %s segment has n = 0: leaving it out leaves "
                           "no segment", name);
        iv_result_note(c->result, "The %s segment has n = 0: the prior alone speaks for its "
                       "%lld documents.", name, (long long)s[i].size);
    }
    if (rc == IV_OK && recall_add(out, iv_str_of("review"), (iv_str){ NULL, 0 }, s, 1, 1) == NULL)
        rc = iv_fail(err, IV_ENOMEM, "out of memory");
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What was asked for, and which prepared arrays each measure reads. */
#ifndef IV_MEASURE_MEASURES_H
#define IV_MEASURE_MEASURES_H

#include "base/memory.h"
#include "measure/definition.h"

struct iv_measures {
    iv_measure_options options;
    iv_arena arena;   /* names and parameters */
    iv_asked *asked;
    size_t asked_count, asked_capacity;
    iv_value_info *value;
    size_t *owner;    /* the measure that each value belongs to */
    size_t value_count;
    /* The different ways in which a topic is looked at; each measure names
     * its own by number.  Only the keys are set. */
    iv_view *view;
    size_t view_count;
    iv_gains *gains;
    size_t gains_count;
    double *power;    /* persistences */
    size_t power_count;
    unsigned reads;   /* all that some measure reads */
};

/* The measure that the i-th value belongs to. */
static inline const iv_asked *iv_asked_of(const iv_measures *m, size_t i)
{
    return &m->asked[m->owner[i]];
}

/* What the measures read, IV_READS_... of any of them. */
static inline unsigned iv_measures_read(const iv_measures *m)
{
    return m->reads;
}

/* IV_EARG for a measure that judgments of the format cannot give. */
IV_MUST_CHECK int iv_measures_fit(const iv_measures *m, iv_judgments_format format,
                                  iv_err *err);

/* Writes value with `digits` (0 to 4) behind the point, as printf("%.*f") in
 * the C locale, terminated; returns the length, below IV_FIXED_SIZE. */
enum { IV_FIXED_SIZE = 330 };
size_t iv_format_fixed(char out[IV_FIXED_SIZE], double value, int digits);

/* Without zeros that stand for defaults: level as it is, depth SIZE_MAX for all. */
iv_measure_options iv_measure_options_of(const iv_measure_options *options);

/*
 * The known names (measures and sets) nearest to a misspelt one, best first.
 * Fills at most `most` and returns how many; 0 when nothing is near.
 */
size_t iv_measure_nearest(const char **out, size_t most, const char *name);

#endif /* IV_MEASURE_MEASURES_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* A confusion matrix as proportions of each gold class, with intervals. */
#ifndef IV_CLASSIFY_CONFUSION_H
#define IV_CLASSIFY_CONFUSION_H

#include "result/answering.h"

/* Counts of systems x gold's classes x predicted classes. */
typedef struct iv_confusion {
    const char *const *systems;
    size_t system_count;
    const char *const *classes;
    size_t class_count;
    const int64_t *counts;
    double confidence;
    bool careful; /* limits with guaranteed coverage (Clopper and Pearson) instead of Jeffreys' */
} iv_confusion;

/* Do people read all its cells, or is it so long that text output only names the table? */
bool iv_confusion_is_short(const iv_confusion *c);

/* Table cells, and its chart, which belongs behind others and opens on a system (NULL: the
 * first). */
IV_MUST_CHECK int iv_confusion_put(iv_result *out, const iv_confusion *c, iv_err *err);
void iv_confusion_chart(iv_result *out, const iv_confusion *c, const char *opens);

#endif

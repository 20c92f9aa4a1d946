/* SPDX-License-Identifier: Apache-2.0 */
/* Automatic labels (of a language model) of all documents, beside human labels of some. */
#ifndef INTERVALE_ESTIMATE_AUTOMATIC_LABELS_H
#define INTERVALE_ESTIMATE_AUTOMATIC_LABELS_H

#include "intervale/estimate.h"

IV_BEGIN_C

/* How the documents with human labels were chosen. */
typedef enum iv_human_design {
    IV_HUMAN_STATED,   /* the file says it, or every labelled document of its topics has one */
    IV_HUMAN_RANDOM,   /* a simple random sample of all labelled documents */
    IV_HUMAN_BY_TOPIC, /* a simple random sample of each topic's */
    IV_HUMAN_TOPICS    /* whole topics */
} iv_human_design;

/* "stated", "random", "by-topic", "topics", NULL. */
IV_API IV_EXPERIMENTAL const char *const *iv_human_design_names(void);

/* Automatic labels; {0}: none. */
typedef struct iv_machines {
    iv_texts files;             /* see iv_machine_labels_load(); the first one is used, of others
                                   only the agreement is reported */
    iv_judgments_format format; /* of all of them */
    int32_t level;  /* their lowest relevant grade; 0: as human ones, 1 for labels 0 and 1 */
    iv_infer infer;
    iv_human_design design;
} iv_machines;

IV_END_C

#endif /* INTERVALE_ESTIMATE_AUTOMATIC_LABELS_H */

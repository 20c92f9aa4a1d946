/* SPDX-License-Identifier: Apache-2.0 */
/* Parts while they are put together. */
#ifndef IV_ESTIMATE_PART_MERGE_H
#define IV_ESTIMATE_PART_MERGE_H

#include "base/ids.h"
#include "estimate/part_file.h"

typedef struct iv_row_state {
    uint8_t state;
    uint32_t retrieved;
} iv_row_state;

typedef struct iv_merged_run {
    const char *name, *tag, *path;
    uint64_t bytes;
    iv_run_notes noted;
    double *rows; /* as they came, of the measures that were chosen */
    iv_row_state *states;
    size_t row_count, row_room, state_room;
    uint32_t *place; /* by topic: its row; IV_ABSENT: none */
    size_t place_count, place_room;
    size_t here;   /* topics scored in the part at hand */
    size_t topics; /* of its file, judged or not, in the last part; ... */
    bool split;    /* ... which parts do not agree on: each has a file of its own */
} iv_merged_run;

/* What says whether two parts mean the same judgments of a topic. */
typedef struct iv_judged_topic {
    uint32_t judged, above, blank; /* documents; of grades above 0; below, for not judged */
    uint64_t digest;               /* of all of them */
    size_t part;                   /* the last one that has it, from 1 */
} iv_judged_topic;

typedef struct iv_merging {
    iv_arena own;
    iv_str options;      /* how topics were scored */
    iv_measure_options measure;
    bool complete;
    iv_judgments_format format;
    iv_str *names;       /* of the measures in parts */
    size_t stored;
    size_t *chosen;      /* of these, the ones to take */
    size_t width;
    iv_merged_run *runs;
    size_t run_count, run_room;
    size_t *here;        /* the runs of the part at hand */
    size_t here_count;
    iv_ids topics;
    iv_slabs bytes;      /* of their names */
    iv_judged_topic *judged;
    size_t judged_room;
    uint64_t part_topics, repeated;
    int32_t largest;
    size_t tails;        /* parts that were read to their ends */
    bool uneven;         /* they have different largest grades */
} iv_merging;

/* Adds a part; asked: measures to take, none: all.  *m starts as zeros. */
IV_MUST_CHECK int iv_merging_add(iv_merging *m, const char *path, const iv_texts *asked,
                                 const iv_work *work, iv_err *err);
void iv_merging_free(iv_merging *m);

/* The evaluation that parts make up: iv_source has the rules. */
IV_MUST_CHECK int iv_evaluate_parts(iv_evaluation **out, const iv_texts *parts,
                                    const iv_evaluating *o, const iv_work *work, iv_err *err);

#endif /* IV_ESTIMATE_PART_MERGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* The file of a part: scores of topics that several machines computed. */
#ifndef IV_RETRIEVAL_SCORE_PARTS_H
#define IV_RETRIEVAL_SCORE_PARTS_H

#include "retrieval/scored_runs.h"

/*
 * The file of a part: magic, version, then blocks, each with its kind, length and checksum.
 * Numbers are little-endian; texts have their length before them.
 */

enum { IV_PART_VERSION = 2 };
enum { IV_PART_HEAD = 1, IV_PART_ROWS = 2, IV_PART_TAIL = 3 };

/* How a run stands to a judged topic. */
enum { IV_STATE_ABSENT, IV_STATE_SCORED, IV_STATE_EMPTY /* missing, and counted */ };

typedef struct iv_part_writer iv_part_writer;
struct iv_part_writer {
    iv_outfile *file;
    const char *path;
    char *block; /* that is being filled */
    size_t len, room;
    bool failed; /* memory was out */
    iv_written_scores found;
};

/* Begins the file of p->path. */
IV_MUST_CHECK int iv_part_begin(iv_part_writer *p, iv_err *err);

/* Measures and how they were computed, the judgments, the runs. */
IV_MUST_CHECK int iv_part_head(iv_part_writer *p, const iv_evaluation *e, iv_err *err);

/* Topics of the judgments and every run's scores of them. */
IV_MUST_CHECK int iv_part_rows(iv_part_writer *p, const iv_judgments *j,
                               iv_run_scores *const *scores, size_t runs, size_t width,
                               iv_err *err);

/* What is told of each run and of all judgments; makes the file appear. */
IV_MUST_CHECK int iv_part_end(iv_part_writer *p, const iv_evaluation *e, iv_err *err);

void iv_part_abandon(iv_part_writer *p);

/* A block's bytes as they are taken one after another; `bad` once there were too few. */
typedef struct iv_part_block {
    uint32_t kind;
    const char *at, *end;
    bool bad;
} iv_part_block;

uint64_t iv_part_u64(iv_part_block *b);

/* What a block's bytes must have. */
uint64_t iv_part_checksum(const char *bytes, size_t len);

/* The evaluation that parts make up: iv_source has the rules. */
IV_MUST_CHECK int iv_evaluate_parts(iv_evaluation **out, const iv_texts *parts,
                                    const iv_evaluating *o, const iv_work *work, iv_err *err);

#endif

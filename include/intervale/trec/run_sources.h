/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judgments and runs: in files, or in memory.  Files are read one at a time and
 * released as soon as they are scored.  Judgments in memory must outlive the result.
 */
#ifndef INTERVALE_TREC_RUN_SOURCES_H
#define INTERVALE_TREC_RUN_SOURCES_H

#include "intervale/trec/relevance_judgments.h"

IV_BEGIN_C

typedef struct iv_source {
    const char *judgments; /* a file; "-" is standard input */
    iv_judgments_format judgments_format;
    const iv_judgments *judged; /* instead of the file */
    iv_texts runs;         /* files */
    iv_run_format run_format;
    const iv_run *const *ranked; /* instead of files */
    size_t ranked_count;
    /*
     * Files that are sorted by topic (all by bytes, or all by number) are scored some topics
     * at a time, with the same result.  0: this is done for large, plain, regular files;
     * others are read into memory.  Above 0 it is always done, with about this number of bytes
     * besides the scores that are kept, also for pipes; files that are
     * not sorted, packed or of sampled judgments are IV_EPARSE.
     */
    uint64_t memory;
    /* With memory (0: 256 MB), files are sorted first, into files without names in a folder
     * (NULL: /tmp); lines that messages name are then those of the sorted copy. */
    bool sort;
    const char *folder;
    /*
     * Files of iv_write_scores(), instead of judgments and runs: runs of one name are one run, and
     * a topic that a run has in one part and lacks in another it has.  How topics were scored
     * stands in them; options.measures chooses among theirs (none: all).  IV_EPARSE, with the
     * file's name: a part that is truncated, damaged, of another version, scored otherwise than the
     * first; a topic whose judgments or whose scores of a run differ from those of a part before
     * it, as when its lines were split over two.
     */
    iv_texts parts;
} iv_source;

IV_END_C

#endif

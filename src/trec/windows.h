/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Large sorted files read some topics at a time.
 *
 * Judgments and runs that are all sorted by topic, read side by side: a batch of windows at
 * a time, each of them some whole topics of every file.  Memory holds a batch.
 */
#ifndef IV_TREC_WINDOWS_H
#define IV_TREC_WINDOWS_H

#include "base/memory.h"
#include "base/reader.h"
#include "intervale/trec/relevance_judgments.h"
#include "intervale/trec/runs.h"
#include "intervale/trec/sorted_lines.h"
#include "trec/topic_order.h"

enum { IV_NOT_TAKEN = 1 }; /* such files are read as wholes */

typedef struct iv_windows {
    iv_arena own;
    iv_reader *files; /* the judgments, then runs */
    size_t file_count;
    iv_topic_order order;
    iv_judgments_format judged_as;
    iv_run_format *run_as; /* by run */
    iv_str *tags;          /* by run: the first line's */
    size_t capacity;       /* of a file's buffer */
    size_t most;           /* to which it may grow */
    size_t wanted;         /* windows of a batch */
    size_t count;          /* windows there are; 0: all was read */
    iv_str *bounds;        /* window k has topics from bounds[k] to before bounds[k + 1]; an
                              empty one is no bound */
    size_t *ends;          /* [k * file_count + f]: where window k ends in the text of file f */
    iv_str last;           /* the first bound of the next batch, with its memory */
    size_t last_room;
    bool copies;           /* files were sorted first: lines are those of the copies */
} iv_windows;

/* Where files are to be sorted first. */
typedef struct iv_sorting iv_sorting;

/*
 * Opens the files and tells their formats and order by their beginnings (and the ends of
 * regular files).  memory: for all buffers together.  sort: sorts
 * them first, into files without names; NULL: they are sorted.  IV_NOT_TAKEN, with the reason in
 * err, for files that cannot be read so: of a sample, of no known format, not sorted.
 * *w starts as zeros, and is closed in any case; the work must live as long.
 */
IV_MUST_CHECK int iv_windows_open(iv_windows *w, const char *judgments,
                                  iv_judgments_format judged_as, const iv_texts *runs,
                                  iv_run_format run_as, uint64_t memory, const iv_sorting *sort,
                                  const iv_work *work, iv_err *err);
void iv_windows_close(iv_windows *w);

/* Lets go of the batch and reads the next: w->count windows, 0 at the end. */
IV_MUST_CHECK int iv_windows_next(iv_windows *w, iv_err *err);

/* From the beginning once more; regular files only. */
IV_MUST_CHECK int iv_windows_rewind(iv_windows *w, iv_err *err);

/*
 * The judgments, or run r, of window k; by any thread.  Borrows the text: gone with the
 * batch.  IV_EPARSE names the line; IV_NOT_TAKEN, told in err, when topics are not in order.
 */
IV_MUST_CHECK int iv_window_judgments(iv_judgments **out, const iv_windows *w, size_t k,
                                      iv_err *err);
IV_MUST_CHECK int iv_window_run(iv_run **out, const iv_windows *w, size_t k, size_t r,
                                iv_err *err);
/* How many lines of file f (0: the judgments, then runs) are before window k. */
uint64_t iv_window_lines(const iv_windows *w, size_t k, size_t f);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A directory that appears complete or not at all: made under a temporary name
 * beside its place, renamed at the end.  Its data are not synced to the disk,
 * since they can be made again.
 */
#ifndef IV_SIMULATE_FOLDER_H
#define IV_SIMULATE_FOLDER_H

#include "intervale/base.h"

typedef struct iv_folder {
    char *path;      /* where it shall be */
    char *temporary; /* where it is now; NULL: nowhere */
} iv_folder;

/*
 * Starts a directory that shall be at path, with a directory `inner` in it.
 * IV_EIO when something is at path already, unless it is an empty directory.
 */
IV_MUST_CHECK int iv_folder_start(iv_folder *f, const char *path, const char *inner,
                                  iv_err *err);

/* Opens the new file inner/name, or name when inner is NULL, for writing. */
IV_MUST_CHECK int iv_folder_file(FILE **out, const iv_folder *f, const char *inner,
                                 const char *name, iv_err *err);

/* Closes that file; an error of any write to it is told here. */
IV_MUST_CHECK int iv_folder_close(const iv_folder *f, FILE *file, iv_err *err);

/* Puts it in its place. */
IV_MUST_CHECK int iv_folder_commit(iv_folder *f, iv_err *err);

/* Frees f; removes what was written unless it was committed. */
void iv_folder_end(iv_folder *f);

#endif /* IV_SIMULATE_FOLDER_H */

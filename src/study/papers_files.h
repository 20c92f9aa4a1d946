/* SPDX-License-Identifier: Apache-2.0 */
/* The files of papers/, as cmake/papers.cmake makes them part of the program. */
#ifndef IV_STUDY_PAPERS_FILES_H
#define IV_STUDY_PAPERS_FILES_H

#include <stddef.h>

typedef struct iv_papers_source {
    const char *name; /* without folder and .tsv */
    const unsigned char *bytes;
    size_t len;
} iv_papers_source;

extern const iv_papers_source iv_papers_files[];
extern const size_t iv_papers_file_count;

#endif /* IV_STUDY_PAPERS_FILES_H */

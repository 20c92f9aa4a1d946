/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files that a command line writes, kept from replacing what is not theirs.
 *
 * A file is the tool's if it carries the tool's mark, an extended attribute with its
 * size and time that is set on every file once it is written, and has not changed
 * since: a sample that somebody has judged is not the tool's any more.  A new file, an
 * empty one, a device and a pipe may always be written.
 */
#ifndef OUTPUTS_H
#define OUTPUTS_H

#include "frame/options.h"

/*
 * Before anything is read: CMD_USAGE when a file to write is also one to read (the
 * same file, whatever its name), IV_EIO when it is there, is not the tool's and
 * force is false.
 */
IV_MUST_CHECK int outputs_check(const opt_set *sets, size_t count, char *const *operands,
                                bool force, iv_err *err);

/* After all was written: marks the files as the tool's, where the system has marks. */
void outputs_mark(const opt_set *sets, size_t count);

#endif /* OUTPUTS_H */

/* SPDX-License-Identifier: Apache-2.0 */
/* In place of <dirent.h> on Windows, whose names are not UTF-8: win32.h declares all of it. */

/* SPDX-License-Identifier: Apache-2.0 */
/* What every HTML report carries; made when the library is built. */
#ifndef IV_REPORT_PAGE_H
#define IV_REPORT_PAGE_H

/* Pieces to be written one after another; each list ends with NULL. */
extern const char *const iv_page_style[];
extern const char *const iv_page_script[];

/* Of the script, as a content security policy names it. */
extern const char iv_page_script_hash[];

#endif /* IV_REPORT_PAGE_H */

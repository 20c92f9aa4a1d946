/* SPDX-License-Identifier: Apache-2.0 */
/* The fixed parts of a page: style, scripts, the number of rows shown. */
#ifndef IV_REPORT_PAGE_H
#define IV_REPORT_PAGE_H

/* Rows of a table that stand in the page itself; the script shows the others. */
enum { IV_HTML_ROWS = 200 };

/* What every HTML report carries; made when the library is built. */

/* Pieces to be written one after another; each list ends with NULL.  The libraries that
 * draw come before the rest of the script. */
extern const char *const iv_page_style[];
extern const char *const iv_page_drawing[];
extern const char *const iv_page_script[];

/* Of the two together, as a content security policy names it. */
extern const char iv_page_script_hash[];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The files of src/serve/web, as bytes; made by cmake/bytes.cmake when the library is built. */
#ifndef IV_SERVE_PAGE_H
#define IV_SERVE_PAGE_H

#include <stddef.h>

extern const unsigned char iv_web_html[], iv_web_css[], iv_web_js[];
extern const size_t iv_web_html_len, iv_web_css_len, iv_web_js_len;

#endif /* IV_SERVE_PAGE_H */

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The page is one answer: its style and script stand in it, known to the browser by their
 * hashes.  Nothing else is run or loaded, whatever a document says.
 */
#include "serve/page.h"

#include <stdlib.h>
#include <string.h>

#include "serve/server.h"
#include "base/digests_private.h"

enum { HASH_SIZE = 45 }; /* 32 bytes in base 64, and an end */

static unsigned nibble(char c)
{
    return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* What stands for bytes in a Content-Security-Policy. */
static const char *hash_of(char out[HASH_SIZE], const void *bytes, size_t len)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char hex[IV_SHA256_SIZE];
    unsigned char raw[33] = { 0 };
    size_t at = 0;

    (void)iv_sha256(hex, bytes, len);
    for (size_t i = 0; i < 32; i++)
        raw[i] = (unsigned char)(nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]));
    for (size_t i = 0; i < 33; i += 3) {
        const unsigned three = (unsigned)raw[i] << 16 | (unsigned)raw[i + 1] << 8 | raw[i + 2];
        for (int shift = 18; shift >= 0; shift -= 6)
            out[at++] = digits[three >> shift & 63];
    }
    out[at - 1] = '=';
    out[at] = '\0';
    return out;
}

/* Appends; the buffer is as large as all parts together. */
static void put(iv_server *v, const void *bytes, size_t len)
{
    memcpy(v->page + v->page_len, bytes, len);
    v->page_len += len;
}

static void put_text(iv_server *v, const char *text)
{
    put(v, text, strlen(text));
}

int iv_page_make(iv_server *v, iv_err *err)
{
    static const char mark[] = "<!--parts-->";
    char style[HASH_SIZE], script[HASH_SIZE];
    char *html = malloc(iv_web_html_len + 1);

    v->page = malloc(iv_web_html_len + iv_web_css_len + iv_web_js_len + 64);
    if (v->page == NULL || html == NULL) {
        free(html);
        return iv_no_memory(err);
    }
    memcpy(html, iv_web_html, iv_web_html_len);
    html[iv_web_html_len] = '\0';
    const char *at = strstr(html, mark);
    if (at == NULL) {
        free(html);
        return iv_fail(err, IV_EPARSE, "the page has no place for its parts");
    }
    put(v, html, (size_t)(at - html));
    put_text(v, "<style>");
    put(v, iv_web_css, iv_web_css_len);
    put_text(v, "</style><script type=\"module\">");
    put(v, iv_web_js, iv_web_js_len);
    put_text(v, "</script>");
    put_text(v, at + strlen(mark));
    free(html);
    (void)snprintf(v->headers, sizeof v->headers,
        "Content-Security-Policy: default-src 'none'; script-src 'sha256-%s'; "
        "style-src 'sha256-%s'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'\r\n"
        IV_SAFE_HEADERS
        "Cache-Control: no-store\r\n",
        hash_of(script, iv_web_js, iv_web_js_len), hash_of(style, iv_web_css, iv_web_css_len));
    return IV_OK;
}

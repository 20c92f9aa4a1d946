/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes of a socket are let through as what they say, or refused with a status; any
 * body is read or refused in one line. */
#define _GNU_SOURCE /* memmem */
#include "fuzz.h"
#include "serve/bodies.h"
#include "serve/http_parser.h"
#include "store/entries.h"
#include "store/items.h"
#include "base/memory.h"


static const char *const authorities[] = { "127.0.0.1:8123" };
static const char *const origins[] = { "http://127.0.0.1:8123" };
static const iv_address addresses[] = { { "/", IV_GET, IV_BY_ANYBODY },
    { "/api/next", IV_GET, IV_BY_ASSESSOR }, { "/api/judgments", IV_POST, IV_BY_ASSESSOR },
    { NULL } };

static bool within(iv_str part, const char *text, size_t len)
{
    return part.len == 0 || (part.ptr >= text && part.ptr + part.len <= text + len);
}

static void knock(const char *text, size_t len)
{
    const iv_http_rules gate = { { authorities, 1 }, { origins, 1 }, addresses };
    iv_http_request asked;
    iv_str value;
    int64_t n;
    const size_t head = iv_head_length((iv_str){ text, len });

    PROMISE(head <= len);
    const int status = iv_http_parse(&asked, &gate, (iv_str){ text, head > 0 ? head : len });
    PROMISE(status == 0 || (status >= 400 && status <= 505));
    if (status != 0)
        return;
    /* Whoever was let in has named us, has no second length, and asked for what is there. */
    PROMISE(head > 0 && asked.address < 3 && asked.body <= IV_BODY_MOST);
    PROMISE(within(asked.query, text, head) && (asked.key.len == 0 || within(asked.key, text, head)));
    PROMISE(memmem(text, head, "127.0.0.1:8123", 14) != NULL);
    PROMISE(addresses[asked.address].method == IV_POST || asked.body == 0);
    if (iv_query_number(&n, asked.query, "topic", 0))
        PROMISE(n >= 0);
    if (iv_query_word(&value, asked.query, "as"))
        PROMISE(value.len == 0 || within(value, text, head));
}

static void send_body(const char *text, size_t len)
{
    const iv_str body = { text, len };
    iv_arena a = { 0 };
    iv_assessor_act act;
    iv_sent sent;
    iv_str token;
    const char *word;
    iv_err err = { IV_OK, "" };

    if (iv_body_judgments(&sent, &a, body, &err) == IV_OK) {
        PROMISE(sent.count > 0 && sent.count <= IV_SENT_MOST);
        for (size_t i = 0; i < sent.count; i++) {
            const iv_store_entry *e = &sent.entries[i];
            PROMISE(strlen(e->uuid) == IV_UUID_SIZE - 1 && e->item > 0 && e->assessor == 0);
            PROMISE(e->reason != IV_REASON_IMPORTED);
            PROMISE(e->note == NULL || strlen(e->note) <= IV_NOTE_BYTES);
        }
    } else {
        PROMISE(err.msg[0] != '\0');
    }
    if (iv_body_login(&token, &a, body, &err) == IV_OK)
        PROMISE(token.len <= 256);
    if (iv_body_keys(&word, &a, body, &err) == IV_OK)
        PROMISE(strlen(word) <= len);
    if (iv_body_assessor(&act, &word, &a, body, &err) == IV_OK)
        PROMISE(strlen(word) <= 256);
    iv_arena_free(&a);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *exact = malloc(size > 0 ? size : 1); /* nothing behind it */

    PROMISE(exact != NULL);
    if (size > 0)
        memcpy(exact, data, size);
    if (size > 0 && (exact[0] == '{' || exact[0] == '['))
        send_body(exact, size);
    else
        knock(exact, size);
    free(exact);
    return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Any file of documents or topics gives texts that are UTF-8, each once, or one line. */
#include "fuzz_answer.h"
#include "store/documents.h"
#include "base/ids.h"
#include "base/utf8.h"

static void is_text(iv_str s)
{
    uint32_t code = 0;

    for (size_t at = 0, width; at < s.len; at += width) {
        width = iv_utf8_next(&code, s, at);
        PROMISE(width > 0 && code != 0 && code != '\r');
    }
}

static int put(void *user, uint32_t id, iv_str title, iv_str text, iv_str source, iv_err *err)
{
    unsigned *seen = user;

    (void)err;
    (void)source;
    PROMISE(id < 3 && !(*seen & 1u << id));
    *seen |= 1u << id;
    is_text(title);
    is_text(text);
    return IV_OK;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ids[] = { "a", "b", "301" };
    const fuzz_input in = fuzz_split(data, size);
    char path[FUZZ_PATH];
    FILE *file;
    unsigned seen = 0;
    iv_wanted w = { .topics = in.choice % 2 == 1, .put = put, .user = &seen };
    iv_err err = { IV_OK, "" };

    if (!fuzz_file(path, &file, in.text, in.len))
        return 0;
    for (size_t i = 0; i < 3; i++)
        PROMISE(iv_ids_add(&w.ids, iv_str_of(ids[i])) == i);
    PROMISE(iv_wanted_begin(&w, NULL) == IV_OK);
    const int rc = iv_documents_read(&w, path, NULL, &err);
    PROMISE(rc == IV_OK || rc == IV_EPARSE || rc == IV_EIO);
    PROMISE(rc == IV_OK || (err.msg[0] != '\0' && strchr(err.msg, '\n') == NULL));
    iv_wanted_free(&w);
    (void)fclose(file);
    return 0;
}

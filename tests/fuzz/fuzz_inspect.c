/* SPDX-License-Identifier: Apache-2.0 */
/* An inspection never fails on content, and says the same however it is asked. */
#include "fuzz.h"
#include "trec/inspection.h"
#include "trec/problems.h"
#include "base/bytes.h"

static iv_inspector *inspect(const fuzz_input *in, size_t most, int threads)
{
    iv_bytes bytes;
    iv_inspector *i = NULL;

    if (!fuzz_bytes(&bytes, in))
        return NULL;
    PROMISE(iv_inspect_bytes(&i, &bytes, (iv_judgments_format)(in->choice % 5), most,
                             &(iv_work){ .threads = threads },
                             "f", NULL) == IV_OK);
    return i;
}

static void listed(const iv_inspector *v)
{
    uint64_t errors = 0, warnings = 0;

    for (size_t k = 0; k < v->problems.count; k++) {
        const iv_problem *p = &v->problems.items[k];
        PROMISE(p->line >= 1 && p->message[0] != '\0' && strchr(p->message, '\n') == NULL);
        PROMISE(k == 0 || v->problems.items[k - 1].line <= p->line);
        errors += p->error;
        warnings += !p->error;
    }
    PROMISE(errors <= v->problems.errors && warnings <= v->problems.warnings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    const size_t most = in.chunk_bytes - 1;
    iv_inspector *all = inspect(&in, SIZE_MAX, 1);
    iv_inspector *some = inspect(&in, most, 2);

    if (all == NULL || some == NULL)
        return 0;
    const iv_inspector *v = all, *w = some;
    listed(v);
    listed(w);
    PROMISE(v->problems.count == v->problems.errors + v->problems.warnings);
    PROMISE(w->problems.count == (most < v->problems.count ? most : v->problems.count));
    PROMISE(v->kind == w->kind && strcmp(v->format, w->format) == 0);
    PROMISE(v->problems.errors == w->problems.errors && v->problems.warnings == w->problems.warnings);
    PROMISE(v->lines == w->lines && v->records == w->records && v->topics == w->topics);
    PROMISE(v->documents == w->documents && v->duplicates == w->duplicates);
    PROMISE(v->ties == w->ties && v->tags == w->tags && v->relevant == w->relevant);
    PROMISE(v->kind != IV_FILE_UNKNOWN || v->problems.errors > 0);
    bool has_error = most == 0 || v->problems.errors == 0;
    for (size_t k = 0; k < w->problems.count; k++)
        has_error = has_error || w->problems.items[k].error;
    PROMISE(has_error);
    for (size_t t = 1; v->topic_ids != NULL && t < v->topics; t++)
        PROMISE(iv_str_cmp(v->topic_ids[t - 1], v->topic_ids[t]) < 0);
    iv_inspector_free(all);
    iv_inspector_free(some);
    return 0;
}

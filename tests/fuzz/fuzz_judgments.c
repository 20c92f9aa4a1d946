/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments are the same however cut, can be looked up, and are what check says. */
#include "fuzz.h"
#include "trec/inspection.h"
#include "trec/judgments.h"
#include "trec/judgments_records.h"
#include "trec/problems.h"
#include "base/bytes.h"


static bool read_cut(iv_judgments *j, iv_problems *problems, iv_bytes bytes,
                     iv_judgments_format format, bool collect, int threads, size_t chunk)
{
    *j = (iv_judgments){ .bytes = bytes };
    *problems = (iv_problems){ .most = SIZE_MAX };
    (void)iv_judgments_read(j, format, collect,
                            &(iv_work){ .threads = threads }, chunk, problems);
    iv_problems_finish(problems);
    return problems->errors == 0;
}

static void same_judgments(const iv_judgments *a, const iv_judgments *b)
{
    PROMISE(a->format == b->format && iv_judgments_topics(a) == iv_judgments_topics(b));
    for (size_t t = 0; t < iv_judgments_topics(a); t++) {
        const iv_judgment *x, *y;
        const size_t n = iv_judgments_of(&x, a, t);
        PROMISE(iv_judgments_of(&y, b, t) == n && n > 0);
        PROMISE(fuzz_same(iv_judgments_topic(a, t), iv_judgments_topic(b, t)));
        for (size_t i = 0; i < n; i++)
            PROMISE(x[i].docno.ptr == y[i].docno.ptr && x[i].grade == y[i].grade
                    && x[i].pi == y[i].pi && x[i].stratum == y[i].stratum);
    }
}

static void same_problems(const iv_problems *a, const iv_problems *b)
{
    PROMISE(a->errors == b->errors && a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        PROMISE(a->items[i].line == b->items[i].line);
        PROMISE(strcmp(a->items[i].message, b->items[i].message) == 0);
    }
}

/* Everything is in its domain and found where it is. */
static void sound(const iv_judgments *j)
{
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *items;
        const size_t n = iv_judgments_of(&items, j, t);
        PROMISE(t == 0 || iv_str_cmp(iv_judgments_topic(j, t - 1),
                                     iv_judgments_topic(j, t)) < 0);
        PROMISE(iv_judgments_find_topic(j, iv_judgments_topic(j, t)) == t);
        for (size_t i = 0; i < n; i++) {
            PROMISE(items[i].grade >= IV_GRADE_MIN && items[i].grade <= IV_GRADE_MAX);
            PROMISE(items[i].pi > 0.0 && items[i].pi <= 1.0 && items[i].stratum >= -1);
            PROMISE(items[i].docno.len > 0);
            PROMISE(iv_judgments_find(j, t, items[i].docno) == &items[i]);
        }
    }
}

static void compare_cuts(const fuzz_input *in, iv_bytes bytes, iv_judgments_format format)
{
    for (int collect = 0; collect < 2; collect++) {
        iv_judgments whole, cut;
        iv_problems p, q;
        const bool ok = read_cut(&whole, &p, bytes, format, collect, 1, bytes.len + 1);
        PROMISE(read_cut(&cut, &q, bytes, format, collect, in->threads, in->chunk_bytes)
                == ok);
        if (collect || ok)
            same_judgments(&whole, &cut);
        if (collect)
            same_problems(&p, &q);
        else if (ok)
            sound(&cut);
        iv_problems_free(&p);
        iv_problems_free(&q);
        iv_judgments_forget(&whole);
        iv_judgments_forget(&cut);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    const iv_judgments_format format = (iv_judgments_format)(in.choice % 5);
    iv_bytes bytes;
    iv_judgments *j = NULL;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    if (!fuzz_bytes(&bytes, &in))
        return 0;
    compare_cuts(&in, bytes, format);
    int rc = iv_judgments_parse(&j, "f", in.text, in.len, format, NULL, &err);
    PROMISE(rc == IV_OK || rc == IV_EPARSE);
    PROMISE((rc == IV_OK) == (j != NULL));
    iv_judgments_free(j);
    PROMISE(iv_inspect_bytes(&i, &bytes, format, SIZE_MAX,
                             &(iv_work){ .threads = in.threads }, "f", NULL) == IV_OK);
    if (i->judgments == IV_JUDGMENTS_GROUPS) { /* which nobody asked for: qrels are refused */
        PROMISE(format == IV_JUDGMENTS_ANY && rc == IV_EPARSE);
        j = NULL;
        rc = iv_judgments_parse(&j, "f", in.text, in.len, IV_JUDGMENTS_GROUPS, NULL, &err);
        iv_judgments_free(j);
    }
    if (i->kind == IV_FILE_JUDGMENTS)
        fuzz_agree(i, rc, &err);
    else
        PROMISE(format == IV_JUDGMENTS_ANY);
    iv_inspector_free(i);
    return 0;
}

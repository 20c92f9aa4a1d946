/* SPDX-License-Identifier: Apache-2.0 */
/* A run is the same however cut, ranked, and what check says of it. */
#include "fuzz.h"
#include "trec/inspection.h"
#include "trec/problems.h"
#include "trec/run.h"
#include "trec/run_records.h"
#include "base/bytes.h"


/* Reads the bytes, which stay the caller's, in pieces. */
static bool read_cut(iv_run *run, iv_problems *problems, iv_bytes bytes, iv_run_format format,
                     bool collect, int threads, size_t chunk)
{
    *run = (iv_run){ .bytes = bytes };
    *problems = (iv_problems){ .most = SIZE_MAX };
    (void)iv_run_read(run, format, collect, &(iv_work){ .threads = threads }, chunk, problems);
    iv_problems_finish(problems);
    return problems->errors == 0;
}

static void same_run(const iv_run *a, const iv_run *b)
{
    PROMISE(a->format == b->format && fuzz_same(a->tag, b->tag));
    PROMISE(iv_run_topics(a) == iv_run_topics(b));
    for (size_t t = 0; t < iv_run_topics(a); t++) {
        PROMISE(fuzz_same(iv_run_topic(a, t), iv_run_topic(b, t)));
        PROMISE(iv_run_depth(a, t) == iv_run_depth(b, t));
        for (size_t r = 0; r < iv_run_depth(a, t); r++) {
            PROMISE(iv_run_docno(a, t, r).ptr == iv_run_docno(b, t, r).ptr);
            PROMISE(iv_run_score(a, t, r) == iv_run_score(b, t, r));
        }
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

static void ranked(const iv_run *run)
{
    for (size_t t = 0; t < iv_run_topics(run); t++) {
        PROMISE(t == 0 || iv_str_cmp(iv_run_topic(run, t - 1), iv_run_topic(run, t)) < 0);
        PROMISE(iv_run_find_topic(run, iv_run_topic(run, t)) == t);
        PROMISE(iv_run_depth(run, t) > 0);
        for (size_t r = 1; r < iv_run_depth(run, t); r++) {
            const double above = iv_run_score(run, t, r - 1), below = iv_run_score(run, t, r);
            PROMISE(above > below
                    || (above == below
                        && iv_str_cmp(iv_run_docno(run, t, r - 1),
                                      iv_run_docno(run, t, r)) > 0));
        }
    }
}

static void compare_cuts(const fuzz_input *in, iv_bytes bytes, iv_run_format format)
{
    for (int collect = 0; collect < 2; collect++) {
        iv_run whole, cut;
        iv_problems p, q;
        const bool ok = read_cut(&whole, &p, bytes, format, collect, 1, bytes.len + 1);
        PROMISE(read_cut(&cut, &q, bytes, format, collect, in->threads, in->chunk_bytes)
                == ok);
        if (collect || ok)
            same_run(&whole, &cut);
        if (collect)
            same_problems(&p, &q);
        else if (ok)
            ranked(&whole);
        iv_problems_free(&p);
        iv_problems_free(&q);
        iv_run_forget(&whole);
        iv_run_forget(&cut);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const fuzz_input in = fuzz_split(data, size);
    const iv_run_format format = (iv_run_format)(in.choice % 3);
    iv_bytes bytes;
    iv_run *run = NULL;
    iv_inspector *i = NULL;
    iv_err err = { IV_OK, "" };

    if (!fuzz_bytes(&bytes, &in))
        return 0;
    compare_cuts(&in, bytes, format);
    if (format == IV_RUN_ANY) {
        const int rc = iv_run_parse(&run, "f", in.text, in.len, format, NULL, &err);
        PROMISE(rc == IV_OK || rc == IV_EPARSE);
        PROMISE((rc == IV_OK) == (run != NULL));
        iv_run_free(run);
        PROMISE(iv_inspect_bytes(&i, &bytes, IV_JUDGMENTS_ANY, SIZE_MAX,
                                 &(iv_work){ .threads = in.threads }, "f", NULL)
                == IV_OK);
        if (i->kind == IV_FILE_RUN)
            fuzz_agree(i, rc, &err);
        iv_inspector_free(i);
    } else {
        iv_bytes_free(&bytes);
    }
    return 0;
}

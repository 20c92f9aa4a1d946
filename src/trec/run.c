/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/run.h"

#include <stdlib.h>

#include "base/threads.h"
#include "trec/duplicates.h"
#include "trec/run_lines.h"
#include "trec/text.h"

/* ------------------------------------------------------------ ranking -- */

static void insertion_sort(const iv_run *run, iv_run_doc *docs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        const iv_run_doc moved = docs[i];
        size_t j = i;
        for (; j > 0 && iv_run_doc_before(run, &moved, &docs[j - 1]); j--)
            docs[j] = docs[j - 1];
        docs[j] = moved;
    }
}

static bool in_rank_order(const iv_run *run, const iv_run_doc *docs, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        if (iv_run_doc_before(run, &docs[i], &docs[i - 1]))
            return false;
    }
    return true;
}

/* Merges the sorted docs[0..half) and docs[half..n). */
static void merge(const iv_run *run, iv_run_doc *docs, size_t half, size_t n,
                  iv_run_doc *scratch)
{
    size_t left = 0, right = half, out = 0;

    memcpy(scratch, docs, half * sizeof *docs);
    while (left < half && right < n) {
        if (iv_run_doc_before(run, &docs[right], &scratch[left]))
            docs[out++] = docs[right++];
        else
            docs[out++] = scratch[left++];
    }
    memcpy(docs + out, scratch + left, (half - left) * sizeof *docs);
}

void iv_run_docs_sort(const iv_run *run, iv_run_doc *docs, size_t n,
                      iv_run_doc *scratch)
{
    enum { SMALL = 12 };

    if (in_rank_order(run, docs, n)) /* as nearly every run is written */
        return;
    if (n <= SMALL) {
        insertion_sort(run, docs, n);
        return;
    }
    iv_run_docs_sort(run, docs, n / 2, scratch);
    iv_run_docs_sort(run, docs + n / 2, n - n / 2, scratch);
    merge(run, docs, n / 2, n, scratch);
}

/* ------------------------------------------------------------ reading -- */

static iv_str name_of(const void *owner, const void *record)
{
    return iv_run_doc_name(owner, record);
}

/* Ranks every topic; false when memory is out. */
static bool rank(iv_run *run, int threads)
{
    size_t longest = 0;
    bool ok = true;

    for (size_t t = 0; t < run->grouped.topic_count; t++) {
        if (run->grouped.topics[t].count > longest)
            longest = run->grouped.topics[t].count;
    }
    #pragma omp parallel num_threads(threads) if (threads > 1) reduction(&& : ok)
    {
        iv_run_doc *scratch = malloc((longest + 1) * sizeof *scratch);
        ok = scratch != NULL;
        #pragma omp for schedule(dynamic, 8)
        for (size_t t = 0; t < run->grouped.topic_count; t++) {
            if (scratch != NULL)
                iv_run_docs_sort(run, run->grouped.topics[t].records,
                                 run->grouped.topics[t].count, scratch);
        }
        free(scratch);
    }
    return ok;
}

void iv_run_read(iv_run *run, iv_run_format format, bool collect, int threads,
                 size_t chunk_bytes, iv_problems *problems)
{
    iv_str fields[6];
    uint64_t line;

    run->text = iv_text_of(&run->bytes);
    if (!iv_text_usable(run->text, problems))
        return;
    const size_t count = iv_first_fields(fields, 6, run->text, false, &line);
    run->format = format == IV_RUN_ANY ? iv_run_format_told(count) : format;
    if (run->format == IV_RUN_ANY) {
        iv_complain(problems, line, IV_ERROR,
                   "%zu field%s, expected a run: 6 (topic Q0 docno rank score tag) "
                   "or 3 (topic docno rank)", count, count == 1 ? "" : "s");
        return;
    }
    run->tag = run->format == IV_RUN_TREC && count >= 6 ? fields[5] : iv_str_of("");
    iv_run_group(&run->grouped, run->text, run->format, collect, threads,
                 chunk_bytes, problems);
    if (problems->no_memory || (!collect && problems->errors > 0))
        return;
    iv_find_duplicates(&run->grouped, sizeof(iv_run_doc), run->text, run, name_of,
                       threads, problems);
    if (!collect && problems->errors == 0 && !rank(run, iv_threads(threads)))
        problems->no_memory = true;
}

void iv_run_forget(iv_run *run)
{
    iv_grouped_free(&run->grouped);
    run->format = IV_RUN_ANY;
    run->tag = iv_str_of("");
}

/* Takes over the bytes, also when it fails. */
static int run_from(iv_run **out, iv_bytes *bytes, const char *name,
                    iv_run_format format, int threads, iv_err *err)
{
    iv_problems problems = { .most = 1 };
    iv_run *run = calloc(1, sizeof *run);
    int rc;

    if (run == NULL) {
        iv_bytes_free(bytes);
        return iv_fail(err, IV_ENOMEM, "%s: out of memory", name);
    }
    run->bytes = *bytes;
    iv_run_read(run, format, false, threads, 0, &problems);
    if (problems.errors > 0 && !problems.no_memory) {
        /* Once more, for the first error of all and not of a thread's. */
        iv_run_forget(run);
        iv_run_read(run, format, true, threads, 0, &problems);
    }
    iv_problems_finish(&problems);
    rc = iv_problems_verdict(&problems, name, err);
    iv_problems_free(&problems);
    if (rc < 0)
        iv_run_free(run);
    else
        *out = run;
    return rc;
}

int iv_run_load(iv_run **out, const char *path, iv_run_format format, int threads,
                iv_err *err)
{
    iv_bytes bytes;
    const int rc = iv_bytes_load(&bytes, path, err);

    return rc < 0 ? rc : run_from(out, &bytes, path, format, threads, err);
}

int iv_run_parse(iv_run **out, const char *name, const void *text, size_t len,
                 iv_run_format format, int threads, iv_err *err)
{
    iv_bytes bytes;
    const int rc = iv_bytes_copy(&bytes, name, text, len, err);

    return rc < 0 ? rc : run_from(out, &bytes, name, format, threads, err);
}

void iv_run_free(iv_run *run)
{
    if (run == NULL)
        return;
    iv_grouped_free(&run->grouped);
    iv_bytes_free(&run->bytes);
    free(run);
}

/* ------------------------------------------------------------- asking -- */

iv_run_format iv_run_format_of(const iv_run *run) { return run->format; }

iv_str iv_run_tag(const iv_run *run) { return run->tag; }

uint64_t iv_run_bytes(const iv_run *run) { return run->bytes.stored; }

size_t iv_run_topics(const iv_run *run) { return run->grouped.topic_count; }

iv_str iv_run_topic(const iv_run *run, size_t topic)
{
    return run->grouped.topics[topic].id;
}

size_t iv_run_find_topic(const iv_run *run, iv_str id)
{
    return iv_grouped_find(&run->grouped, id);
}

size_t iv_run_depth(const iv_run *run, size_t topic)
{
    return run->grouped.topics[topic].count;
}

iv_str iv_run_docno(const iv_run *run, size_t topic, size_t rank)
{
    const iv_run_doc *docs = run->grouped.topics[topic].records;
    return iv_run_doc_name(run, &docs[rank]);
}

double iv_run_score(const iv_run *run, size_t topic, size_t rank)
{
    const iv_run_doc *docs = run->grouped.topics[topic].records;
    return docs[rank].score;
}

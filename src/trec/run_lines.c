/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a run, in either format. */
#include "trec/run_lines.h"

#include "trec/fields.h"
#include "trec/run.h"

/* What the parser of a chunk has to know. */
typedef struct shape {
    iv_str text;
    iv_run_format format;
    size_t fields, docno, score; /* how many, and which is which */
    const char *expected;
} shape;

static const shape shapes[] = {
    { { NULL, 0 }, IV_RUN_TREC, 6, 2, 4, "6: topic Q0 docno rank score tag" },
    { { NULL, 0 }, IV_RUN_MSMARCO, 3, 1, 2, "3: topic docno rank" },
};

static bool score_of(double *score, iv_str field, const shape *how, iv_chunk *c)
{
    char quoted[IV_QUOTE_SIZE];
    int64_t rank;

    if (how->format == IV_RUN_TREC) {
        if (iv_scan_real(score, field))
            return true;
        iv_complain(&c->problems, c->lines, IV_ERROR,
                   "score %s, expected a finite number", iv_quote(quoted, field));
        return false;
    }
    if (iv_scan_int(&rank, field, 0, INT64_C(1) << 53)) {
        *score = -(double)rank;
        return true;
    }
    iv_complain(&c->problems, c->lines, IV_ERROR,
               "rank %s, expected a whole number from 0", iv_quote(quoted, field));
    return false;
}

static void parse(iv_chunk *c, const void *vhow)
{
    const shape *how = vhow;
    const char *p = c->begin;

    while (p < c->end && !iv_chunk_stopped(c)) {
        iv_str fields[6];
        double score;
        const size_t count = iv_split_line(fields, 6, &p, c->end);
        c->lines++;
        if (count != how->fields) {
            if (count == 0)
                c->empty_lines++;
            else
                iv_complain(&c->problems, c->lines, IV_ERROR,
                           "%zu field%s, expected %s", count, count == 1 ? "" : "s",
                           how->expected);
            continue;
        }
        if (!score_of(&score, fields[how->score], how, c))
            continue;
        const iv_str docno = fields[how->docno];
        if (docno.len >> IV_DOCNO_BITS != 0) {
            iv_complain(&c->problems, c->lines, IV_ERROR,
                       "a docno of %zu bytes, expected fewer than %u", docno.len,
                       1u << IV_DOCNO_BITS);
            continue;
        }
        iv_run_doc *d = iv_chunk_add(c, fields[0]);
        if (d == NULL)
            return;
        d->score = score;
        d->place = (uint64_t)(docno.ptr - how->text.ptr) << IV_DOCNO_BITS | docno.len;
    }
}

iv_run_format iv_run_format_told(size_t fields)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (fields == shapes[i].fields)
            return shapes[i].format;
    }
    return IV_RUN_ANY;
}

void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format, bool collect,
                  int threads, size_t chunk_bytes, iv_problems *problems)
{
    shape how = shapes[format == IV_RUN_MSMARCO];

    how.text = text;
    iv_group_records(out, text, sizeof(iv_run_doc), parse, &how, collect, threads,
                     chunk_bytes, problems);
}

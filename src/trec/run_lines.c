/* SPDX-License-Identifier: Apache-2.0 */
/* The lines of a run, in either format. */
#include "trec/run_lines.h"

#include "trec/fields.h"
#include "trec/run.h"
#include "trec/text.h"

/* What the parser of a chunk has to know. */
typedef struct shape {
    iv_run_format format;
    size_t fields, docno, score; /* how many, and which is which */
    const char *expected;
} shape;

static const shape shapes[] = {
    { IV_RUN_TREC, 6, 2, 4, "6: topic Q0 docno rank score tag" },
    { IV_RUN_MSMARCO, 3, 1, 2, "3: topic docno rank" },
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

/*
 * Text behind the tag is passed over, as trec_eval 10 does; not where a CR stands
 * in it, which ends a line elsewhere: the rest would be lost documents.
 */
static bool fits(const shape *how, size_t count, const iv_str *fields, const char *stop)
{
    if (count <= how->fields || how->format != IV_RUN_TREC)
        return count == how->fields;
    const char *behind = fields[5].ptr + fields[5].len;
    const char *cr = memchr(behind, '\r', (size_t)(stop - behind));
    while (cr != NULL && cr < stop && (iv_is_blank(*cr) || *cr == '\n'))
        cr++;
    return cr == NULL || cr == stop;
}

static void refuse_count(iv_chunk *c, size_t count, const shape *how)
{
    if (count == 0)
        c->empty_lines++;
    else if (count > how->fields && how->format == IV_RUN_TREC)
        iv_complain(&c->problems, c->lines, IV_ERROR, "a CR behind the tag with more behind it, "
                    "expected lines that end with LF (or CR LF)");
    else
        iv_complain(&c->problems, c->lines, IV_ERROR, "%zu field%s, expected %s", count,
                    count == 1 ? "" : "s", how->expected);
}

/* A line with another tag is not like the one before it, so none is missed. */
static void watch_tag(iv_chunk *c, const iv_str *fields, const shape *how)
{
    if (how->format != IV_RUN_TREC)
        return;
    if (c->tag.ptr == NULL)
        c->tag = iv_chunk_name(c, fields[5]);
    else if (!c->other_tag)
        c->other_tag = !iv_str_eq(c->tag, fields[5]);
}

/* Does a score of some topic follow a lower one? */
static bool rises(const iv_chunk *c)
{
    const iv_run_doc *docs = (const iv_run_doc *)(const void *)c->records;

    for (size_t k = 0; k < c->segment_count; k++) {
        const iv_segment *s = &c->segments[k];
        for (size_t i = s->first + 1; i < s->first + s->count; i++)
            if (docs[i].score > docs[i - 1].score)
                return true;
    }
    return false;
}

static void parse(iv_chunk *c, const void *vhow)
{
    const shape *how = vhow;
    const char *p = c->begin;
    iv_str fields[6] = { { NULL, 0 } }; /* still the last line's when a new one begins */
    iv_likeness repeated = { .blank = ' ' }; /* ... of it */
    bool added = false;                 /* ... of which there is a record */

    const bool nuls = iv_text_has_nul(c->begin, c->end);
    while (p < c->end && !iv_chunk_stopped(c)) {
        double score;
        c->lines++;
        if (nuls && iv_line_refuse_nul(&p, c->end, c->lines, &c->problems))
            continue;
        const bool is_alike = iv_split_alike(fields, 2, 4, &repeated, &p, c->end);
        const bool goes_on = is_alike && added;
        added = false;
        if (!is_alike) {
            const char *const line = p;
            repeated.behind.len = 0;
            if (iv_is_comment(p, c->end)) {
                iv_skip_line(&p, c->end);
                c->comment_lines++;
                continue;
            }
            const size_t count = iv_split_line(fields, 6, &p, c->end);
            if (!fits(how, count, fields, p)) {
                refuse_count(c, count, how);
                continue;
            }
            if (how->format == IV_RUN_TREC)
                repeated = iv_likeness_of(line, fields, 2, 4, p);
            watch_tag(c, fields, how);
        }
        if (!score_of(&score, fields[how->score], how, c))
            continue;
        const iv_str docno = fields[how->docno];
        if (iv_refuse_long_id(c, fields[0], docno))
            continue;
        iv_run_doc *d = iv_chunk_add(c, fields[0],
                                     !goes_on && !iv_chunk_goes_on(c, fields[0]));
        if (d == NULL)
            return;
        added = true;
        *d = (iv_run_doc){ score, iv_chunk_name(c, docno).ptr, (uint32_t)docno.len,
                           (uint32_t)iv_hash(docno) };
    }
    c->rises = c->kept != NULL && rises(c);
}

iv_run_format iv_run_format_told(const iv_str *fields, size_t count)
{
    double score;

    if (count == 6 || (count > 6 && iv_scan_real(&score, fields[4])))
        return IV_RUN_TREC;
    return count == 3 ? IV_RUN_MSMARCO : IV_RUN_ANY;
}

iv_grouping iv_run_grouping(iv_run_format format)
{
    return (iv_grouping){ .record_size = sizeof(iv_run_doc), .parse = parse,
                          .how = &shapes[format == IV_RUN_MSMARCO] };
}

void iv_run_group(iv_grouped *out, iv_str text, iv_run_format format, bool collect,
                  const iv_work *work, size_t chunk_bytes, iv_problems *problems)
{
    iv_group_records(out, text, sizeof(iv_run_doc), parse,
                     &shapes[format == IV_RUN_MSMARCO], collect, work, chunk_bytes,
                     problems);
}

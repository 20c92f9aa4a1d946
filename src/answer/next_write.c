/* SPDX-License-Identifier: Apache-2.0 */
/* What to judge next, as a file to fill in: the judgments that are there, and behind
 * them the documents of the list with a grade of -1. */

#include "answer/answer_parts.h"
#include "base/memory.h"
#include "trec/trec_private.h"

static void put(FILE *out, iv_str s)
{
    (void)fwrite(s.ptr, 1, s.len, out);
}

/* A line of qrels, or of prels: judged for certain is what was not drawn. */
static void put_line(FILE *out, bool sample, iv_str topic, iv_str docno, int32_t grade, bool drawn,
                     double pi)
{
    char number[IV_REAL_SIZE];

    put(out, topic);
    (void)fputs(sample ? " " : " 0 ", out);
    put(out, docno);
    (void)fprintf(out, " %d", (int)grade);
    if (sample && pi < 1.0)
        (void)fprintf(out, " %d %s", drawn, iv_format_real(number, pi) > 0 ? number : "");
    else if (sample)
        (void)fprintf(out, " %d 1.0", drawn);
    (void)fputc('\n', out);
}

static void put_judged(FILE *out, const iv_judgments *j, bool sample)
{
    iv_comment c = { 0 };

    while (iv_judgments_next_comment(&c, j)) {
        put(out, c.text);
        (void)fputc('\n', out);
    }
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *judged;
        const size_t count = iv_judgments_of(&judged, j, t);
        for (size_t i = 0; i < count; i++)
            put_line(out, sample, iv_judgments_topic(j, t), judged[i].docno, judged[i].grade,
                     sample && judged[i].pi < 1.0, judged[i].pi);
    }
}

/* Is there no line of the document yet? */
static bool is_new(const iv_judgments *judged, iv_str topic, iv_str docno)
{
    const size_t at = judged == NULL ? IV_NONE : iv_judgments_find_topic(judged, topic);

    return at == IV_NONE || iv_judgments_find(judged, at, docno) == NULL;
}

/* Estimates must know that the list was not drawn. */
static void put_chosen(FILE *out, const iv_judgments *judged, iv_str topic, iv_str docno)
{
    if (!is_new(judged, topic, docno))
        return;
    (void)fputs("#: chosen ", out);
    put(out, topic);
    (void)fputc(' ', out);
    put(out, docno);
    (void)fputc('\n', out);
}

int iv_next_write(const char *path, const iv_judgments *judged, const iv_inquiry *q,
                  const iv_candidate *list, size_t count, iv_err *err)
{
    const bool sample = judged != NULL && iv_judgments_format_of(judged) == IV_JUDGMENTS_PRELS;
    iv_outfile *file = NULL;

    IV_TRY(iv_outfile_open(&file, path, err));
    FILE *out = iv_outfile_stream(file);
    if (judged != NULL)
        put_judged(out, judged, sample);
    for (size_t k = 0; k < count && sample; k++)
        put_chosen(out, judged, iv_inquiry_topic_id(q, list[k].topic),
                   iv_inquiry_docno(q, list[k].topic, list[k].document));
    for (size_t k = 0; k < count; k++) {
        const iv_str topic = iv_inquiry_topic_id(q, list[k].topic);
        const iv_str docno = iv_inquiry_docno(q, list[k].topic, list[k].document);
        if (is_new(judged, topic, docno))
            put_line(out, sample, topic, docno, -1, false, 1.0);
    }
    return iv_outfile_commit(file, err);
}

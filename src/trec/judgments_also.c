/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judgments of one file with additional ones of another.  The merged text is parsed: lines of the
 * first file stay where they are, and messages name them; new documents follow at the end.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "trec/fields.h"
#include "trec/judgments.h"
#include "trec/trec_private.h"

/* The text being written. */
typedef struct merging {
    const char *name, *also_name;
    const iv_judgments *base, *also;
    char *text;
    size_t length, capacity;
    int32_t stratum; /* of the added documents: behind all others */
    bool failed;
} merging;

static void put(merging *m, iv_str s)
{
    char *grown = iv_grow(m->text, &m->capacity, m->length + s.len + 1, 1);

    if (grown == NULL) {
        m->failed = true;
        return;
    }
    m->text = grown;
    memcpy(grown + m->length, s.ptr, s.len);
    m->length += s.len;
}

/* A line of the first file's format, with certainty. */
static void put_line(merging *m, iv_str topic, iv_str docno, int32_t grade)
{
    const iv_judgments_format format = iv_judgments_format_of(m->base);
    char tail[64];

    put(m, topic);
    put(m, iv_str_of(format == IV_JUDGMENTS_PRELS ? " " : " 0 "));
    put(m, docno);
    if (format == IV_JUDGMENTS_PRELS)
        (void)snprintf(tail, sizeof tail, " %d 0 1.0\n", (int)grade);
    else if (format == IV_JUDGMENTS_STRATIFIED)
        (void)snprintf(tail, sizeof tail, " %d %d\n", (int)m->stratum, (int)grade);
    else
        (void)snprintf(tail, sizeof tail, " %d\n", (int)grade);
    put(m, iv_str_of(tail));
}

/* The additional judgment of a document, or NULL. */
static const iv_judgment *find(const iv_judgments *j, iv_str topic, iv_str docno)
{
    const size_t at = iv_judgments_find_topic(j, topic);
    const iv_judgment *found = at == IV_NONE ? NULL : iv_judgments_find(j, at, docno);

    return found != NULL && found->grade >= 0 ? found : NULL;
}

static int merge_line(merging *m, iv_str line, uint64_t number, iv_err *err)
{
    const size_t place = iv_judgments_format_of(m->base) == IV_JUDGMENTS_PRELS ? 1 : 2;
    const char *p = line.ptr;
    iv_str fields[5];
    char quoted[IV_QUOTE_SIZE];

    if (line.len == 0 || line.ptr[0] == '#'
        || iv_split_line(fields, 5, &p, line.ptr + line.len) <= place) {
        put(m, line);
        return IV_OK;
    }
    const iv_judgment *new = find(m->also, fields[0], fields[place]);
    if (new == NULL) {
        put(m, line);
        return IV_OK;
    }
    const iv_judgment *old = find(m->base, fields[0], fields[place]);
    if (old != NULL && old->grade != new->grade)
        return iv_fail_at(err, IV_EPARSE, m->name, number, "document %s has grade %d, and %d in "
                          "%s; expected one grade", iv_quote(quoted, fields[place]),
                          (int)old->grade, (int)new->grade, m->also_name);
    put_line(m, fields[0], fields[place], new->grade);
    return IV_OK;
}

static int merge_text(merging *m, iv_err *err)
{
    const iv_str text = m->base->text;
    uint64_t number = 0;

    for (size_t t = 0; t < iv_judgments_topics(m->base); t++) {
        const iv_judgment *all;
        const size_t count = iv_judgments_of(&all, m->base, t);
        for (size_t i = 0; i < count; i++)
            m->stratum = all[i].stratum >= m->stratum ? all[i].stratum + 1 : m->stratum;
    }
    for (size_t at = 0, end; at < text.len; at = end) {
        const char *stop = memchr(text.ptr + at, '\n', text.len - at);
        end = stop == NULL ? text.len : (size_t)(stop - text.ptr) + 1;
        IV_TRY(merge_line(m, (iv_str){ text.ptr + at, end - at }, ++number, err));
    }
    if (m->length > 0 && m->text[m->length - 1] != '\n')
        put(m, iv_str_of("\n"));
    for (size_t t = 0; t < iv_judgments_topics(m->base); t++) {
        const iv_str topic = iv_judgments_topic(m->base, t);
        const size_t at = iv_judgments_find_topic(m->also, topic);
        const iv_judgment *all;
        const size_t count = at == IV_NONE ? 0 : iv_judgments_of(&all, m->also, at);
        for (size_t i = 0; i < count; i++)
            if (all[i].grade >= 0 && iv_judgments_find(m->base, t, all[i].docno) == NULL)
                put_line(m, topic, all[i].docno, all[i].grade);
    }
    return m->failed ? iv_fail_at(err, IV_ENOMEM, m->name, 0, "out of memory") : IV_OK;
}

static bool is_qrels(const iv_judgments *j)
{
    const iv_judgments_format f = iv_judgments_format_of(j);

    return f == IV_JUDGMENTS_QRELS || f == IV_JUDGMENTS_BEIR;
}

int iv_judgments_also(iv_judgments **j, const char *name, const char *also, const iv_work *work,
                      iv_err *err)
{
    merging m = { .name = name, .also_name = also, .base = *j };
    const iv_judgments_format format = iv_judgments_format_of(*j);
    iv_judgments *added = NULL, *merged = NULL;

    if (format != IV_JUDGMENTS_QRELS && format != IV_JUDGMENTS_PRELS
        && format != IV_JUDGMENTS_STRATIFIED)
        return iv_fail_at(err, IV_EARG, name, 0, "judgments in the format %s cannot be merged with "
                          "others; expected qrels, prels or strata",
                          iv_judgments_format_names()[format]);
    IV_TRY(iv_judgments_load(&added, also, IV_JUDGMENTS_ANY, work, err));
    m.also = added;
    int rc = is_qrels(added) ? merge_text(&m, err)
        : iv_fail_at(err, IV_EPARSE, also, 0, "additional judgments in the format %s; expected "
                     "qrels", iv_judgments_format_names()[iv_judgments_format_of(added)]);
    if (rc == IV_OK)
        rc = iv_judgments_parse(&merged, name, m.text, m.length, format, work, err);
    free(m.text);
    iv_judgments_free(added);
    if (rc != IV_OK)
        return rc;
    iv_judgments_free(*j);
    *j = merged;
    return IV_OK;
}

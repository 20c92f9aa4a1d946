/* SPDX-License-Identifier: Apache-2.0 */
/* A design is read as eval will read it, and strata as recall will, before anybody judges. */
#include "design/sampling_state.h"
#include "store/combined.h"
#include "store/store_parts.h"
#include "trec/strata_private.h"
#include "trec/trec_private.h"

/* The first document of the design that has no line to be judged in. */
static int without_line(const iv_judgments *j, const iv_sampling *s, const char *name, iv_err *err)
{
    iv_sample_comments l = { .found = false };
    int rc = iv_listing_read(&l, j, name, err);

    for (size_t i = 0; i < l.count && rc == IV_OK; i++) {
        iv_str list = l.lines[i].documents, docno;
        while (rc == IV_OK && l.lines[i].kind < IV_LISTED_REST && iv_next_word(&docno, &list)) {
            char quoted[IV_QUOTE_SIZE];
            if (iv_sampling_absent(s, l.lines[i].topic, docno) != SIZE_MAX)
                rc = iv_fail_at(err, IV_EPARSE, name, l.lines[i].line, "document %s of the sample "
                                "has no line, expected one to judge it in",
                                iv_quote(quoted, docno));
        }
    }
    iv_listing_free(&l);
    return rc;
}

int iv_store_design_read(const iv_judgments *j, const char *name, iv_err *err)
{
    iv_sampling *s = NULL;

    IV_TRY(iv_sampling_new(&s, j, name, IV_UNJUDGED_NONRELEVANT, err));
    const int rc = iv_sampling_source_of(s) == IV_SAMPLING_WRITTEN ? without_line(j, s, name, err)
                                                                   : IV_OK;
    iv_sampling_free(s);
    return rc;
}

int iv_store_form_read(iv_judgments **out, iv_store_kind kind, iv_str form, const char *name,
                       iv_err *err)
{
    iv_judgments *j = NULL;

    IV_TRY(iv_judgments_parse(&j, name, form.ptr, form.len, IV_JUDGMENTS_ANY, NULL, err));
    const iv_judgments_format format = iv_judgments_format_of(j);
    const bool sample = kind == IV_STORE_SAMPLE;
    if (sample != (format == IV_JUDGMENTS_PRELS)) {
        iv_judgments_free(j);
        return iv_fail_at(err, IV_EPARSE, name, 0, "the session is damaged: kind %d, and judgments "
                          "in the format %s, expected %s", (int)kind,
                          iv_judgments_format_names()[format], sample ? "prels" : "qrels");
    }
    *out = j;
    return IV_OK;
}

/* How many documents of each stratum are to be judged; a table without any n asks for all. */
static int check_items(const iv_strata_table *t, const iv_store_stratum *kept, const char *name,
                       iv_err *err)
{
    bool all = true;

    for (size_t k = 0; k < t->row_count; k++)
        all = all && t->rows[k].sampled == 0;
    for (size_t k = 0; k < t->row_count; k++) {
        const iv_strata_row *row = &t->rows[k];
        const int64_t wanted = all ? row->size : row->sampled;
        char quoted[IV_QUOTE_SIZE];
        if (kept[k].items != wanted)
            return iv_fail_at(err, IV_EPARSE, name, row->line, "%lld documents to judge of "
                                                               "stratum %s, "
                              "and the session has %lld", (long long)wanted,
                              iv_quote(quoted, row->name), (long long)kept[k].items);
    }
    return IV_OK;
}

int iv_store_strata_read(iv_store *s, iv_str form, const char *name, iv_err *err)
{
    const iv_store_stratum *kept;
    iv_strata *table = NULL;
    iv_arena own = { 0 };
    size_t count = 0;

    IV_TRY(iv_strata_parse(&table, name, form.ptr, form.len, NULL, err));
    const iv_strata_table *t = iv_strata_view(table);
    int rc = iv_store_strata(&kept, &count, &own, s, err);
    if (rc == IV_OK && (count != t->row_count || t->run_count != 1))
        rc = iv_fail_at(err, IV_EPARSE, name, 0, "%zu strata of %zu run%s, and the session has "
                                                 "%zu of "
                        "one", t->row_count, t->run_count, t->run_count == 1 ? "" : "s", count);
    for (size_t k = 0; k < count && rc == IV_OK; k++) {
        const iv_strata_row *row = &t->rows[k];
        char quoted[2][IV_QUOTE_SIZE];
        if (iv_str_cmp(row->name, iv_str_of(kept[k].name)) != 0 || row->size != kept[k].size
            || t->retrieved[k] != kept[k].retrieved)
            rc = iv_fail_at(err, IV_EPARSE, name, row->line, "stratum %s of %lld documents, %s, "
                                                             "and the "
                            "session has %s of %lld, %s", iv_quote(quoted[0], row->name),
                            (long long)row->size, t->retrieved[k] ? "retrieved" : "unretrieved",
                            iv_quote(quoted[1], iv_str_of(kept[k].name)), (long long)kept[k].size,
                            kept[k].retrieved ? "retrieved" : "unretrieved");
    }
    if (rc == IV_OK)
        rc = check_items(t, kept, name, err);
    iv_strata_free(table);
    iv_arena_free(&own);
    return rc;
}

int iv_store_strata_check(iv_store *s, iv_err *err)
{
    iv_arena own = { 0 };
    iv_str form;
    int rc = iv_store_form_text(&form, &own, s, err);

    if (rc == IV_OK)
        rc = iv_store_strata_read(s, form, s->path, err);
    iv_arena_free(&own);
    return rc;
}

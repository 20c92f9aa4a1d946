/* SPDX-License-Identifier: Apache-2.0 */
/* Judgments made elsewhere, as words of an assessor.  Their uuid comes from what they say, so
 * that a file may be imported twice. */
#include "store/import.h"

#include <string.h>

#include "base/ids.h"
#include "store/bibliography.h"
#include "store/combined.h"
#include "store/store_parts.h"
#include "base/digests_private.h"
#include "trec/trec_private.h"

static void uuid_of(char out[IV_UUID_SIZE], int64_t item, int64_t assessor, int32_t grade)
{
    char text[96], sha[IV_SHA256_SIZE];
    const int len = snprintf(text, sizeof text, "import %lld %lld %d", (long long)item,
                             (long long)assessor, (int)grade);

    (void)iv_sha256(sha, text, (size_t)len);
    (void)snprintf(out, IV_UUID_SIZE, "%.8s-%.4s-%.4s-%.4s-%.12s", sha, sha + 8, sha + 12,
                   sha + 16, sha + 20);
}

/* Judgments of the items, in the order of items. */
static size_t match(iv_store_entry *entries, iv_imported *done, const iv_judgments *j,
                    const iv_store *s, const iv_combined *c, int64_t assessor)
{
    size_t n = 0;

    for (size_t i = 0; i < c->count; i++) {
        const char *topic = s->topics[s->items[i].topic].name;
        const size_t t = iv_judgments_find_topic(j, iv_str_of(topic));
        const iv_judgment *x = t == IV_NONE ? NULL : iv_judgments_find(j, t, c->docno[i]);
        if (x == NULL || x->grade < 0)
            continue;
        done->found++;
        entries[n] = (iv_store_entry){ .item = (int64_t)i + 1, .assessor = assessor,
                                       .reason = IV_REASON_IMPORTED, .grade = x->grade };
        uuid_of(entries[n].uuid, entries[n].item, assessor, x->grade);
        n++;
    }
    return n;
}

static int take(iv_imported *done, iv_arena *a, iv_store *s, const iv_judgments *j,
                const char *path, int64_t assessor, iv_err *err)
{
    iv_combined c;

    IV_TRY(iv_store_combine(&c, a, s, NULL, true, err));
    iv_store_entry *entries = iv_take(a, c.count + 1, sizeof *entries);
    if (entries == NULL)
        return iv_no_memory(err);
    const size_t n = match(entries, done, j, s, &c, assessor);
    for (size_t t = 0; t < iv_judgments_topics(j); t++) {
        const iv_judgment *all;
        const size_t count = iv_judgments_of(&all, j, t);
        for (size_t i = 0; i < count; i++)
            done->others += all[i].grade >= 0;
    }
    done->others -= done->found;
    if (n == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "judges no document of the session");
    /* What a session cannot hold is refused before anything is stored. */
    for (size_t i = 0; i < n; i++) {
        bool known = false;
        for (size_t g = 0; g < s->about.grade_count; g++)
            known = known || s->about.grades[g].grade == entries[i].grade;
        if (!known)
            return iv_fail_at(err, IV_EPARSE, path, 0, "grade %d of document '%.*s', expected one "
                              "of the session's", (int)entries[i].grade,
                              (int)c.docno[entries[i].item - 1].len,
                              c.docno[entries[i].item - 1].ptr);
    }
    IV_TRY(iv_store_append(s, entries, n, err));
    for (size_t i = 0; i < n; i++)
        done->stored += entries[i].stored == IV_STORED_NEW;
    return IV_OK;
}

/* The labels of references, such as ASReview exports them, by their ids. */
static int labels_of_references(iv_judgments **out, iv_arena *a, const char *path,
                                const iv_work *work, iv_err *err)
{
    iv_bibliography b = { 0 };
    size_t n = 0;

    IV_TRY(iv_bibliography_load(&b, a, path, work, err));
    iv_str *topics = iv_take(a, b.count, sizeof *topics), *docs = iv_take(a, b.count, sizeof *docs);
    int32_t *grades = iv_take(a, b.count, sizeof *grades);
    if (topics == NULL || docs == NULL || grades == NULL)
        return iv_no_memory(err);
    for (size_t i = 0; i < b.count; i++) {
        if (b.at[i].duplicate || b.at[i].label < 0)
            continue;
        topics[n] = iv_str_of(IV_BIBLIOGRAPHY_TOPIC);
        grades[n] = b.at[i].label;
        docs[n++] = b.at[i].id;
    }
    if (n == 0)
        return iv_fail_at(err, IV_ENODATA, path, 0, "no record has a label; expected a column "
                                                    "included "
                          "with 0 and 1, or notes of ASReview");
    return iv_judgments_build(out, path, &(iv_judgment_columns){ n, { .strs = topics },
                                                                 { .strs = docs }, grades },
                              work, err);
}

int iv_store_import(iv_imported *out, iv_store *s, const char *path, const char *assessor,
                    const iv_work *work, iv_err *err)
{
    iv_arena memory = { 0 };
    iv_judgments *j = NULL;
    iv_imported done = { 0 };
    const iv_assessor *who;
    int64_t id = assessor == NULL ? 1 : 0;

    for (size_t i = iv_store_assessors(&who, s); i-- > 0 && assessor != NULL;)
        if (strcmp(who[i].name, assessor) == 0 && !who[i].revoked)
            id = who[i].id;
    if (id == 0)
        return iv_fail(err, IV_EARG, "no assessor '%.60s' who may judge", assessor);
    int rc = iv_bibliography_is(path) ? labels_of_references(&j, &memory, path, work, err)
        : iv_judgments_load(&j, path, IV_JUDGMENTS_ANY, work, err);
    if (rc == IV_OK)
        rc = take(&done, &memory, s, j, path, id, err);
    iv_judgments_free(j);
    iv_arena_free(&memory);
    if (rc == IV_OK)
        *out = done;
    return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Judgments by groups: several judges, or subtopics.  The names of the groups are
 * not kept with the records: they stand before the docno in the text.
 */
#include <stdlib.h>

#include "trec/fields.h"
#include "trec/judgments.h"

/* A record with the names that stand before its docno. */
typedef struct named {
    iv_judgment record;
    iv_str group, subgroup;
} named;

static int by_group(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int groups = iv_str_cmp(x->group, y->group);

    return groups != 0 ? groups : iv_str_cmp(x->subgroup, y->subgroup);
}

static int by_docno(const void *a, const void *b)
{
    const iv_judgment *x = &((const named *)a)->record, *y = &((const named *)b)->record;
    const int docnos = iv_str_cmp(x->docno, y->docno);

    if (docnos != 0)
        return docnos;
    if (x->stratum != y->stratum)
        return x->stratum < y->stratum ? -1 : 1;
    if (x->pi != y->pi || x->grade != y->grade) /* subgroups are numbered downwards */
        return x->grade != y->grade ? (x->grade < y->grade) - (x->grade > y->grade)
                                    : (x->pi > y->pi) - (x->pi < y->pi);
    return (x->docno.ptr > y->docno.ptr) - (x->docno.ptr < y->docno.ptr);
}

static void number(named *all, size_t n, bool subgroups)
{
    int32_t group = -1, subgroup = -1;

    qsort(all, n, sizeof *all, by_group);
    for (size_t i = 0; i < n; i++) {
        const bool fresh = i == 0 || !iv_str_eq(all[i].group, all[i - 1].group);
        group += fresh;
        subgroup += fresh || !iv_str_eq(all[i].subgroup, all[i - 1].subgroup);
        all[i].record.stratum = group;
        if (subgroups)
            all[i].record.grade = -1 - subgroup;
    }
    qsort(all, n, sizeof *all, by_docno);
}

/* A document twice in a group, or in a subgroup where there are some. */
static bool repeats(const named *a, const named *b, bool subgroups)
{
    return iv_str_eq(a->record.docno, b->record.docno)
        && a->record.stratum == b->record.stratum
        && (!subgroups || a->record.grade == b->record.grade);
}

/* A nugget is vital or okay, whatever the answer. */
static void check_nuggets(const iv_judgments *j, named *all, size_t n, iv_problems *problems)
{
    char name[IV_QUOTE_SIZE];

    qsort(all, n, sizeof *all, by_group);
    for (size_t i = 1; i < n; i++)
        if (all[i].record.stratum == all[i - 1].record.stratum
            && all[i].record.pi != all[i - 1].record.pi)
            iv_complain(problems, iv_line_of(j->text, all[i].record.docno.ptr), IV_ERROR,
                        "nugget %s is both vital and okay, expected one",
                        iv_quote(name, all[i].group));
}

uint64_t iv_judgments_number(iv_judgments *j, iv_problems *problems)
{
    const bool subgroups = j->format == IV_JUDGMENTS_PREFS;
    const bool five = subgroups || j->format == IV_JUDGMENTS_NUGGETS;
    uint64_t again = 0;

    for (size_t t = 0; t < j->grouped.topic_count; t++) {
        const iv_topic_records *topic = &j->grouped.topics[t];
        iv_judgment *records = topic->records;
        named *all = malloc((topic->count + 1) * sizeof *all);
        if (all == NULL) {
            problems->no_memory = true;
            break;
        }
        for (size_t i = 0; i < topic->count; i++) {
            const iv_str before = iv_field_before(records[i].docno.ptr);
            all[i] = (named){ records[i], five ? iv_field_before(before.ptr) : before,
                              subgroups ? before : (iv_str){ "", 0 } };
        }
        number(all, topic->count, subgroups);
        for (size_t i = 0; i < topic->count; i++) {
            char docno[IV_QUOTE_SIZE], name[IV_QUOTE_SIZE], id[IV_QUOTE_SIZE];
            records[i] = all[i].record;
            if (i == 0 || !repeats(&all[i - 1], &all[i], subgroups))
                continue;
            again++;
            const char *later = all[i].record.docno.ptr > all[i - 1].record.docno.ptr
                ? all[i].record.docno.ptr : all[i - 1].record.docno.ptr;
            iv_complain(problems, iv_line_of(j->text, later), IV_ERROR,
                        "document %s again in group %s of topic %s, expected each once",
                        iv_quote(docno, all[i].record.docno),
                        iv_quote(name, subgroups ? all[i].subgroup : all[i].group),
                        iv_quote(id, topic->id));
        }
        if (five && !subgroups)
            check_nuggets(j, all, topic->count, problems);
        free(all);
    }
    return again;
}

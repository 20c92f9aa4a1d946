/* SPDX-License-Identifier: Apache-2.0 */
#include "trec/inspect.h"
#include "trec/judgments.h"

static const char *const format_names[] = {
    "judgments", "qrels", "prels", "stratified qrels", "BEIR qrels", "qrels by groups",
    "preferences", "nuggets"
};

/* Grades, different documents, topics that nothing is relevant to. */
static void look_at_topics(iv_inspector *i, const iv_judgments *j, const iv_work *work)
{
    iv_ids documents = { 0 };
    const iv_topic_records *barren = NULL;
    size_t barren_count = 0;

    for (size_t t = 0; t < j->grouped.topic_count && iv_problems_go_on(&i->problems, work); t++) {
        const iv_topic_records *topic = &j->grouped.topics[t];
        const iv_judgment *items = topic->records;
        const uint64_t relevant = i->view.relevant;
        for (size_t k = 0; k < topic->count; k++) {
            const int32_t grade = j->format != IV_JUDGMENTS_PREFS ? items[k].grade
                : items[k].pi > 0.0;
            if (iv_ids_add(&documents, items[k].docno) == IV_NO_ID)
                i->problems.no_memory = true;
            i->view.relevant += grade > 0;
            i->view.unjudged += grade < 0;
            if (i->view.grade_min > i->view.grade_max)
                i->view.grade_min = i->view.grade_max = grade;
            if (grade < i->view.grade_min)
                i->view.grade_min = grade;
            if (grade > i->view.grade_max)
                i->view.grade_max = grade;
        }
        if (i->view.relevant == relevant)
            barren = barren_count++ == 0 ? topic : barren;
    }
    i->view.documents = documents.count;
    iv_ids_free(&documents);
    if (barren_count > 0) {
        char quoted[IV_QUOTE_SIZE], more[IV_MORE_SIZE];
        const iv_judgment *first = barren->records;
        iv_complain(&i->problems, iv_line_of(j->text, first->docno.ptr), IV_WARNING,
                    "topic %s has no relevant document%s", iv_quote(quoted, barren->id),
                    iv_and_more(more, barren_count - 1, "such topic"));
    }
}

void iv_inspect_judgments(iv_inspector *i, iv_judgments_format format, const iv_work *work)
{
    iv_judgments j = { .bytes = i->bytes };

    i->view.duplicates = iv_judgments_read(&j, format, true, work, 0, &i->problems);
    i->view.format = format_names[j.format];
    i->judgments = j.format;
    if (j.format != IV_JUDGMENTS_ANY) {
        iv_inspect_grouped(i, &j.grouped);
        look_at_topics(i, &j, work);
    }
    iv_judgments_forget(&j);
}

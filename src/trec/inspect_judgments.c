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

/*
 * Reads again, by groups, qrels of which nothing is wrong but that documents stand there
 * several times, if most of these stand once in their group; one warning says so.
 */
static void read_by_groups(iv_judgments *j, iv_problems *wrong, uint64_t *again,
                           const iv_work *work)
{
    iv_judgments other = { .bytes = j->bytes };
    iv_problems of_groups = { .most = wrong->most };
    char more[IV_MORE_SIZE];
    iv_stage second;
    const uint64_t repeats = *again;

    if (j->format != IV_JUDGMENTS_QRELS || repeats == 0 || wrong->errors > repeats
        || wrong->kept_errors == 0 || wrong->no_memory)
        return;
    const uint64_t left = iv_judgments_read(&other, IV_JUDGMENTS_GROUPS, true,
                                            iv_work_part(&second, work, 1.0, 1.0), 0, &of_groups);
    const bool good = 2 * of_groups.errors < repeats && !of_groups.no_memory;
    iv_problems_finish(wrong); /* the first repetition is first */
    if (good)
        iv_complain(&of_groups, wrong->items[0].line, IV_WARNING,
                    "a document again in its topic, with another second column%s; these are "
                    "taken for judgments by groups (subtopics, judges)",
                    iv_and_more(more, repeats - 1, "such line"));
    wrong->no_memory = wrong->no_memory || of_groups.no_memory;
    wrong->stopped = wrong->stopped || of_groups.stopped;
    iv_judgments_forget(good ? j : &other);
    iv_problems_free(good ? wrong : &of_groups);
    *j = good ? other : *j;
    *wrong = good ? of_groups : *wrong;
    *again = good ? left : repeats;
}

void iv_inspect_judgments(iv_inspector *i, iv_judgments_format format, const iv_work *work)
{
    iv_judgments j = { .bytes = i->bytes };
    iv_problems wrong = { .most = i->problems.most };

    i->view.duplicates = iv_judgments_read(&j, format, true, work, 0, &wrong);
    if (format == IV_JUDGMENTS_ANY)
        read_by_groups(&j, &wrong, &i->view.duplicates, work);
    iv_problems_append(&i->problems, &wrong, 0);
    i->problems.stopped = i->problems.stopped || wrong.stopped;
    iv_problems_free(&wrong);
    i->view.format = format_names[j.format];
    i->judgments = j.format;
    if (j.format != IV_JUDGMENTS_ANY) {
        iv_inspect_grouped(i, &j.grouped);
        look_at_topics(i, &j, work);
    }
    iv_judgments_forget(&j);
}

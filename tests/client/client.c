/* SPDX-License-Identifier: Apache-2.0 */
#include "intervale/report.h"
#include "intervale/trec.h"
/* A program of someone else's: it knows only what is installed. */
#include <intervale.h>
#include <string.h>

typedef struct row {
    iv_str topic;
    size_t retrieved;
    int relevant;
} row;

static int show(iv_err *err)
{
    static const char run_text[] = "301 Q0 a 1 3 tag\n301 Q0 b 2 2 tag\n302 Q0 c 1 1 tag\n";
    static const char qrels_text[] = "301 0 b 1\n301 0 x 1\n302 0 c 0\n";
    static const iv_field fields[] = {
        { "topic", IV_AT(row, topic), .about = "its id" },
        { "retrieved", IV_AT(row, retrieved), .about = "documents" },
        { "relevant", IV_AT(row, relevant), .about = "of them" },
        { .name = NULL } };
    row rows[2];
    const iv_report_options options = { .format = IV_FORMAT_TSV };
    iv_run *run = NULL;
    iv_judgments *judgments = NULL;
    iv_join *workspace = NULL;
    iv_result *result = NULL;
    iv_joined topic;
    int rc = iv_run_parse(&run, "run", run_text, strlen(run_text), IV_RUN_ANY, NULL, err);

    if (rc == IV_OK)
        rc = iv_judgments_parse(&judgments, "qrels", qrels_text, strlen(qrels_text),
                                IV_JUDGMENTS_ANY, NULL, err);
    if (rc == IV_OK)
        rc = iv_join_new(&workspace, err);
    if (rc == IV_OK)
        rc = iv_result_new(&result, "client", err);
    for (size_t t = 0; rc == IV_OK && t < iv_run_topics(run); t++) {
        const size_t judged = iv_judgments_find_topic(judgments, iv_run_topic(run, t));
        int relevant = 0;
        rc = iv_join_topic(&topic, workspace, run, t, judgments, judged, IV_SCORES_DOUBLE, err);
        for (size_t i = 0; rc == IV_OK && i < topic.hit_count; i++)
            relevant += topic.hits[i].judgment != NULL && topic.hits[i].judgment->grade > 0;
        rows[t] = (row){ iv_run_topic(run, t), iv_run_depth(run, t), relevant };
    }
    if (rc == IV_OK)
        (void)iv_result_rows(result, &(iv_rows){ "topics", fields, rows, iv_run_topics(run),
                                                 sizeof *rows });
    if (rc == IV_OK)
        rc = iv_report_write(stdout, result, &options, err);
    iv_result_free(result);
    iv_join_free(workspace);
    iv_judgments_free(judgments);
    iv_run_free(run);
    return rc;
}

int main(void)
{
    iv_err err = { 0 };

    (void)printf("intervale %s\n", iv_version());
    if (show(&err) != IV_OK) {
        (void)fprintf(stderr, "client: %s\n", err.msg);
        return 1;
    }
    return 0;
}

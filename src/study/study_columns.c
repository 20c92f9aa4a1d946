/* SPDX-License-Identifier: Apache-2.0 */
/* Which tables the studies have. */
#include "study/study_columns.h"

#define STUDY(name)                                                           \
    { "study " name, "rates", iv_study_rate_fields },                         \
    { "study " name, "summary", iv_study_summary_fields }

static const iv_known_table listed[] = {
    { "papers", "papers", iv_paper_list_fields },
    { "papers", "values", iv_paper_value_fields },
    { "papers", "verdicts", iv_paper_verdict_fields },
    { "papers", "differs", iv_paper_value_fields },
    { "papers", "figures", iv_paper_point_fields },
    STUDY("coverage"), STUDY("recall"), STUDY("map"), STUDY("prf"), STUDY("power"),
    STUDY("sampling"), { "study sampling", "errors", iv_study_sampling_fields },
    STUDY("judging"), { "study judging", "judgments", iv_study_judging_fields },
    STUDY("stopping"), STUDY("machine"),
};

size_t iv_study_tables(const iv_known_table **out)
{
    *out = listed;
    return sizeof listed / sizeof *listed;
}

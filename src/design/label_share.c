/* SPDX-License-Identifier: Apache-2.0 */
/* What a machine's label says of a document before anything is known of the machine. */
#include <math.h>

#include "design/inquiry_parts.h"
#include "intervale/trec/machine.h"

double iv_largest_label(const iv_judgments *machine, bool scored)
{
    return scored ? IV_SCORE_PARTS - 1.0 : fmax(1.0, iv_largest_grade(machine));
}

double iv_label_share(const iv_judgments *machine, double largest, size_t topic, iv_str docno)
{
    const iv_judgment *j = topic == IV_NONE ? NULL : iv_judgments_find(machine, topic, docno);

    return j == NULL ? (double)NAN : (fmax(0.0, j->grade) + 0.5) / (largest + 1.0);
}

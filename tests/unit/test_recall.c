/* SPDX-License-Identifier: Apache-2.0 */
#include "test_recall.h"

int main(void)
{
    return test_recall_golden() + test_recall_legal() + test_recall_rechecked()
           + test_recall_study();
}

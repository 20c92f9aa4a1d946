/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result -- what a command found: its sentence, tables, messages, methods and charts.
 */
#ifndef INTERVALE_RESULT_H
#define INTERVALE_RESULT_H

#include "intervale/result/decisions.h"
#include "intervale/result/reading_back.h"
#include "intervale/result/result_charts.h"
#include "intervale/result/result_tables.h"

#endif /* INTERVALE_RESULT_H */

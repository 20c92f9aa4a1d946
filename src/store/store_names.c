/* SPDX-License-Identifier: Apache-2.0 */
/* The words of the store's enums. */
#include "base/names.h"
#include "store/making.h"
#include "store/store.h"

IV_NAMES(iv_store_kind_names, "sample", "queue", "review")
IV_NAMES(iv_store_stop_names, "none", "plan", "anytime", "qbcb")
IV_NAMES(iv_store_state_names, "any", "open", "done", "later", "cannot", "conflict", "noted")
IV_NAMES(iv_store_reason_names, "judged", "cannot", "later", "undo", "imported", "adjudicated")
IV_NAMES(iv_store_form_names, "usual", "prels", "qrels", "strata", "log", "labels", "ris", "csv")
IV_NAMES(iv_missing_names, "refuse", "show-id")
IV_NAMES(iv_store_order_names, "topic", "interleaved")

/* SPDX-License-Identifier: Apache-2.0 */
/* The whole interface of a judging session, for programs that embed it. */
#ifndef IV_STORE_STORE_H
#define IV_STORE_STORE_H

#include "store/assessors.h"
#include "store/entries.h"
#include "store/items.h"
#include "store/lists.h"
#include "store/overview.h"
#include "store/session.h"
#include "store/session_export.h"
#include "store/upkeep.h"

#endif

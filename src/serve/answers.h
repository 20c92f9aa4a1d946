/* SPDX-License-Identifier: Apache-2.0 */
/* Answers to requests, as JSON. */
#ifndef IV_SERVE_ANSWERS_H
#define IV_SERVE_ANSWERS_H

#include "serve/connection.h"
#include "serve/http_parser.h"
#include "store/items.h"

/* These fill the answer of x.  A failure of memory is status 503. */
void iv_say_error(iv_exchange *x, int status, const char *text);
void iv_say_failure(iv_server *v, iv_exchange *x, const iv_err *err);
void iv_say_item(iv_server *v, iv_exchange *x, const iv_store_item *item, bool whole);

/* An answer by x->fill, unless what was done before failed; by either thread. */
void iv_say_filled(iv_server *v, iv_exchange *x);
iv_filling iv_fill_session, iv_fill_overview, iv_fill_agreement, iv_fill_history, iv_fill_items;
iv_filling iv_fill_key; /* of a visit, which the page keeps */
iv_filling iv_fill_link, iv_fill_ranked, iv_fill_stored, iv_fill_live;

/* By the writer: adds, links or revokes an assessor; takes a ranking. */
void iv_work_assessor(iv_server *v, iv_exchange *x);
void iv_work_rank(iv_server *v, iv_exchange *x);

/* By the worker. */
void iv_work_export(iv_server *v, iv_exchange *x);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Orders of topics in a sorted file: by number or by bytes. */
#ifndef IV_TREC_TOPIC_ORDER_H
#define IV_TREC_TOPIC_ORDER_H

#include <string.h>

#include "intervale/base.h"

typedef enum iv_topic_order { IV_ORDER_BYTES, IV_ORDER_NUMBERS } iv_topic_order;

static inline bool iv_is_number(iv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.ptr[i] < '0' || s.ptr[i] > '9')
            return false;
    return s.len > 0;
}

/* Below, equal to or above 0.  By number: the value, then bytes; what is no number comes
 * last, by bytes. */
static inline int iv_topic_compare(iv_topic_order order, iv_str a, iv_str b)
{
    if (order == IV_ORDER_NUMBERS && iv_is_number(a) && iv_is_number(b)) {
        iv_str x = a, y = b;
        for (; x.len > 1 && *x.ptr == '0'; x.ptr++)
            x.len--;
        for (; y.len > 1 && *y.ptr == '0'; y.ptr++)
            y.len--;
        const int digits = x.len != y.len ? (x.len < y.len ? -1 : 1) : memcmp(x.ptr, y.ptr, x.len);
        if (digits != 0)
            return digits;
    } else if (order == IV_ORDER_NUMBERS && iv_is_number(a) != iv_is_number(b)) {
        return iv_is_number(a) ? -1 : 1;
    }
    return iv_str_cmp(a, b);
}

#endif

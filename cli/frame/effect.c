/* SPDX-License-Identifier: Apache-2.0 */
#include "frame/frame.h"

#include <string.h>

static size_t size_of(const opt *o)
{
    switch (o->kind) {
    case OPT_FLAG_:
        return sizeof(bool);
    case OPT_INT_:
    case OPT_ENUM_:
        return o->size;
    case OPT_REAL_:
        return sizeof(double);
    case OPT_U64_:
        return sizeof(uint64_t);
    case OPT_LIST_:
    case OPT_REALS_:
    case OPT_INTEGERS_:
        return sizeof(iv_texts);
    case OPT_STR_:
        return sizeof(const char *);
    case OPT_HEADING_:
    case OPT_END_:
        break;
    }
    return 0;
}

/* Zero is the default of every field. */
static bool is_given(const opt *o, const void *args)
{
    const char *field = (const char *)args + o->offset;
    bool given = false;

    for (size_t i = 0; i < size_of(o); i++)
        given = given || field[i] != 0;
    return given;
}

static bool has_given(const opt *opts, const void *args, const char *name)
{
    for (const opt *o = opts; o->kind != OPT_END_; o++)
        if (o->name != NULL && strcmp(o->name, name) == 0)
            return is_given(o, args);
    return false;
}

int options_effect(const opt *opts, const void *args, iv_result *result, const char *format,
                   iv_err *err)
{
    for (const opt *o = opts; o != NULL && o->kind != OPT_END_; o++) {
        if ((o->with == NULL && o->table == NULL && o->only == NULL) || !is_given(o, args))
            continue;
        if (o->with != NULL && !has_given(opts, args, o->with))
            return cmd_usage(err, "--%s goes with --%s, and does nothing without", o->name, o->with);
        if (o->table != NULL && !iv_result_wants(result, o->table, o->shown))
            return cmd_usage(err, "--%s is for the table %s, which is not shown: add --table %s",
                             o->name, o->table, o->table);
        if (o->only != NULL && strcmp(format, o->only) != 0)
            return cmd_usage(err, "--%s is for --format %s, and does nothing in %s", o->name,
                             o->only, format);
    }
    return IV_OK;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * doc/measures.md ends with a reference that is written from the definitions.
 * Run with INTERVALE_UPDATE=1 in the environment to write it anew.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "measure_tests.h"
#include "measure/measures.h"

static const char mark[] = "<!-- From here on written by unit/measure. -->\n";

static void write_range(FILE *f, const iv_measure_info *m)
{
    static const char *const how[] = { "no value over topics", "mean over topics",
                                       "geometric mean over topics",
                                       "sum over topics" };
    char low[IV_REAL_SIZE], high[IV_REAL_SIZE];

    (void)iv_format_real(low, m->lowest);
    (void)iv_format_real(high, m->highest);
    if (m->kind == IV_TEXT)
        (void)fprintf(f, "Text; ");
    else if (m->kind == IV_INTEGER)
        (void)fprintf(f, "A count; ");
    else
        (void)fprintf(f, "From %s to %s%s; ", low, high, m->above ? ", some values above" : "");
    (void)fprintf(f, "%s", m->kind == IV_TEXT && m->overall ? "the run's"
                                                            : how[m->summary]);
    (void)fprintf(f, "%s.\n", m->graded ? "; looks at grades" : "");
}

static void write_usage(FILE *f, const char *usage)
{
    for (const char *p = usage; *p != '\0';) {
        const char *end = strstr(p, "  ");
        const int n = end != NULL ? (int)(end - p) : (int)strlen(p);
        (void)fprintf(f, "%s`%.*s`", p == usage ? "" : ", ", n, p);
        p += end != NULL ? n + 2 : n;
    }
    (void)fprintf(f, "\n");
}

static void write_reference(FILE *f)
{
    const iv_measure_info *m;
    const iv_measure_info *sets;
    const size_t set_count = iv_measure_sets(&sets);

    (void)fprintf(f, "%s\n## Sets\n\n", mark);
    for (size_t i = 0; i < set_count; i++)
        (void)fprintf(f, "- `%s`: %s\n", sets[i].name, sets[i].brief);
    (void)fprintf(f, "\n## All of them\n\n| name | ir_measures | what |\n|---|---|---|\n");
    for (size_t i = 0; (m = iv_measure_at(i)) != NULL; i++)
        (void)fprintf(f, "| [%s](#%s) | %s | %s |\n", m->name, m->name,
                      m->ir_name != NULL ? m->ir_name : "", m->brief);
    for (size_t i = 0; (m = iv_measure_at(i)) != NULL; i++) {
        (void)fprintf(f, "\n### <a id=\"%s\"></a>%s: %s\n\n", m->name, m->name,
                      m->brief);
        write_usage(f, m->usage);
        (void)fprintf(f, "\n```\n%s```\n\n", m->text);
        write_range(f, m);
    }
}

static char *slurp(FILE *f, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0;

    *length = 0;
    for (;;) {
        if (*length + 4096 > capacity) {
            capacity = 2 * capacity + 8192;
            text = realloc(text, capacity);
            assert_non_null(text);
        }
        const size_t got = fread(text + *length, 1, 4095, f);
        *length += got;
        if (got == 0)
            break;
    }
    text[*length] = '\0';
    return text;
}

static void the_reference_is_what_the_definitions_say(void **state)
{
    (void)state;
    static const char path[] = TESTS_DIR "/../doc/measures.md";
    FILE *f = fopen(path, "rb"), *made = tmpfile();
    size_t length = 0, wanted = 0;

    assert_non_null(f);
    assert_non_null(made);
    char *text = slurp(f, &length);
    (void)fclose(f);
    write_reference(made);
    rewind(made);
    char *want = slurp(made, &wanted);
    (void)fclose(made);
    char *from = strstr(text, mark);
    assert_non_null(from);
    if (getenv("INTERVALE_UPDATE") != NULL) {
        f = fopen(path, "wb");
        assert_non_null(f);
        (void)fwrite(text, 1, (size_t)(from - text), f);
        (void)fwrite(want, 1, wanted, f);
        assert_int_equal(fclose(f), 0);
    } else {
        assert_string_equal(from, want);
    }
    free(text);
    free(want);
}

int measure_doc_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_reference_is_what_the_definitions_say),
    };
    return cmocka_run_group_tests_name("reference", tests, NULL, NULL);
}

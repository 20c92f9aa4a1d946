/* SPDX-License-Identifier: Apache-2.0 */
/* intervale eval --format trec, byte for byte against recorded trec_eval. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "frame/frame.h"
#include "base/bytes.h"

static const cmd *const commands[] = { &cmd_eval, NULL };

/* The recorded sets of options, in trec_eval's own letters. */
static const struct {
    const char *name;
    const char *words[6];
} sets[] = {
    { "official", { NULL } },
    { "all", { "-q", "-m", "all_trec", NULL } },
    { "complete", { "-qc", "-mall_trec", NULL } },
    { "level2", { "-q", "-l2", "-m", "all_trec", NULL } },
    { "max100", { "-q", "-M", "100", "-m", "all_trec", NULL } },
    { "judged", { "-q", "-J", "-m", "all_trec", NULL } },
};

typedef struct section {
    char version[8], options[16];
    bool broken_off; /* version 10 gave up here; ours goes on */
    iv_str lines;
} section;

/* "## v10 all broken off" and the lines up to the next such line. */
static bool next_section(section *s, iv_str *rest)
{
    const char *end = rest->ptr + rest->len;

    if (rest->len == 0)
        return false;
    const char *eol = memchr(rest->ptr, '\n', rest->len);
    assert_non_null(eol);
    assert_int_equal(sscanf(rest->ptr, "## %7s %15[a-z0-9]", s->version, s->options), 2);
    s->broken_off = eol - rest->ptr > 4 && memcmp(eol - 4, " off", 4) == 0;
    s->lines = (iv_str){ eol + 1, 0 };
    const char *at = eol + 1;
    while (at < end && *at != '#') {
        const char *next = memchr(at, '\n', (size_t)(end - at));
        at = next != NULL ? next + 1 : end;
    }
    s->lines.len = (size_t)(at - s->lines.ptr);
    *rest = (iv_str){ at, (size_t)(end - at) };
    return true;
}

static const char *const *words_of(const char *options)
{
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].name, options) == 0)
            return sets[i].words;
    fail_msg("unknown options %s", options);
    return NULL;
}

/* Runs the command into a file and reads it. */
static void evaluate(iv_bytes *got, const char *name, const section *s, const char *output)
{
    char words[20][320];
    char *argv[20];
    int argc = 0;

#define ADD(...) (void)snprintf(words[argc++], sizeof words[0], __VA_ARGS__)
    ADD("intervale");
    ADD("eval");
    ADD("--format");
    ADD("trec");
    ADD("--compat=%s", strcmp(s->version, "v9") == 0 ? "9" : "10");
    for (const char *const *w = words_of(s->options); *w != NULL; w++)
        ADD("%s", *w);
    ADD("--quiet");
    ADD("-o");
    ADD("%s", output);
    ADD("%s/golden/trec_eval/%s/qrels.zst", TESTS_DIR, name);
    ADD("%s/golden/trec_eval/%s/run.zst", TESTS_DIR, name);
#undef ADD
    for (int i = 0; i < argc; i++)
        argv[i] = words[i];
    argv[argc] = NULL;
    assert_int_equal(frame_main(commands, argc, argv), FRAME_OK);
    assert_int_equal(iv_bytes_load(got, output, NULL, NULL), IV_OK);
}

static void compare(const char *name, const section *s, const iv_bytes *got)
{
    const size_t shared = s->lines.len < got->len ? s->lines.len : got->len;
    size_t line = 1;

    for (size_t i = 0; i < shared; i++) {
        if (got->ptr[i] != s->lines.ptr[i])
            fail_msg("%s, %s %s: line %zu differs", name, s->version, s->options, line);
        line += got->ptr[i] == '\n';
    }
    if (got->len < s->lines.len || (got->len > s->lines.len && !s->broken_off))
        fail_msg("%s, %s %s: %zu bytes, expected %zu", name, s->version, s->options,
                 got->len, s->lines.len);
}

static void the_command_prints_what_trec_eval_printed(void **state)
{
    static const char *const names[] = {
        "crlf", "deep_lists", "graded", "nearly_equal_scores", "no_relevant_in_some",
        "number_formats", "plain", "pooled_unjudged", "short_lists", "shuffled", "ties",
        "topic_order", "topics_missing_from_qrels", "topics_missing_from_run" };
    char output[] = "/tmp/intervale-golden-XXXXXX";
    const int fd = mkstemp(output);
    size_t compared = 0;

    (void)state;
    assert_true(fd >= 0);
    (void)close(fd);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char path[320];
        iv_bytes expected, got;
        section s;
        (void)snprintf(path, sizeof path, "%s/golden/trec_eval/%s/expected.zst", TESTS_DIR,
                       names[i]);
        assert_int_equal(iv_bytes_load(&expected, path, NULL, NULL), IV_OK);
        iv_str rest = { expected.ptr, expected.len };
        while (next_section(&s, &rest)) {
            evaluate(&got, names[i], &s, output);
            compare(names[i], &s, &got);
            iv_bytes_free(&got);
            compared++;
        }
        iv_bytes_free(&expected);
    }
    (void)unlink(output);
    assert_int_equal(compared, 14 * 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_prints_what_trec_eval_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the option parser; the name of a test is the claim. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli_tests.h"
#include "frame/frame.h"

typedef enum interval_word { LOGIT, PERCENTILE, BCA, STUDENT } interval_word;

typedef struct args {
    bool topics, complete;
    const char *path;
    uint64_t seed;
    int64_t level;
    double margin, confidence;
    iv_reals cuts;
    interval_word ci;
    iv_texts measures;
    int64_t threads;
    const char *format;
} args;

static const char *const *words_of_ci(void)
{
    static const char *const words[] = { "logit", "percentile", "bca", "t", NULL };

    return words;
}

static const char *const words_of_format[] = { "text", "tsv", NULL };

static const opt table[] = {
    OPT_FLAG(args, 'q', "topics", topics, "each topic"),
    OPT_FLAG(args, 'c', NULL, complete, "all topics"),
    OPT_HEADING("More"),
    OPT_STR(args, 'o', "output", "FILE", path, "where to"),
    OPT_INT(args, 0, "seed", "N", seed, 0, INT64_MAX, "seed"),
    OPT_INT(args, 'l', "level", "L", level, -5, 100, "least grade"),
    OPT_REAL(args, 'd', "margin", "D", margin, -1.0, 1.0, "margin"),
    OPT_REAL_OPEN(args, 0, "confidence", "P", confidence, 0.0, 1.0, "confidence"),
    OPT_NUMBERS(args, 0, "cuts", "N,N[,N]", cuts, 2, 3, 1.0, INFINITY, "cut-offs",
                .usual = "5,10.5"),
    OPT_ENUM(args, 0, "ci", "METHOD", ci, interval_word, words_of_ci, "interval"),
    OPT_LIST(args, 'm', "measure", "NAME", measures, "measure"),
    OPT_END
};

static const opt shared[] = {
    { .kind = OPT_INT_, .name = "threads", .letter = 'j', .value = "N",
      .offset = offsetof(args, threads), .size = sizeof(int64_t), .help = "threads",
      .least = 1, .most = 64,
      .unrecorded = true },
    { .kind = OPT_STR_, .name = "format", .value = "FORMAT",
      .offset = offsetof(args, format), .help = "format", .words = words_of_format },
    OPT_END
};

static const args defaults = { .seed = 1, .level = 1, .margin = NAN, .confidence = 0.95,
                               .path = "-", .format = "text" };

/* One parsed command line; the words are those of a blank-separated text. */
typedef struct parsed {
    args a;
    opt_set sets[2];
    options_words words;
    iv_err err;
    int rc;
    char text[256];
    char *argv[32];
} parsed;

static void parse(parsed *p, const char *line)
{
    *p = (parsed){ .a = defaults };
    const int argc = split_words(p->text, sizeof p->text, p->argv, 32, line);
    p->sets[0] = (opt_set){ table, &p->a };
    p->sets[1] = (opt_set){ shared, &p->a };
    p->rc = options_parse(&p->words, p->sets, 2, argc, p->argv, &p->err);
}

static void done(parsed *p)
{
    options_free(&p->words);
}

static void assert_words(char **words, size_t count, const char *want)
{
    char got[512] = "";

    for (size_t i = 0; i < count; i++) {
        strncat(got, i == 0 ? "" : " ", sizeof got - strlen(got) - 1);
        strncat(got, words[i], sizeof got - strlen(got) - 1);
    }
    assert_string_equal(got, want);
    assert_null(words[count]);
}

static void assert_refused(const char *line, const char *message)
{
    parsed p;

    parse(&p, line);
    assert_int_equal(p.rc, CMD_USAGE);
    assert_string_equal(p.err.msg, message);
    done(&p);
}

static void without_options_the_defaults_stand(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "qrels run1 run2");
    assert_int_equal(p.rc, IV_OK);
    assert_words(p.words.operands, p.words.operand_count, "qrels run1 run2");
    assert_int_equal(p.a.seed, 1);
    assert_false(p.a.topics);
    done(&p);
    parse(&p, "");
    assert_int_equal(p.words.operand_count, 0);
    done(&p);
}

static void short_options_cluster_and_attach(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "-qcl2 -d-0.5 -mP.5,10 -m map a");
    assert_int_equal(p.rc, IV_OK);
    assert_true(p.a.topics);
    assert_true(p.a.complete);
    assert_int_equal(p.a.level, 2);
    assert_true(p.a.margin == -0.5);
    assert_int_equal(p.a.measures.count, 2);
    assert_string_equal(p.a.measures.at[0], "P.5,10");
    assert_string_equal(p.a.measures.at[1], "map");
    assert_words(p.words.operands, p.words.operand_count, "a");
    done(&p);
}

static void long_options_take_values_two_ways(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "--seed=9223372036854775807 --ci bca --cuts 1,2.5,3 --format=tsv --output= a");
    assert_int_equal(p.rc, IV_OK);
    assert_true(p.a.seed == INT64_MAX);
    assert_int_equal(p.a.ci, 2);
    assert_int_equal(p.a.cuts.count, 3);
    assert_true(p.a.cuts.at[1] == 2.5);
    assert_string_equal(p.a.format, "tsv");
    assert_string_equal(p.a.path, "");
    done(&p);
}

static void a_value_may_begin_with_a_dash(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "--level -3 -d -1 -o - --measure --level");
    assert_int_equal(p.rc, IV_OK);
    assert_int_equal(p.a.level, -3);
    assert_true(p.a.margin == -1.0);
    assert_string_equal(p.a.path, "-");
    assert_string_equal(p.a.measures.at[0], "--level");
    done(&p);
}

static void options_may_follow_operands_until_two_dashes(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "a -q - b -- -c --seed=9 --");
    assert_int_equal(p.rc, IV_OK);
    assert_true(p.a.topics);
    assert_false(p.a.complete);
    assert_int_equal(p.a.seed, 1);
    assert_words(p.words.operands, p.words.operand_count, "a - b -c --seed=9 --");
    done(&p);
}

static void one_value_is_all_an_option_has(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "--level 2 -l3 --ci t");
    assert_int_equal(p.rc, CMD_USAGE);
    assert_non_null(strstr(p.err.msg, "takes one value, but two were given: '2' and '3'"));
    done(&p);
    parse(&p, "--level 2 -l2 --ci t"); /* the same, though twice */
    assert_int_equal(p.rc, IV_OK);
    assert_int_equal(p.a.level, 2);
    done(&p);
}

static void the_record_leaves_out_what_must_not_matter(void **state)
{
    (void)state;
    static const char *const lines[][2] = {
        { "--threads 2 a -q", "a -q" },
        { "--threads=2 a", "a" },
        { "-j2 a", "a" },
        { "-j 2 a", "a" },
        { "-qj2 a", "-q a" },
        { "-qcj 2 a", "-qc a" },
        { "a -ql2 --seed 3 -- -j 2", "a -ql2 --seed 3 -- -j 2" },
        { "-ql 2 --ci=t", "-ql 2 --ci=t" },
    };

    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        parsed p;
        parse(&p, lines[i][0]);
        assert_int_equal(p.rc, IV_OK);
        assert_words(p.words.record, p.words.record_count, lines[i][1]);
        done(&p);
    }
}

static void what_is_wrong_is_told_in_one_line(void **state)
{
    (void)state;
    assert_refused("--sead 1", "unknown option '--sead'; did you mean '--seed'?");
    assert_refused("--conf=1", "unknown option '--conf'; did you mean '--confidence'?");
    assert_refused("--zzzzzz", "unknown option '--zzzzzz'");
    assert_refused("-x", "unknown option '-x'");
    assert_refused("-qx", "unknown option '-x'");
    assert_refused("-h", "unknown option '-h'; did you mean '--help'?");
    assert_refused("-seed 7", "unknown option '-seed'; did you mean '--seed'?");
    assert_refused("--seed", "option '--seed' needs a value: N");
    assert_refused("-l", "option '--level' needs a value: L");
    assert_refused("--topics=1", "option '--topics' takes no value");
    assert_refused("--seed -1", "option '--seed': '-1' is not an integer of at least 0");
    assert_refused("--seed 9223372036854775808",
                   "option '--seed': '9223372036854775808' is not an integer of at least 0");
    assert_refused("--seed=", "option '--seed': '' is not an integer of at least 0");
    assert_refused("-l 1.5", "option '--level': '1.5' is not an integer from -5 to 100");
    assert_refused("-l101", "option '--level': '101' is not an integer from -5 to 100");
    assert_refused("-d 2", "option '--margin': '2' is not a number from -1 to 1");
    assert_refused("-d nan", "option '--margin': 'nan' is not a number from -1 to 1");
    assert_refused("--confidence 1",
                   "option '--confidence': '1' is not a number above 0 and below 1");
    assert_refused("--confidence 195%",
                   "option '--confidence': '195%' is not a number above 0 and below 1");
    assert_refused("--ci bac", "option '--ci': unknown METHOD 'bac'; expected logit, "
                   "percentile, bca or t; did you mean 'bca'?");
    assert_refused("--ci normal", "option '--ci': unknown METHOD 'normal'; expected logit, "
                                  "percentile, bca or t");
    assert_refused("--format tvs",
                   "option '--format': unknown FORMAT 'tvs'; expected text or tsv; did you mean "
                   "'tsv'?");
    assert_refused("--cuts 5", "option '--cuts': '5' is not N,N[,N]");
    assert_refused("--cuts 5,6,7,8", "option '--cuts': '5,6,7,8' is not N,N[,N]");
    assert_refused("--cuts 5,,6", "option '--cuts': '' is not a number of at least 1");
    assert_refused("--cuts 5,0.5", "option '--cuts': '0.5' is not a number of at least 1");
    assert_refused("--\x1b[31m", "unknown option '--\\x1b[31m'");
}

static void lists_are_freed_after_an_error_too(void **state)
{
    (void)state;
    parsed p;

    parse(&p, "-m a -m b --bogus");
    assert_int_equal(p.rc, CMD_USAGE);
    assert_int_equal(p.a.measures.count, 2);
    done(&p);
}

static void defaults_are_shown_as_they_would_be_typed(void **state)
{
    (void)state;
    static const char *const want[] = {
        "", "", "", "-", "1", "1", "", "0.95", "5,10.5", "logit", ""
    };
    char text[OPTION_TEXT_SIZE], help[OPTION_TEXT_SIZE];

    for (size_t i = 0; table[i].kind != OPT_END_; i++)
        if (table[i].kind != OPT_HEADING_)
            assert_string_equal(option_value_show(text, &table[i], &defaults), want[i]);
    assert_string_equal(option_value_label(text, &table[0]), "-q, --topics");
    assert_string_equal(option_value_label(text, &table[1]), "-c");
    assert_string_equal(option_value_label(text, &table[4]), "--seed N");
    assert_string_equal(option_value_explain(help, &table[9], &defaults),
                        "interval: logit, percentile, bca or t (default: logit)");
    assert_string_equal(option_value_explain(help, &table[10], &defaults),
                        "measure; may be given many times");
}

static void the_nearest_names_are_suggested(void **state)
{
    (void)state;
    static const char *const names[] = { "eval", "compare", "recall", "map", "map_cut",
                                         "P_10", "ndcg", "ndcg_cut_10", NULL };
    static const char *const cases[][2] = {
        { "evla", "; did you mean 'eval'?" },
        { "EVAL", "; did you mean 'eval'?" },
        { "p_10", "; did you mean 'P_10'?" },
        { "mapp", "; did you mean 'map'?" },
        { "ndcg_", "; did you mean 'ndcg' or 'ndcg_cut_10'?" },
        { "comp", "; did you mean 'compare'?" },
        { "xyzzy", "" },
        { "x", "" },
        { "", "" },
    };
    char text[OPTION_TEXT_SIZE];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        suggest s = suggest_for(cases[i][0]);
        for (size_t j = 0; names[j] != NULL; j++)
            suggest_offer(&s, names[j]);
        assert_string_equal(suggest_text(text, &s, ""), cases[i][1]);
    }
}

static void a_very_long_word_is_no_trouble(void **state)
{
    (void)state;
    char word[300], text[OPTION_TEXT_SIZE];

    memset(word, 'a', sizeof word - 1);
    word[sizeof word - 1] = '\0';
    suggest s = suggest_for(word);
    suggest_offer(&s, "eval");
    suggest_offer(&s, word);
    assert_string_equal(suggest_text(text, &s, ""), "");
    memcpy(word, "--", 2);
    char *argv[] = { word, NULL };
    args a = defaults;
    const opt_set set = { table, &a };
    options_words words;
    iv_err err = { IV_OK, "" };
    assert_int_equal(options_parse(&words, &set, 1, 1, argv, &err), CMD_USAGE);
    options_free(&words);
}

/* A question of the library: zeros are its defaults. */
typedef enum flavour { FLAVOUR_AUTO, FLAVOUR_SWEET, FLAVOUR_SOUR } flavour;

typedef struct question {
    flavour taste;
    int grade;
    size_t depth;
    double loss;
    iv_reals recall;
    iv_integers sizes;
    iv_texts runs;
} question;

static const char *const *flavour_names(void)
{
    static const char *const names[] = { "auto", "sweet", "sour", NULL };

    return names;
}

static const opt asked[] = {
    OPT_ENUM(question, 0, "taste", "TASTE", taste, flavour, flavour_names, "taste"),
    OPT_INT(question, 'l', "grade", "G", grade, 0, 10, "grade", .zero = true, .usual = "1"),
    OPT_INT(question, 0, "depth", "N", depth, 0, INT64_MAX, "depth"),
    OPT_REAL(question, 0, "loss", "X", loss, 0.0, 1.0, "loss", .zero = true, .usual = "0.5"),
    OPT_NUMBERS(question, 0, "recall", "X,...", recall, 1, 3, 0.0, 1.0, "recall"),
    OPT_INTEGERS(question, 0, "sizes", "N,...", sizes, 1, 3, 1.0, 1e16, "sizes"),
    OPT_LIST(question, 'r', "run", "FILE", runs, "run"),
    OPT_END
};

static int ask(question *q, options_words *words, const char *line, iv_err *err)
{
    static char text[256], *argv[32];
    const int argc = split_words(text, sizeof text, argv, 32, line);
    const opt_set set = { asked, q };

    *q = (question){ 0 };
    *err = (iv_err){ IV_OK, "" };
    return options_parse(words, &set, 1, argc, argv, err);
}

static void options_point_straight_into_a_question(void **state)
{
    (void)state;
    options_words words;
    question q;
    iv_err err;

    assert_int_equal(ask(&q, &words, "--taste sour -l0 --depth=7 --loss 0.0 "
                         "--recall=50%,1 --sizes 3,1e6,9007199254740993 -ra -rb", &err), IV_OK);
    assert_int_equal(q.taste, FLAVOUR_SOUR);
    assert_int_equal(q.grade, IV_ZERO);
    assert_int_equal(q.depth, 7);
    assert_true(q.loss == IV_ZERO);
    assert_int_equal(q.recall.count, 2);
    assert_true(q.recall.at[0] == 0.5 && q.recall.at[1] == 1.0);
    assert_int_equal(q.sizes.count, 3);
    assert_true(q.sizes.at[1] == 1000000 && q.sizes.at[2] == 9007199254740993);
    assert_int_equal(q.runs.count, 2);
    assert_string_equal(q.runs.at[1], "b");
    options_free(&words);
}

static void what_a_question_does_not_take_is_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        { "--sizes=2.5", "option '--sizes': '2.5' is not a whole number from 1 to 1e+16" },
        { "--sizes=1,2,3,4", "option '--sizes': '1,2,3,4' is not N,..." },
        { "--recall=2", "option '--recall': '2' is not a number from 0 to 1" },
        { "--recall=.5,150%", "option '--recall': '150%' is not a number from 0 to 1" },
        { "--sizes=50%", "option '--sizes': '50%' is not a whole number from 1 to 1e+16" },
        { "--taste=swet", "option '--taste': unknown TASTE 'swet'; expected auto, sweet or "
          "sour; did you mean 'sweet'?" },
        { "-l-1", "option '--grade': '-1' is not an integer from 0 to 10" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        options_words words;
        question q;
        iv_err err;
        assert_int_equal(ask(&q, &words, cases[i][0], &err), CMD_USAGE);
        assert_string_equal(err.msg, cases[i][1]);
        options_free(&words);
    }
}

static void the_help_shows_what_zero_stands_for(void **state)
{
    (void)state;
    static const char *const want[] = { "taste: auto, sweet or sour (default: auto)",
                                        "grade (default: 1)", "depth", "loss (default: 0.5)",
                                        "recall" };
    char text[OPTION_TEXT_SIZE];

    for (size_t i = 0; i < sizeof want / sizeof *want; i++)
        assert_string_equal(option_value_explain(text, &asked[i], NULL), want[i]);
}

int options_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_options_the_defaults_stand),
        cmocka_unit_test(short_options_cluster_and_attach),
        cmocka_unit_test(long_options_take_values_two_ways),
        cmocka_unit_test(a_value_may_begin_with_a_dash),
        cmocka_unit_test(options_may_follow_operands_until_two_dashes),
        cmocka_unit_test(one_value_is_all_an_option_has),
        cmocka_unit_test(the_record_leaves_out_what_must_not_matter),
        cmocka_unit_test(what_is_wrong_is_told_in_one_line),
        cmocka_unit_test(lists_are_freed_after_an_error_too),
        cmocka_unit_test(defaults_are_shown_as_they_would_be_typed),
        cmocka_unit_test(the_nearest_names_are_suggested),
        cmocka_unit_test(a_very_long_word_is_no_trouble),
        cmocka_unit_test(options_point_straight_into_a_question),
        cmocka_unit_test(what_a_question_does_not_take_is_told),
        cmocka_unit_test(the_help_shows_what_zero_stands_for),
    };
    return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}

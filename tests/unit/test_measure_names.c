/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about asking for measures, summaries and lines of output. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/charconv.h"
#include "measure_tests.h"
#include "near.h"
#include "measure/measures.h"
#include "measure/scorer.h"

/* All names, apart by blanks, of what was asked for, apart by '|'. */
static const char *names_of(const char *asked, bool as_trec_eval)
{
    static char out[4000];
    char copy[400], *name[20];
    size_t count = 0;
    iv_measures *m = NULL;
    iv_measure_options o = { 0 };
    iv_err err = { IV_OK, "" };

    o.as_trec_eval = as_trec_eval;
    (void)snprintf(copy, sizeof copy, "%s", asked);
    for (char *p = strtok(copy, "|"); p != NULL; p = strtok(NULL, "|"))
        name[count++] = p;
    if (iv_measures_parse(&m, (const char *const *)name, count, &o, &err) != IV_OK)
        fail_msg("%s", err.msg);
    out[0] = '\0';
    for (size_t i = 0; i < iv_measures_count(m); i++)
        (void)snprintf(out + strlen(out), sizeof out - strlen(out), "%s%s",
                       i > 0 ? " " : "", iv_measures_value(m, i)->name);
    iv_measures_free(m);
    return out;
}

static void names_come_out_as_their_makers_print_them(void **state)
{
    (void)state;
    assert_string_equal(names_of("map|P.10,5|ndcg_cut.10|iprec_at_recall.0,.25",
                                 false),
                        "map P_5 P_10 ndcg_cut_10 iprec_at_recall_0.00 "
                        "iprec_at_recall_0.25");
    assert_string_equal(names_of("P_10|iprec_at_recall_0.10|Rprec_mult_0.20",
                                 false),
                        "P_10 iprec_at_recall_0.10 Rprec_mult_0.20");
    assert_string_equal(names_of("set_F.0.5|utility.1,-1,0,0|relstring.20", false),
                        "set_F_0.5 utility_1,-1,0,0 relstring_20");
    assert_string_equal(names_of("ndcg.1=3.5,2=9.0|rbp.p=0.8|success", false),
                        "ndcg_1=3.5,2=9.0 rbp_p=0.8 success_1 success_5 "
                        "success_10");
    assert_string_equal(
        names_of("AP|MAP(rel=2)@100|nDCG( dcg = 'exp-log2' ) @ 10|RBP(p=0.95)|"
                 "IPrec@0.1|SetF(beta=2)|NumRet(rel=2)|SetP(relative=True)",
                 false),
        "AP AP(rel=2)@100 nDCG(dcg='exp-log2')@10 RBP(p=0.95) IPrec@0.1 "
        "SetF(beta=2) NumRelRet(rel=2) SetRelP");
    assert_string_equal(names_of("nDCG(gains={1:3,2:9})@10|AP(cutoff=5)|"
                                 "IPrec(recall=0.5)|RBP(p=0.8,rel=1)",
                                 false),
                        "nDCG(gains={1:3,2:9})@10 AP@5 IPrec@0.5 RBP(rel=1)");
}

static void sets_hold_what_trec_eval_says(void **state)
{
    (void)state;
    static const char *const all = "all_trec", *const set = "set",
                                   *const official = "official";
    iv_measure_options o = { 0 };
    iv_measures *m = NULL;
    static const struct {
        const char *const *name;
        iv_dialect dialect;
        size_t values;
    } sizes[] = { { &official, IV_TREC_EVAL_9, 30 },
                  { &set, IV_TREC_EVAL_9, 11 },
                  { &all, IV_TREC_EVAL_9, 95 },
                  { &all, IV_TREC_EVAL_10, 100 } };

    for (size_t i = 0; i < 4; i++) {
        o.dialect = sizes[i].dialect;
        assert_int_equal(iv_measures_parse(&m, sizes[i].name, 1, &o, NULL), IV_OK);
        assert_int_equal(iv_measures_count(m), sizes[i].values);
        iv_measures_free(m);
    }
}

static void values_come_in_the_order_asked_and_once(void **state)
{
    (void)state;
    assert_string_equal(names_of("P.10|map|P.5,10|map|P@10", false),
                        "P_10 map P_5 P@10");
}

static void as_trec_eval_orders_and_merges_as_trec_eval_does(void **state)
{
    (void)state;
    assert_string_equal(names_of("P.10|nDCG@5|map|P.5,20|num_q", true),
                        "num_q map P_10 nDCG@5");
    assert_string_equal(names_of("P|recip_rank|P.7|P.8", true),
                        "recip_rank P_7");
}

static const char *error_of(const char *name)
{
    static iv_err err;
    iv_measures *m = NULL;

    err = (iv_err){ IV_OK, "" };
    if (iv_measures_parse(&m, &name, 1, NULL, &err) == IV_OK)
        fail_msg("%s was accepted", name);
    assert_int_equal(err.code, IV_EARG);
    assert_null(m);
    return err.msg;
}

static void check_error(const char *name, const char *has)
{
    const char *message = error_of(name);

    if (strstr(message, has) == NULL)
        fail_msg("%s: '%s' does not say '%s'", name, message, has);
}

static void names_of_any_case_are_known_and_kept_as_they_were_asked_for(void **state)
{
    (void)state;
    assert_string_equal(names_of("ndcg@10|map@10|ap|mrr|p@5|precision@10|recall@100", false),
                        "ndcg@10 map@10 ap mrr p@5 precision@10 recall@100");
    assert_string_equal(names_of("MRR@3|recip_rank@5|err@20|rbp@10|setf|iprec@0.5", false),
                        "MRR@3 recip_rank@5 err@20 rbp@10 setf iprec@0.5");
    assert_string_equal(names_of("p_10|P.7|NDCG_CUT.3|Recall_100|rprec|ndcg(dcg='exp-log2')@5",
                                 false),
                        "p_10 P_7 ndcg_cut_3 Recall_100 rprec nDCG(dcg='exp-log2')@5");
    /* as ndeval has its columns */
    assert_string_equal(names_of("ERR-IA@5|nERR-IA@10|alpha-DCG@5|alpha-nDCG@20|NRBP|nNRBP|MAP-IA|"
                                 "P-IA@10|strec@10|recip-rank", false),
                        "ERR-IA@5 nERR-IA@10 alpha-DCG@5 alpha-nDCG@20 NRBP nNRBP MAP-IA P-IA@10 "
                        "strec@10 recip-rank");
    /* trec_eval 10's and the other one */
    check_error("Rbp", "unknown measure 'Rbp'; similar names: rbp, RBP");
    check_error("r", "needs a cut-off, such as R@10");
}

static void an_unknown_name_brings_the_nearest(void **state)
{
    (void)state;
    check_error("ndgc", "unknown measure 'ndgc'; similar names: ndcg");
    check_error("mapp", "names: map");
    check_error("recal.10", "names: recall");
    check_error("NDGC@10", "names: nDCG@10");
    check_error("all_tric", "names: all_trec");
    check_error("ndcg_cut10", "ndcg_cut");
    check_error("xyzzyxyzzy", "unknown measure");
    check_error("", "empty");
}

static void a_bad_parameter_is_told_what_was_expected(void **state)
{
    (void)state;
    check_error("P.5,x", "unknown measure 'x'"); /* a comma before a letter begins one */
    check_error("P.0", "'0', expected ranks from 1");
    check_error("P.5,5", "each number once");
    check_error("P.", "parameters expected");
    check_error("P@ten", "@ expects a rank");
    check_error("P@0", "@ expects a rank");
    check_error("map.5", "takes no parameters");
    check_error("iprec_at_recall.1.5", "numbers from 0 to 1");
    check_error("utility.1,2", "expected 4 numbers");
    check_error("ndcg.1", "grade=gain");
    check_error("ndcg.1=2,1=3", "each grade once");
    check_error("ndcg.1=1e13", "grade=gain");
    check_error("rbp.p=1", "p=0.8");
    check_error("Rprec@5", "takes no cut-off");
    check_error("R", "R needs a cut-off");
    check_error("P(rel=2)", "P needs a cut-off, such as P@10");
    check_error("AP(rel=2", "not closed");
    check_error("AP(rel=2)5", "expected Name(");
    check_error("AP(rel=high)", "rel= expects a grade");
    check_error("AP(beta=2)", "unknown keyword 'beta'; AP takes rel, judged_only");
    check_error("AP(5)", "keyword=value");
    check_error("RBP(p=1.5)", "p= expects");
    check_error("nDCG(dcg='ln')@5", "'log2' or 'exp-log2'");
    check_error("nDCG(gains=3)@5", "braces");
    check_error("ERR(max=0)", "max= expects");
    check_error("AP(judged_only=maybe)", "True or False");
}

static void every_measure_explains_itself(void **state)
{
    (void)state;
    const iv_measure_info *m;

    assert_non_null(iv_measure_at(40));
    for (size_t i = 0; (m = iv_measure_at(i)) != NULL; i++) {
        char first[60];
        iv_measures *parsed = NULL;
        assert_non_null(m->name);
        assert_true(strlen(m->brief) > 10 && strchr(m->brief, '\n') == NULL);
        assert_true(m->text[strlen(m->text) - 1] == '\n');
        assert_true(m->per_topic || m->overall);
        assert_ptr_equal(iv_measure_find(m->name), m);
        /* Every example of its usage can be asked for. */
        for (const char *p = m->usage; *p != '\0';) {
            const char *end = strstr(p, "  ");
            const size_t n = end != NULL ? (size_t)(end - p) : strlen(p);
            const char *one = first;
            iv_err err = { IV_OK, "" };
            (void)snprintf(first, sizeof first, "%.*s", (int)n, p);
            if (iv_measures_parse(&parsed, &one, 1, NULL, &err) != IV_OK)
                fail_msg("%s", err.msg);
            iv_measures_free(parsed);
            p += end != NULL ? n + 2 : n;
        }
    }
    assert_string_equal(iv_measure_find("AP")->name, "map");
    assert_null(iv_measure_find("nope"));
}

static void a_value_tells_its_parameters(void **state)
{
    (void)state;
    static const char *const names[] = { "AP(rel=2)@100", "IPrec@0.3",
                                         "RBP(p=0.9)@7", "nDCG(dcg='exp-log2')",
                                         "ndcg.1=5", "ERR(max=4)", "ndcg.0=-1" };
    iv_measures *m = NULL;

    assert_int_equal(iv_measures_parse(&m, names, 7, NULL, NULL), IV_OK);
    assert_true(iv_measures_value(m, 6)->lowest < -1.0);
    assert_int_equal(iv_measures_value(m, 0)->cutoff, 100);
    assert_int_equal(iv_measures_value(m, 0)->level, 2);
    assert_string_equal(iv_measures_value(m, 0)->measure->name, "map_cut");
    assert_near(iv_measures_value(m, 1)->point, 0.3, 0.0);
    assert_near(iv_measures_value(m, 2)->persistence, 0.9, 0.0);
    assert_int_equal(iv_measures_value(m, 2)->cutoff, 7);
    assert_true(iv_measures_value(m, 3)->exponential);
    assert_near(iv_measures_gain(m, 3, 3), 7.0, 0.0);
    assert_near(iv_measures_gain(m, 4, 1), 5.0, 0.0);
    assert_near(iv_measures_gain(m, 4, 2), 2.0, 0.0);
    assert_near(iv_measures_gain(m, 4, -1), 0.0, 0.0);
    assert_near(iv_measures_value(m, 4)->lowest, 0.0, 0.0);
    assert_int_equal(iv_measures_value(m, 5)->max_grade, 4);
    iv_measures_free(m);
}

static void measures_that_scale_need_a_grade(void **state)
{
    (void)state;
    static const char *const names[] = { "ERR@5", "RBP", "ERR(max=2)",
                                         "RBP(rel=1)" };
    iv_measures *m = NULL;
    iv_scorer *s = NULL;
    iv_err err = { IV_OK, "" };

    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(iv_measures_parse(&m, &names[i], 1, NULL, NULL), IV_OK);
        assert_int_equal(iv_scorer_new(&s, m, 0, &err), i < 2 ? IV_ENODATA : IV_OK);
        if (i < 2)
            assert_non_null(strstr(err.msg, "needs a grade above 0"));
        else
            iv_scorer_free(s);
        iv_measures_free(m);
    }
}

static void topics_are_summed_or_averaged(void **state)
{
    (void)state;
    static const char *const names[] = { "num_ret", "map", "gm_map",
                                         "relstring", "num_q" };
    const double rows[] = { 3, 0.5, 0.5, 0, 1, 4, 0.25, 0.00001, 0, 1 };
    double out[5];
    iv_measures *m = NULL;

    assert_int_equal(iv_measures_parse(&m, names, 5, NULL, NULL), IV_OK);
    assert_int_equal(iv_measures_summary(out, m, rows, 2, -1.0, NULL), IV_OK);
    assert_near(out[0], 7.0, 0.0);
    assert_near(out[1], 0.375, 0.0);
    assert_near(out[2], sqrt(0.5 * 0.00001), 1e-15);
    assert_near(out[3], 0.0, 0.0);
    assert_near(out[4], 2.0, 0.0);
    assert_int_equal(iv_measures_summary(out, m, rows, 0, -1.0, NULL), IV_ENODATA);
    iv_measures_free(m);
}

static void figures_print_as_printf_prints_them(void **state)
{
    (void)state;
    static const double some[] = { 0.0,     -0.0,    0.00005, 0.00015, 0.03125,
                                   0.15625, 0.99995, 1e10,    -212.0,  1.0 / 3.0,
                                   2.5,     0.5,     1e300,   1e-300,  99999.99995 };
    uint64_t seed = 7;
    char got[330], want[330];

    for (int i = 0; i < 200000; i++) {
        double x = i < 15 ? some[i] : 0.0;
        seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
        if (i >= 15 && i < 100000) /* k/2^n: many exact halves */
            x = (double)(seed >> 40) / (double)(1u << (seed % 20));
        else if (i >= 100000)
            x = (double)(seed >> 11) * 0x1p-53 * (i % 2 ? 1.0 : -1000.0);
        for (int digits = 0; digits <= 4; digits += 2) {
            iv_to_digits(got, sizeof got, x, digits, false);
            (void)snprintf(want, sizeof want, "%.*f", digits, x);
            if (strcmp(got, want) != 0)
                fail_msg("%.20g: '%s', expected '%s'", x, got, want);
        }
    }
}

static void a_line_is_cut_to_its_room_and_tells_its_length(void **state)
{
    (void)state;
    static const char *const names[] = { "map", "num_ret", "relstring", "runid" };
    iv_measures *m = NULL;
    char line[100];

    assert_int_equal(iv_measures_parse(&m, names, 4, NULL, NULL), IV_OK);
    assert_int_equal(iv_trec_line(line, sizeof line, iv_measures_value(m, 0),
                                  iv_str_of("all"), 0.12345, NULL), 34);
    assert_string_equal(line, "map                   \tall\t0.1235\n");
    (void)iv_trec_line(line, sizeof line, iv_measures_value(m, 1), iv_str_of("7"),
                       1234567.0, NULL);
    assert_string_equal(line, "num_ret               \t7\t1234567\n");
    (void)iv_trec_line(line, sizeof line, iv_measures_value(m, 2), iv_str_of("7"),
                       0.0, "1-0");
    assert_string_equal(line, "relstring             \t7\t'1-0'\n");
    (void)iv_trec_line(line, sizeof line, iv_measures_value(m, 3),
                       iv_str_of("all"), 0.0, "tag");
    assert_string_equal(line, "runid                 \tall\ttag\n");
    assert_int_equal(iv_trec_line(line, 4, iv_measures_value(m, 0),
                                  iv_str_of("all"), 0.5, NULL), 34);
    assert_string_equal(line, "map");
    assert_int_equal(iv_trec_line(NULL, 0, iv_measures_value(m, 0),
                                  iv_str_of("all"), 0.5, NULL), 34);
    iv_measures_free(m);
}

int measure_name_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_out_as_their_makers_print_them),
        cmocka_unit_test(sets_hold_what_trec_eval_says),
        cmocka_unit_test(values_come_in_the_order_asked_and_once),
        cmocka_unit_test(as_trec_eval_orders_and_merges_as_trec_eval_does),
        cmocka_unit_test(names_of_any_case_are_known_and_kept_as_they_were_asked_for),
        cmocka_unit_test(an_unknown_name_brings_the_nearest),
        cmocka_unit_test(a_bad_parameter_is_told_what_was_expected),
        cmocka_unit_test(every_measure_explains_itself),
        cmocka_unit_test(a_value_tells_its_parameters),
        cmocka_unit_test(measures_that_scale_need_a_grade),
        cmocka_unit_test(topics_are_summed_or_averaged),
        cmocka_unit_test(figures_print_as_printf_prints_them),
        cmocka_unit_test(a_line_is_cut_to_its_room_and_tells_its_length),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}

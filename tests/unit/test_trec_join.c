/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the join, beside one written naively here. */
#include "trec_fixture.h"

/* A collection as plain arrays, and the two files that hold it. */
enum { TOPICS = 6, DEPTH = 40, DOCS = 60 };

typedef struct naive_doc {
    char docno[24];
    double score;
    bool retrieved, judged;
    int grade;
} naive_doc;

typedef struct naive {
    naive_doc docs[TOPICS][DOCS];
    char run[TOPICS * DOCS * 80], qrels[TOPICS * DOCS * 60];
} naive;

/* Scores with many ties, some of them only as float. */
static double random_score(uint64_t *seed)
{
    const double whole = (double)random_below(seed, 8);
    static const double slight[] = { 0.0, 0.0, 1e-9, 2e-9, 1e-4 };

    return whole + slight[random_below(seed, 5)];
}

static void draw(naive *n, uint64_t *seed)
{
    size_t run = 0, qrels = 0;

    memset(n, 0, sizeof *n);
    for (int k = 0; k < DOCS; k++) { /* topics interleaved */
        for (unsigned t = 0; t < TOPICS; t++) {
            naive_doc *d = &n->docs[t][k];
            (void)snprintf(d->docno, sizeof d->docno, "%c%u", "aBz\xc3"[k % 4],
                           random_below(seed, 3) * 1000 + (unsigned)k);
            d->score = random_score(seed);
            d->retrieved = random_below(seed, 3) > 0;
            d->judged = random_below(seed, 3) > 0;
            d->grade = (int)random_below(seed, 4) - 1;
            if (d->retrieved && t != 1)
                run += (size_t)sprintf(n->run + run, "%u Q0 %s %d %.17g tag\n", t, d->docno,
                                       k, d->score);
            if (d->judged && t != 2)
                qrels += (size_t)sprintf(n->qrels + qrels, "%u 0 %s %d\n", t, d->docno,
                                         d->grade);
        }
    }
}

/* Does a rank before b?  By bytes as unsigned, whatever char is. */
static bool before(const naive_doc *a, const naive_doc *b, bool cut)
{
    const double x = cut ? (double)(float)a->score : a->score;
    const double y = cut ? (double)(float)b->score : b->score;
    const size_t n = strlen(a->docno), m = strlen(b->docno);

    if (x != y)
        return x > y;
    for (size_t i = 0; i < n && i < m; i++) {
        if (a->docno[i] != b->docno[i])
            return (unsigned char)a->docno[i] > (unsigned char)b->docno[i];
    }
    return n > m;
}

/* The retrieved documents of a topic in rank order, by repeated selection. */
static size_t naive_rank(const naive_doc **out, const naive_doc *docs, bool cut)
{
    size_t count = 0;
    bool taken[DOCS] = { false };

    for (;;) {
        const naive_doc *best = NULL;
        for (size_t k = 0; k < DOCS; k++) {
            if (docs[k].retrieved && !taken[k]
                && (best == NULL || before(&docs[k], best, cut)))
                best = &docs[k];
        }
        if (best == NULL)
            return count;
        taken[best - docs] = true;
        out[count++] = best;
    }
}

static size_t naive_float_ties(const naive_doc *docs)
{
    const naive_doc *ranked[DOCS];
    const size_t n = naive_rank(ranked, docs, false);
    size_t ties = 0;

    for (size_t i = 1; i < n; i++)
        ties += ranked[i]->score != ranked[i - 1]->score
            && (float)ranked[i]->score == (float)ranked[i - 1]->score;
    return ties;
}

static void check_topic(const iv_joined *got, const naive_doc *docs, bool judged, bool cut)
{
    const naive_doc *ranked[DOCS];
    const size_t n = naive_rank(ranked, docs, cut);
    size_t judged_count = 0;

    assert_int_equal(got->hit_count, n);
    for (size_t i = 0; i < n; i++) {
        const iv_hit *hit = &got->hits[i];
        assert_int_equal(iv_str_cmp(hit->docno, iv_str_of(ranked[i]->docno)), 0);
        assert_true(hit->score == (cut ? (double)(float)ranked[i]->score : ranked[i]->score));
        if (judged && ranked[i]->judged) {
            assert_non_null(hit->judgment);
            assert_int_equal(hit->judgment->grade, ranked[i]->grade);
            assert_int_equal(iv_str_cmp(hit->judgment->docno, hit->docno), 0);
        } else {
            assert_null(hit->judgment);
        }
    }
    for (size_t k = 0; k < DOCS && judged; k++)
        judged_count += docs[k].judged;
    assert_int_equal(got->judged_count, judged_count);
    assert_int_equal(got->float_ties, cut ? naive_float_ties(docs) : 0);
}

static void the_join_is_what_a_naive_one_is_on_random_collections(void **state)
{
    (void)state;
    static naive n;
    uint64_t seed = 20;
    iv_join *w = NULL;

    assert_int_equal(iv_join_new(&w, NULL), IV_OK);
    for (int round = 0; round < 60; round++) {
        draw(&n, &seed);
        iv_run *run = run_of(n.run);
        iv_judgments *j = judgments_of(n.qrels, IV_JUDGMENTS_ANY);
        assert_int_equal(iv_run_topics(run), TOPICS - 1);
        for (size_t i = 0; i < iv_run_topics(run); i++) {
            const iv_str id = iv_run_topic(run, i);
            const size_t t = (size_t)(id.ptr[0] - '0');
            const size_t judged = iv_judgments_find_topic(j, id);
            assert_int_equal(judged == IV_NONE, t == 2);
            for (int cut = 0; cut < 2; cut++) {
                iv_joined got;
                assert_int_equal(iv_join_topic(&got, w, run, i, j, judged,
                                               cut ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE,
                                               NULL), IV_OK);
                assert_int_equal(iv_str_cmp(got.topic, id), 0);
                check_topic(&got, n.docs[t], t != 2, cut);
            }
        }
        iv_run_free(run);
        iv_judgments_free(j);
    }
    iv_join_free(w);
    iv_join_free(NULL);
}

static void pi_and_stratum_come_with_the_hit(void **state)
{
    (void)state;
    iv_run *run = run_of("1 Q0 a 1 3 t\n1 Q0 b 2 2 t\n1 Q0 c 3 1 t\n");
    iv_judgments *prels = judgments_of("1 b 1 2 0.125\n1 x 1 2 1\n", IV_JUDGMENTS_ANY);
    iv_judgments *strata = judgments_of("1 0 c 4 -1\n1 0 d 2 1\n", IV_JUDGMENTS_ANY);
    iv_join *w = NULL;
    iv_joined got;

    assert_int_equal(iv_join_new(&w, NULL), IV_OK);
    assert_int_equal(iv_join_topic(&got, w, run, 0, prels, 0, IV_SCORES_DOUBLE, NULL), IV_OK);
    assert_null(got.hits[0].judgment);
    assert_true(got.hits[1].judgment->pi == 0.125);
    assert_int_equal(got.judged_count, 2);
    assert_int_equal(iv_join_topic(&got, w, run, 0, strata, 0, IV_SCORES_DOUBLE, NULL),
                     IV_OK);
    assert_int_equal(got.hits[2].judgment->stratum, 4);
    assert_int_equal(got.hits[2].judgment->grade, -1);
    assert_int_equal(iv_join_topic(&got, w, run, 0, NULL, IV_NONE, IV_SCORES_DOUBLE, NULL),
                     IV_OK);
    assert_int_equal(got.judged_count, 0);
    assert_null(got.hits[1].judgment);
    iv_join_free(w);
    iv_run_free(run);
    iv_judgments_free(prels);
    iv_judgments_free(strata);
}

static void scores_cut_to_float_are_cut_with_or_without_ties(void **state)
{
    (void)state;
    static const char *const texts[] = { "1 Q0 a 1 0.1 t\n1 Q0 b 2 0.05 t\n",
                                         "1 Q0 a 1 0.1 t\n1 Q0 b 2 0.0999999999999 t\n" };

    for (size_t i = 0; i < 2; i++) {
        iv_run *run = run_of(texts[i]);
        iv_join *w = NULL;
        iv_joined got;
        assert_int_equal(iv_join_new(&w, NULL), IV_OK);
        assert_int_equal(iv_join_topic(&got, w, run, 0, NULL, IV_NONE, IV_SCORES_FLOAT, NULL),
                         IV_OK);
        assert_int_equal(got.float_ties, i);
        /* A tie as float: the later docno comes first, as in trec_eval 9. */
        assert_true(got.hits[0].docno.ptr[0] == (i == 0 ? 'a' : 'b'));
        assert_true(got.hits[0].score == (double)0.1f);
        iv_join_free(w);
        iv_run_free(run);
    }
}

static void a_workspace_serves_short_and_long_topics_in_turn(void **state)
{
    (void)state;
    iv_run *run = run_of("1 Q0 a 1 1 t\n2 Q0 a 1 1 t\n2 Q0 b 1 2 t\n2 Q0 c 1 3 t\n"
                         "2 Q0 d 1 4 t\n2 Q0 e 1 5 t\n2 Q0 f 1 6 t\n2 Q0 g 1 7 t\n"
                         "2 Q0 h 1 8 t\n2 Q0 i 1 9 t\n2 Q0 j 1 9.0000000001 t\n");
    iv_join *w = NULL;
    iv_joined got;

    assert_int_equal(iv_join_new(&w, NULL), IV_OK);
    for (size_t i = 0; i < 6; i++) {
        assert_int_equal(iv_join_topic(&got, w, run, i % 2, NULL, IV_NONE,
                                       i < 4 ? IV_SCORES_FLOAT : IV_SCORES_DOUBLE, NULL),
                         IV_OK);
        assert_int_equal(got.hit_count, i % 2 ? 10 : 1);
        assert_true(got.hits[0].docno.ptr[0] == (i % 2 ? 'j' : 'a'));
    }
    iv_join_free(w);
    iv_run_free(run);
}

int join_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_join_is_what_a_naive_one_is_on_random_collections),
        cmocka_unit_test(pi_and_stratum_come_with_the_hit),
        cmocka_unit_test(scores_cut_to_float_are_cut_with_or_without_ties),
        cmocka_unit_test(a_workspace_serves_short_and_long_topics_in_turn),
    };
    return cmocka_run_group_tests_name("join", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TREC 2009 Legal Interactive: the published strata (NIST overview, appendix)
 * give Webber's table XII, every cell of it, to 0.001.
 */
#include "test_recall.h"
#include "trec/csv.h"

enum { MOST = 32 };

typedef struct run_strata {
    iv_stratum retrieved[MOST], unretrieved[MOST];
    iv_segments s;
} run_strata;

static int64_t number(const iv_csv *t, size_t row, const char *column)
{
    int64_t v = -1;

    assert_true(iv_scan_int(&v, iv_csv_cell(t, row, iv_csv_find(t, iv_str_of(column))), 0,
                            1000000));
    return v;
}

/* Which letter of the stratum's name is the team's. */
static size_t place_of(iv_str teams, const char *team)
{
    size_t place = 0, from = 0;

    for (size_t i = 0; i <= teams.len; i++) {
        if (i < teams.len && teams.ptr[i] != '|')
            continue;
        const iv_str one = { teams.ptr + from, i - from };
        if (iv_str_cmp(one, iv_str_of(team)) == 0)
            return place;
        place++;
        from = i + 1;
    }
    fail_msg("no team %s", team);
    return 0;
}

static void collect(run_strata *out, const iv_csv *t, const char *topic, const char *team)
{
    size_t n1 = 0, n0 = 0;

    for (size_t row = 0; row < iv_csv_rows(t); row++) {
        const iv_str name = iv_csv_cell(t, row, iv_csv_find(t, iv_str_of("stratum")));
        const iv_stratum s = { number(t, row, "N"), number(t, row, "n"), number(t, row, "r") };
        if (iv_str_cmp(iv_csv_cell(t, row, iv_csv_find(t, iv_str_of("topic"))),
                       iv_str_of(topic)) != 0 || s.sampled == 0)
            continue;
        const size_t place =
            place_of(iv_csv_cell(t, row, iv_csv_find(t, iv_str_of("teams"))), team);
        assert_true(place < name.len && n1 < MOST && n0 < MOST);
        if (name.ptr[place] == 'R')
            out->retrieved[n1++] = s;
        else
            out->unretrieved[n0++] = s;
    }
    out->s = (iv_segments){ out->retrieved, out->unretrieved, n1, n0 };
}

static void table_xii_is_reproduced_in_every_cell(void **state)
{
    (void)state;
    iv_csv *t = NULL;
    FILE *f = fopen(TESTS_DIR "/oracle/recall_legal2009_table.tsv", "r");
    char line[256], topic[8], team[16];
    size_t runs = 0, bad = 0;

    assert_int_equal(iv_csv_load(&t, TESTS_DIR "/oracle/recall_legal2009_strata.csv", NULL, NULL),
                     IV_OK);
    assert_int_equal(iv_csv_rows(t), 84);
    assert_non_null(f);
    while (fgets(line, sizeof line, f) != NULL) {
        double printed[7], got[7];
        run_strata s;
        if (line[0] == '#')
            continue;
        assert_int_equal(sscanf(line, "%7s %15s %lf %lf %lf %lf %lf %lf %lf", topic, team,
                                &printed[0], &printed[1], &printed[2], &printed[3],
                                &printed[4], &printed[5], &printed[6]), 9);
        collect(&s, t, topic, team);
        const iv_recall_method methods[] = { IV_RECALL_BETABIN_HALF, IV_RECALL_NORMAL,
                                             IV_RECALL_LAPLACE };
        got[0] = iv_recall_estimate(&s.s);
        for (size_t m = 0; m < 3; m++) {
            const iv_limits i = interval_of(&s.s, methods[m]);
            got[2 * m + 1] = i.lower;
            got[2 * m + 2] = i.upper;
        }
        runs++;
        for (size_t i = 0; i < 7; i++) {
            /* Half a unit of the printed digit, and 0.001 for their Monte Carlo. */
            if (fabs(got[i] - printed[i]) <= (i == 1 || i == 2 ? 0.0015 : 0.0005001))
                continue;
            print_error("topic %s %s, column %zu: %.5f, printed %.3f\n", topic, team, i,
                        got[i], printed[i]);
            bad++;
        }
    }
    (void)fclose(f);
    iv_csv_free(t);
    assert_int_equal(runs, 24);
    assert_int_equal(bad, 0);
}

int test_recall_legal(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_xii_is_reproduced_in_every_cell),
    };

    return cmocka_run_group_tests_name("recall: TREC 2009 Legal", tests, NULL, NULL);
}

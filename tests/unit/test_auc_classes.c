/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about areas of several classes; the name of a test is the claim. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "num/dist.h"
#include "num/draw.h"
#include "stat/scored/scored.h"
#include "base/bytes.h"

enum { MOST = 400, CLASSES = 10 };

/* Columns of scores, and the classes of items. */
typedef struct sample {
    double scores[CLASSES][MOST];
    const double *columns[CLASSES];
    size_t is[MOST];
    iv_class_items items;
} sample;

static void set(sample *s, size_t classes, size_t count)
{
    for (size_t k = 0; k < CLASSES; k++)
        s->columns[k] = s->scores[k];
    s->items = (iv_class_items){ s->columns, s->is, classes, count };
}

/* Hundredths, item by item. */
static void read_scores(sample *s, const char *text, size_t classes, size_t count)
{
    const char *at = text;

    for (size_t i = 0; i < classes * count; i++) {
        char *end;
        s->scores[i % classes][i / classes] = strtod(at, &end) / 100.0;
        at = *end == ',' ? end + 1 : end;
    }
    set(s, classes, count);
}

static void averages_equal_the_definitions_and_sklearn(void **state)
{
    static sample a, b;
    iv_bytes file;
    size_t seen = 0;
    iv_err err = { 0 };

    (void)state;
    if (iv_bytes_load(&file, TESTS_DIR "/oracle/auc_classes.tsv", NULL, &err) != IV_OK)
        fail_msg("%s", err.msg);
    for (const char *at = file.ptr; at < file.ptr + file.len; at = strchr(at, '\n') + 1) {
        char labels[64], ta[1024], tb[1024];
        iv_interval each[CLASSES], macro, weighted, other;
        iv_interval d, back;
        iv_calibration l;
        double w[9];
        size_t classes = 0;
        if (sscanf(at, "%63s %1023s %1023s %lf %lf %lf %lf %lf %lf %lf %lf %lf", labels, ta, tb, w,
                   w + 1, w + 2, w + 3, w + 4, w + 5, w + 6, w + 7, w + 8) != 12)
            continue;
        const size_t n = strlen(labels);
        for (size_t i = 0; i < n; i++) {
            a.is[i] = b.is[i] = (size_t)(labels[i] - '0');
            classes = a.is[i] >= classes ? a.is[i] + 1 : classes;
        }
        read_scores(&a, ta, classes, n);
        read_scores(&b, tb, classes, n);
        assert_int_equal(iv_auc_classes(each, &other, &weighted, &b.items, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_classes(each, &macro, &weighted, &a.items, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_classes_compare(&d, &a.items, b.columns, 0.0, NULL), IV_OK);
        assert_int_equal(iv_auc_classes_compare(&back, &b.items, a.columns, 0.0, NULL), IV_OK);
        assert_int_equal(iv_class_calibrate(&l, &a.items, 0.0, NULL), IV_OK);
        assert_near(macro.value, w[0], 1e-14);
        assert_near(weighted.value, w[1], 1e-14);
        assert_near(other.value, w[2], 1e-14);
        assert_near(macro.se * macro.se, w[3], 1e-9); /* the oracle's are differences */
        assert_near(weighted.se * weighted.se, w[4], 1e-9);
        assert_near(other.se * other.se, w[5], 1e-9);
        assert_near(d.se * d.se, w[3] + w[5] - 2.0 * w[6], 1e-9);
        assert_near(d.value, w[0] - w[2], 1e-14);
        assert_near(back.lower, -d.upper, 1e-12);
        assert_near(iv_scored_p(&back), iv_scored_p(&d), 1e-12);
        assert_true((iv_scored_p(&d) > 0.05) == (d.lower <= 0.0 && d.upper >= 0.0));
        assert_near(l.brier.value, w[7], 1e-14);
        assert_near(l.log_loss.value, w[8], 1e-14);
        assert_true(macro.lower < macro.value && macro.value < macro.upper && macro.upper <= 1.0);
        for (size_t k = 0; k < classes; k++) { /* each is that of two classes */
            bool y[64];
            iv_interval one;
            for (size_t i = 0; i < n; i++)
                y[i] = a.is[i] == k;
            assert_int_equal(iv_auc(&one, &(iv_scored_items){ a.columns[k], y, n }, 0.0, NULL), IV_OK);
            assert_memory_equal(&one, &each[k], sizeof one);
        }
        seen++;
    }
    assert_int_equal(seen, 12);
    iv_bytes_free(&file);
}

/* A classifier's two columns have one area: its average and error are DeLong's. */
static void the_average_of_two_classes_is_the_area(void **state)
{
    static sample s;
    iv_stream stream = iv_stream_start(1, 0, 0);
    bool y[60];
    iv_interval each[2], macro, weighted, one;

    (void)state;
    for (size_t i = 0; i < 60; i++) {
        s.is[i] = i < 20;
        y[i] = s.is[i] == 1;
        s.scores[1][i] = 1.0 / (1.0 + exp(-iv_draw_normal(&stream) - (y[i] ? 1.5 : 0.0)));
        s.scores[0][i] = 1.0 - s.scores[1][i];
    }
    set(&s, 2, 60);
    assert_int_equal(iv_auc_classes(each, &macro, &weighted, &s.items, 0.0, NULL), IV_OK);
    assert_int_equal(iv_auc(&one, &(iv_scored_items){ s.columns[1], y, 60 }, 0.0, NULL), IV_OK);
    assert_near(macro.value, one.value, 1e-14);
    assert_near(weighted.value, one.value, 1e-14);
    assert_near(macro.se, one.se, 1e-14);
    assert_near(weighted.se, one.se, 1e-14);
    assert_near(macro.lower, one.lower, 0.02);
    assert_near(macro.upper, one.upper, 0.02);
}

static void draw(sample *s, iv_stream *stream, size_t classes, const size_t *sizes, double apart)
{
    size_t n = 0;

    for (size_t c = 0; c < classes; c++)
        for (size_t i = 0; i < sizes[c]; i++, n++) {
            s->is[n] = c;
            for (size_t k = 0; k < classes; k++)
                s->scores[k][n] = iv_draw_normal(stream) + (k == c ? apart : 0.0);
        }
    set(s, classes, n);
}

/* The area of normal scores is known; of 300 samples a coverage of .95 leaves out 29 in one of a
 * thousand series. */
static void intervals_of_averages_hold_the_truth(void **state)
{
    static const struct { size_t classes, sizes[CLASSES]; double area; } of[] = {
        { 3, { 20, 40, 40 }, 0.8 }, { 3, { 20, 40, 40 }, 0.95 },
        { 10, { 20, 20, 20, 20, 20, 20, 20, 20, 20, 20 }, 0.95 },
    };
    static sample s;
    enum { SAMPLES = 300 };

    (void)state;
    for (size_t k = 0; k < sizeof of / sizeof *of; k++) {
        const double d = sqrt(2.0) * iv_norm_quantile(of[k].area);
        int macros = 0, weights = 0;
        for (size_t r = 0; r < SAMPLES; r++) {
            iv_stream stream = iv_stream_start(3, (uint32_t)k, (uint32_t)r);
            iv_interval each[CLASSES], m, w;
            draw(&s, &stream, of[k].classes, of[k].sizes, d);
            assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 0.0, NULL), IV_OK);
            macros += m.lower <= of[k].area && of[k].area <= m.upper;
            weights += w.lower <= of[k].area && of[k].area <= w.upper;
        }
        print_message("%zu classes, area %g: macro %d, weighted %d of %d\n", of[k].classes,
                      of[k].area, macros, weights, SAMPLES);
        assert_in_range(macros, SAMPLES - 29, SAMPLES);
        assert_in_range(weights, SAMPLES - 29, SAMPLES);
    }
}

static void a_perfect_average_has_no_interval(void **state)
{
    static const size_t sizes[3] = { 20, 20, 20 };
    static sample s;
    iv_stream stream = iv_stream_start(1, 1, 0);
    iv_interval each[CLASSES], m, w;
    iv_interval d;
    iv_calibration l;

    (void)state;
    draw(&s, &stream, 3, sizes, 50.0);
    assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 0.0, NULL), IV_OK);
    assert_true(m.value == 1.0 && m.se == 0.0 && isnan(m.lower)); /* each has one, averages have not */
    assert_true(each[0].lower < 0.95 && each[0].upper == 1.0);
    assert_int_equal(iv_auc_classes_compare(&d, &s.items, s.columns, 0.0, NULL), IV_OK);
    assert_true(d.value == 0.0 && iv_scored_p(&d) == 1.0 && isnan(d.lower));
    /* A class without items has no area and no part in the average; one item has no variance. */
    set(&s, 4, 60);
    assert_int_equal(iv_auc_classes(each, &w, &w, &s.items, 0.0, NULL), IV_OK);
    assert_true(isnan(each[3].value) && w.value == 1.0);
    s.is[0] = 3;
    assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 0.0, NULL), IV_OK);
    assert_true(isnan(m.se) && isnan(m.lower));
    assert_int_equal(iv_class_calibrate(&l, &s.items, 0.0, NULL), IV_EARG);
    s.is[0] = 4;
    assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 0.0, NULL), IV_EARG);
    s.columns[0] = NULL;
    assert_int_equal(iv_auc_classes_compare(&d, &s.items, s.columns, 0.0, NULL), IV_EARG);
    set(&s, 3, 20); /* of one class */
    s.is[0] = 0;
    assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 0.0, NULL), IV_ENODATA);
    set(&s, 3, 60);
    assert_int_equal(iv_auc_classes(each, &m, &w, &s.items, 1.0, NULL), IV_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_equal_the_definitions_and_sklearn),
        cmocka_unit_test(the_average_of_two_classes_is_the_area),
        cmocka_unit_test(intervals_of_averages_hold_the_truth),
        cmocka_unit_test(a_perfect_average_has_no_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

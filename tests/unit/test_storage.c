/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about the base room's insides: memory, ids, whole files, unpacking. */
#include "err_text.h"
#include "trec_fixture.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/packing.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>


/* ---------------------------------------------------------------- memory -- */

static void an_array_grows_and_keeps_what_it_holds(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0, moves = 0;

    for (uint32_t i = 0; i < 100000; i++) {
        const size_t before = capacity;
        assert_true(IV_ROOM(items, capacity, i + 1));
        moves += capacity != before;
        items[i] = i;
    }
    assert_true(moves < 60);
    for (uint32_t i = 0; i < 100000; i++)
        assert_int_equal(items[i], i);
    free(items);
}

static void an_array_beyond_all_memory_is_refused_and_the_old_one_valid(void **state)
{
    (void)state;
    size_t capacity = 0;
    uint64_t *items = NULL;

    assert_true(IV_ROOM(items, capacity, 10));
    const uint64_t *at = items;
    const size_t before = capacity;
    assert_false(IV_ROOM(items, capacity, SIZE_MAX / 8 + 1));
    assert_int_equal(capacity, before);
    assert_ptr_equal(items, at);
    assert_null(iv_alloc_filled(SIZE_MAX / 2, 4));
    assert_null(iv_alloc_filled(SIZE_MAX, 1));
    items[9] = 1;
    free(items);
}

static void large_and_small_arrays_can_be_filled_from_end_to_end(void **state)
{
    (void)state;
    static const size_t sizes[] = { 0, 1, 4095, (1 << 21) - 1, 1 << 21, (1 << 21) + 1, 5000000 };

    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *ptr = iv_alloc_filled(sizes[i], 1);
        assert_non_null(ptr);
        memset(ptr, 7, sizes[i]);
        free(ptr);
    }
}

static void pieces_of_an_arena_are_aligned_and_apart(void **state)
{
    (void)state;
    iv_arena a = { NULL };
    unsigned char *pieces[400];
    size_t sizes[400];
    uint64_t seed = 1;

    for (size_t i = 0; i < 400; i++) {
        sizes[i] = i % 50 == 0 ? 40000 : random_below(&seed, 300);
        pieces[i] = iv_arena_alloc(&a, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        memset(pieces[i], (int)(i % 251), sizes[i]);
    }
    for (size_t i = 0; i < 400; i++) {
        for (size_t k = 0; k < sizes[i]; k++)
            assert_int_equal(pieces[i][k], i % 251);
    }
    assert_string_equal(iv_arena_copy(&a, (iv_str){ "abcd", 3 }), "abc");
    assert_string_equal(iv_arena_copy(&a, (iv_str){ NULL, 0 }), "");
    assert_null(iv_arena_alloc(&a, SIZE_MAX));
    assert_null(iv_arena_copy(&a, (iv_str){ "", SIZE_MAX }));
    iv_arena_free(&a);
    assert_null(a.blocks);
    iv_arena_free(&a);
}

static int ended[4], ends;

static void note_end(void *number) { ended[ends++] = *(int *)number; }

static void an_arena_ends_what_it_owns_last_come_first_and_remembers_what_it_lacked(void **state)
{
    (void)state;
    iv_arena a = { NULL };
    iv_err err = { .code = IV_OK };
    int *numbers = iv_take(&a, 3, sizeof *numbers), extra = 3;

    assert_int_equal(numbers[0] + numbers[1] + numbers[2], 0);
    for (int i = 0; i < 3; i++) {
        numbers[i] = i;
        assert_ptr_equal(iv_own(&a, &numbers[i], note_end), &numbers[i]);
    }
    assert_int_equal(iv_taken(&a, &err), IV_OK);
    assert_null(iv_take(&a, SIZE_MAX / 2, 8));
    assert_int_equal(iv_taken(&a, &err), IV_ENOMEM);
    assert_string_equal(err.msg, "out of memory");
    iv_arena_free(&a);
    assert_int_equal(ends, 3);
    assert_int_equal(ended[0] * 100 + ended[1] * 10 + ended[2], 210);
    assert_int_equal(iv_taken(&a, &err), IV_OK);
    /* Nothing to own is memory that was out. */
    assert_null(iv_own(&a, NULL, note_end));
    assert_int_equal(iv_taken(&a, &err), IV_ENOMEM);
    assert_ptr_equal(iv_own(&a, &extra, note_end), &extra);
    iv_arena_free(&a);
    assert_int_equal(ended[3], 3);
}

/* ------------------------------------------------------------------- ids -- */

/* Processor time to number n ids of 16 bytes: random ones, or ones that fell together under the
 * hash of version 0.2, which had no key. */
static double numbering_seconds(size_t n, bool crafted)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t *words = malloc(2 * n * sizeof *words);
    iv_ids t = { 0 };

    assert_non_null(words);
    for (size_t i = 0; i < n; i++) {
        uint64_t h = (16 * odd ^ (i + 1)) * odd;
        h ^= h >> 29;
        words[2 * i] = i + 1;
        words[2 * i + 1] = crafted ? h : (i + 7) * odd;
    }
    const clock_t start = clock();
    for (size_t i = 0; i < n; i++)
        assert_int_equal(iv_ids_add(&t, (iv_str){ (const char *)&words[2 * i], 16 }), i);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    iv_ids_free(&t);
    free(words);
    return seconds;
}

static void crafted_ids_take_no_longer_than_others(void **state)
{
    (void)state;
    const double others = numbering_seconds(60000, false);

    assert_true(numbering_seconds(60000, true) < 10.0 * others + 0.05);
}

static void ids_are_numbered_as_they_are_first_seen(void **state)
{
    (void)state;
    enum { N = 20000 };
    static char names[N][16];
    iv_ids t = { 0 };

    assert_int_equal(iv_ids_find(&t, iv_str_of("x")), IV_NO_ID);
    for (uint32_t i = 0; i < N; i++) {
        (void)snprintf(names[i], sizeof names[i], "id-%u", i * 7919);
        assert_int_equal(iv_ids_add(&t, iv_str_of(names[i])), i);
        assert_int_equal(iv_ids_add(&t, iv_str_of(names[i / 2])), i / 2);
    }
    assert_int_equal(t.count, N);
    for (uint32_t i = 0; i < N; i++)
        assert_int_equal(iv_ids_find(&t, iv_str_of(names[i])), i);
    assert_int_equal(iv_ids_find(&t, iv_str_of("id-1")), IV_NO_ID);
    assert_int_equal(iv_ids_add(&t, (iv_str){ NULL, 0 }), N);
    assert_int_equal(iv_ids_find(&t, iv_str_of("")), N);
    iv_ids_free(&t);
    assert_int_equal(t.count, 0);
}

static void strings_are_equal_if_and_only_if_their_bytes_are(void **state)
{
    (void)state;
    char a[40], b[40];

    for (size_t len = 0; len < 40; len++) {
        memset(a, 'x', sizeof a);
        memset(b, 'x', sizeof b);
        assert_true(iv_str_eq((iv_str){ a, len }, (iv_str){ b, len }));
        assert_true(iv_hash((iv_str){ a, len }) == iv_hash((iv_str){ b, len }));
        assert_false(len > 0 && iv_str_eq((iv_str){ a, len }, (iv_str){ b, len - 1 }));
        for (size_t i = 0; i < len; i++) {
            b[i] = 'y';
            assert_false(iv_str_eq((iv_str){ a, len }, (iv_str){ b, len }));
            assert_true(iv_hash((iv_str){ a, len }) != iv_hash((iv_str){ b, len }));
            b[i] = 'x';
        }
    }
}

/* ----------------------------------------------------------- whole files -- */

static void an_empty_file_has_no_bytes(void **state)
{
    (void)state;
    iv_bytes b;

    assert_int_equal(iv_bytes_load(&b, temporary("empty", "", 0), NULL, NULL), IV_OK);
    assert_int_equal(b.len, 0);
    iv_bytes_free(&b);
    assert_int_equal(iv_bytes_load(&b, "/dev/null", NULL, NULL), IV_OK);
    assert_int_equal(b.len, 0);
    iv_bytes_free(&b);
    assert_int_equal(iv_bytes_copy(&b, "none", NULL, 0, NULL, NULL), IV_OK);
    assert_int_equal(b.len, 0);
    iv_bytes_free(&b);
}

static void a_file_comes_whole_by_its_name_or_through_a_pipe(void **state)
{
    (void)state;
    enum { SIZE = 300000 };
    char *text = malloc(SIZE);
    iv_bytes b;
    char command[300];
    int saved = dup(STDIN_FILENO);

    assert_non_null(text);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)('a' + i % 25);
    const char *path = temporary("big", text, SIZE);
    assert_int_equal(iv_bytes_load(&b, path, NULL, NULL), IV_OK);
    assert_int_equal(b.len, SIZE);
    assert_memory_equal(b.ptr, text, SIZE);
    iv_bytes_free(&b);
    (void)snprintf(command, sizeof command, "cat %s", path);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    assert_int_equal(dup2(fileno(pipe), STDIN_FILENO), STDIN_FILENO);
    assert_int_equal(iv_bytes_load(&b, "-", NULL, NULL), IV_OK);
    (void)dup2(saved, STDIN_FILENO);
    (void)close(saved);
    (void)pclose(pipe);
    assert_int_equal(b.len, SIZE);
    assert_memory_equal(b.ptr, text, SIZE);
    iv_bytes_free(&b);
    free(text);
}

/* Somebody cuts the file when its first block was read. */
static int cut_file(void *user, double done)
{
    (void)done;
    return truncate(user, 5000000);
}

static void a_file_that_shrinks_while_it_is_read_is_an_error_and_no_signal(void **state)
{
    (void)state;
    enum { SIZE = 12000000 };
    char path[300], *text = calloc(1, SIZE);
    iv_bytes b;
    iv_err err = { IV_OK, "" };

    assert_non_null(text);
    (void)snprintf(path, sizeof path, "%s", temporary("shrinks", text, SIZE));
    for (int threads = 1; threads < 3; threads++) {
        assert_int_equal(truncate(path, SIZE), 0);
        const iv_work work = { .threads = threads, .progress = { cut_file, path } };
        const int rc = iv_bytes_load(&b, path, &work, &err);
        if (rc == IV_OK) { /* the other thread was faster than the knife */
            assert_int_equal(threads, 2);
            iv_bytes_free(&b);
            continue;
        }
        assert_int_equal(rc, IV_EIO);
        assert_string_equal(err.msg, "cannot read: it became shorter than its 12000000 bytes "
                                     "meanwhile");
    }
    free(text);
}

static void a_file_beyond_the_limit_is_refused(void **state)
{
    (void)state;
    const char *path = temporary("limit", "0123456789", 10);
    iv_bytes b;
    iv_err err = { IV_OK, "" };

    assert_int_equal(iv_bytes_load(&b, path, &(iv_work){ .most_bytes = 10 }, NULL), IV_OK);
    iv_bytes_free(&b);
    assert_int_equal(iv_bytes_load(&b, path, &(iv_work){ .most_bytes = 9 }, &err), IV_EIO);
    assert_non_null(strstr(err.msg, "more than the 9 bytes allowed"));
}

/* ------------------------------------------------------------- unpacking -- */

typedef char *packer(const char *, size_t *);
static packer *const packers[] = { gzipped, zstandard };
static const char *const kinds[] = { "gzip", "zstd" };

/* What the bytes unpack to, or the message. */
static char *unpacked(const char *bytes, size_t len)
{
    iv_bytes b;
    iv_err err = { IV_OK, "" };

    if (iv_bytes_copy(&b, "f", bytes, len, NULL, &err) != IV_OK) {
        assert_int_equal(err.code, IV_EPARSE);
        return strdup(err_text(&err));
    }
    char *text = strndup(b.ptr, b.len);
    iv_bytes_free(&b);
    return text;
}

static void packings_are_told_by_their_first_bytes(void **state)
{
    (void)state;
    assert_int_equal(iv_packing_of("", 0), IV_PLAIN);
    assert_int_equal(iv_packing_of("\x1f", 1), IV_PLAIN);
    assert_int_equal(iv_packing_of("\x1f\x8b", 2), IV_GZIP);
    assert_int_equal(iv_packing_of("\x28\xb5\x2f", 3), IV_PLAIN);
    assert_int_equal(iv_packing_of("\x28\xb5\x2f\xfd", 4), IV_ZSTD);
    assert_int_equal(iv_packing_of("\x50\x2a\x4d\x18", 4), IV_ZSTD);
    assert_int_equal(iv_packing_of("\x5f\x2a\x4d\x18", 4), IV_ZSTD);
    assert_int_equal(iv_packing_of("\x60\x2a\x4d\x18", 4), IV_PLAIN);
    assert_int_equal(iv_packing_of("1 Q0", 4), IV_PLAIN);
}

static void files_glued_together_unpack_one_after_another(void **state)
{
    (void)state;
    static const char *const parts[] = { "one\n", "", "two\nthree", "\n" };

    for (size_t k = 0; k < 2; k++) {
        char glued[4096];
        size_t at = 0;
        for (size_t i = 0; i < 4; i++) {
            size_t len = strlen(parts[i]);
            char *packed = packers[k](parts[i], &len);
            memcpy(glued + at, packed, len);
            at += len;
            free(packed);
        }
        assert_reads(unpacked(glued, at), "one\ntwo\nthree\n");
    }
}

static void a_large_file_unpacks_whole(void **state)
{
    (void)state;
    enum { SIZE = 3000000 };
    char *text = malloc(SIZE);
    uint64_t seed = 9;

    assert_non_null(text);
    for (size_t i = 0; i < SIZE; i++)
        text[i] = (char)('a' + random_below(&seed, 20));
    for (size_t k = 0; k < 2; k++) {
        size_t len = SIZE;
        iv_bytes b;
        char *packed = packers[k](text, &len);
        assert_int_equal(iv_bytes_copy(&b, "f", packed, len, NULL, NULL), IV_OK);
        assert_int_equal(b.len, SIZE);
        assert_int_equal(b.stored, len);
        assert_memory_equal(b.ptr, text, SIZE);
        iv_bytes_free(&b);
        free(packed);
    }
    free(text);
}

static void unpacking_stops_at_a_nul_and_at_the_limit(void **state)
{
    (void)state;
    enum { SIZE = 50000000 };
    char *text = calloc(1, SIZE);

    assert_non_null(text);
    memcpy(text, "one\ntwo", 7);
    for (size_t k = 0; k < 2; k++) {
        size_t len = SIZE;
        iv_bytes b;
        iv_err err = { IV_OK, "" };
        char *packed = packers[k](text, &len);
        assert_int_equal(iv_bytes_copy(&b, "f", packed, len, NULL, NULL), IV_OK);
        assert_int_equal(b.len, 8);
        assert_memory_equal(b.ptr, text, 8);
        iv_bytes_free(&b);
        free(packed);
        len = 7;
        packed = packers[k](text, &len);
        assert_int_equal(iv_bytes_copy(&b, "f", packed, len, &(iv_work){ .most_bytes = 6 },
                                       &err), IV_EIO);
        assert_string_equal(err.msg, "cannot read: it decompresses to more than the 6 bytes allowed");
        free(packed);
    }
    free(text);
}

static void zeros_behind_a_gzip_file_are_padding(void **state)
{
    (void)state;
    char padded[200] = { 0 };
    size_t len = 4;
    char *packed = gzipped("abc\n", &len);

    memcpy(padded, packed, len);
    assert_reads(unpacked(padded, len + 100), "abc\n");
    free(packed);
}

static void data_cut_short_anywhere_are_named_at_the_line_where_they_end(void **state)
{
    (void)state;
    char text[4000];
    size_t size = 0;
    uint64_t seed = 2;

    for (int i = 0; i < 100; i++)
        size += (size_t)sprintf(text + size, "line %d %u\n", i, random_below(&seed, 1u << 30));
    for (size_t k = 0; k < 2; k++) {
        size_t len = size;
        char *packed = packers[k](text, &len);
        unsigned long last = 1;
        for (size_t cut = 4; cut < len; cut++) {
            char *told = unpacked(packed, cut);
            char expected[100], *after;
            assert_memory_equal(told, "f:", 2);
            const unsigned long line = strtoul(told + 2, &after, 10);
            assert_true(line >= last && line <= 101);
            last = line;
            (void)snprintf(expected, sizeof expected, ": the %s data end here, cut short; "
                           "expected a complete file", kinds[k]);
            assert_string_equal(after, expected);
            free(told);
        }
        assert_int_equal(last, 101); /* only the checksum was missing */
        free(packed);
    }
}

static void damaged_data_are_refused_at_a_line(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        static const char text[] = "one\ntwo\nthree\n";
        size_t len = strlen(text), refused = 0;
        char *packed = packers[k](text, &len);
        for (size_t at = 0; at < len; at++) {
            packed[at] = (char)(packed[at] ^ 0x55);
            char *told = unpacked(packed, len);
            refused += strncmp(told, "f:", 2) == 0;
            free(told);
            packed[at] = (char)(packed[at] ^ 0x55);
        }
        /* Flags, time stamps and the magic itself may be changed unnoticed. */
        assert_true(refused + 12 >= len);
        packed[len - 1] = (char)(packed[len - 1] ^ 1);
        char expected[100];
        (void)snprintf(expected, sizeof expected, "f:4: the %s data are damaged here; "
                       "expected a complete file", kinds[k]);
        assert_reads(unpacked(packed, len), expected);
        free(packed);
    }
}

static void text_behind_packed_data_is_damage(void **state)
{
    (void)state;
    for (size_t k = 0; k < 2; k++) {
        char glued[200], expected[100];
        size_t len = 4;
        char *packed = packers[k]("abc\n", &len);
        memcpy(glued, packed, len);
        memcpy(glued + len, "plain text\n", 11);
        (void)snprintf(expected, sizeof expected, "f:2: the %s data are damaged here; "
                       "expected a complete file", kinds[k]);
        assert_reads(unpacked(glued, len + 11), expected);
        free(packed);
    }
}

int storage_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_grows_and_keeps_what_it_holds),
        cmocka_unit_test(an_array_beyond_all_memory_is_refused_and_the_old_one_valid),
        cmocka_unit_test(large_and_small_arrays_can_be_filled_from_end_to_end),
        cmocka_unit_test(pieces_of_an_arena_are_aligned_and_apart),
        cmocka_unit_test(
            an_arena_ends_what_it_owns_last_come_first_and_remembers_what_it_lacked),
        cmocka_unit_test(ids_are_numbered_as_they_are_first_seen),
        cmocka_unit_test(crafted_ids_take_no_longer_than_others),
        cmocka_unit_test(strings_are_equal_if_and_only_if_their_bytes_are),
        cmocka_unit_test(an_empty_file_has_no_bytes),
        cmocka_unit_test(a_file_comes_whole_by_its_name_or_through_a_pipe),
        cmocka_unit_test(packings_are_told_by_their_first_bytes),
        cmocka_unit_test(files_glued_together_unpack_one_after_another),
        cmocka_unit_test(a_large_file_unpacks_whole),
        cmocka_unit_test(a_file_that_shrinks_while_it_is_read_is_an_error_and_no_signal),
        cmocka_unit_test(a_file_beyond_the_limit_is_refused),
        cmocka_unit_test(unpacking_stops_at_a_nul_and_at_the_limit),
        cmocka_unit_test(zeros_behind_a_gzip_file_are_padding),
        cmocka_unit_test(data_cut_short_anywhere_are_named_at_the_line_where_they_end),
        cmocka_unit_test(damaged_data_are_refused_at_a_line),
        cmocka_unit_test(text_behind_packed_data_is_damage),
    };
    return cmocka_run_group_tests_name("storage", tests, NULL, NULL);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Claims about loops on many threads; the name of a test is the claim. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base_tests.h"
#include "base/memory.h"
#include "base/parallel.h"

enum { ITEMS = 500 };

/* A loop that counts what it does, and fails at some indices. */
typedef struct counting {
    int done[ITEMS];
    size_t bad_from; /* items from here on fail */
    size_t slow;     /* this one takes long, so that others fail before it */
} counting;

static int count_item(void *user, void *memory, size_t i, iv_err *err)
{
    counting *c = user;

    assert_null(memory);
    c->done[i]++;
    if (i == c->slow)
        (void)nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
    return i >= c->bad_from ? iv_fail(err, IV_EARG, "item %zu is bad", i) : IV_OK;
}

static void every_item_is_done_once_on_any_number_of_threads(void **state)
{
    (void)state;
    for (int threads = 0; threads <= 8; threads += 4) {
        counting c = { .bad_from = SIZE_MAX };
        const iv_loop loop = { .count = ITEMS, .item = count_item, .user = &c };

        assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = threads }, NULL), IV_OK);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(c.done[i], 1);
    }
}

static void no_items_are_no_failure(void **state)
{
    (void)state;
    const iv_loop loop = { .count = 0, .item = count_item };

    assert_int_equal(iv_parallel(&loop, NULL, NULL), IV_OK);
}

static void the_lowest_index_that_fails_is_told_on_1_and_8_threads(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads += 7)
        for (int round = 0; round < 20; round++) {
            counting c = { .bad_from = 100, .slow = 100 };
            iv_err err = { .code = IV_OK };
            const iv_loop loop = { .count = ITEMS, .item = count_item, .user = &c };

            assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = threads }, &err), IV_EARG);
            assert_int_equal(err.code, IV_EARG);
            assert_string_equal(err.msg, "item 100 is bad");
            for (size_t i = 0; i <= 100; i++)
                assert_int_equal(c.done[i], 1); /* all that could be lower */
            assert_int_equal(c.done[ITEMS - 1], 0);
        }
}

static int say_nothing(void *user, void *memory, size_t i, iv_err *err)
{
    (void)user, (void)memory, (void)err;
    return i == 3 ? IV_ENUM : IV_OK;
}

static void a_code_without_a_message_is_kept(void **state)
{
    (void)state;
    const iv_loop loop = { .count = 9, .item = say_nothing };

    assert_int_equal(iv_parallel(&loop, NULL, NULL), IV_ENUM);
}

/* ------------------------------------------------------------ memory -- */

static void *new_memory(iv_arena *own, void *user)
{
    return user != NULL ? iv_take(own, 1, sizeof(int)) : NULL;
}

static int use_memory(void *user, void *memory, size_t i, iv_err *err)
{
    (void)user, (void)i, (void)err;
    ++*(int *)memory;
    return IV_OK;
}

static void each_thread_has_memory_of_its_own_and_lack_of_it_is_told(void **state)
{
    (void)state;
    iv_err err = { .code = IV_OK };
    iv_loop loop = { ITEMS, use_memory, &err, new_memory };

    assert_int_equal(iv_parallel(&loop, NULL, &err), IV_OK);
    loop.user = NULL;
    assert_int_equal(iv_parallel(&loop, NULL, &err), IV_ENOMEM);
    assert_string_equal(err.msg, "out of memory");
}

/* ---------------------------------------------------------- progress -- */

typedef struct heard {
    double last;
    double stop_at; /* 0: never */
    int calls;
} heard;

static int hear(void *user, double fraction)
{
    heard *h = user;

    assert_true(fraction >= h->last && fraction <= 1.0);
    h->last = fraction;
    h->calls++;
    return h->stop_at > 0.0 && fraction >= h->stop_at;
}

static int take_a_millisecond(void *user, void *memory, size_t i, iv_err *err)
{
    (void)memory, (void)err;
    ((int *)user)[i]++;
    (void)nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
    return IV_OK;
}

static void progress_rises_to_1(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads += 7) {
        int done[100] = { 0 };
        heard h = { 0 };
        const iv_loop loop = { .count = 100, .item = take_a_millisecond, .user = done };

        assert_int_equal(iv_parallel(&loop, &(iv_work){ threads, 0, { hear, &h } }, NULL),
                         IV_OK);
        assert_true(h.last == 1.0);
        assert_true(h.calls >= 1);
    }
}

/* Of items for a minute and more: a machine so busy that nobody asks for so long fails. */
static void work_that_is_told_to_stop_stops(void **state)
{
    enum { MANY = 500000 };
    static int done[MANY];

    (void)state;
    for (int threads = 1; threads <= 8; threads += 7) {
        memset(done, 0, sizeof done);
        heard h = { .stop_at = 1e-9 };
        iv_err err = { .code = IV_OK };
        const iv_loop loop = { .count = MANY, .item = take_a_millisecond, .user = done };

        assert_int_equal(iv_parallel(&loop, &(iv_work){ threads, 0, { hear, &h } }, &err),
                         IV_ECANCELLED);
        assert_int_equal(err.code, IV_ECANCELLED);
        assert_int_equal(done[MANY - 1], 0);
        assert_int_equal(h.calls, 1); /* nobody is asked again */
    }
}

static void serial_work_asks_too(void **state)
{
    (void)state;
    heard h = { .stop_at = 0.5 };
    const iv_work work = { 0, 0, { hear, &h } };

    assert_int_equal(iv_check_work(NULL, 0.9, NULL), IV_OK);
    assert_int_equal(iv_check_work(&(iv_work){ 0 }, 0.9, NULL), IV_OK);
    assert_int_equal(iv_check_work(&work, 0.25, NULL), IV_OK);
    assert_int_equal(iv_check_work(&work, 0.5, NULL), IV_ECANCELLED);
}

static void a_stage_has_its_share_of_the_progress(void **state)
{
    (void)state;
    heard h = { .stop_at = 0.9 };
    const iv_work whole = { 3, 7, { hear, &h } };
    iv_stage first, second, inner;

    const iv_work *work = iv_work_part(&first, &whole, 0.0, 0.5);
    assert_int_equal(work->threads, 3);
    assert_int_equal(work->seed, 7);
    assert_int_equal(iv_check_work(work, 0.5, NULL), IV_OK);
    assert_true(h.last == 0.25);
    work = iv_work_part(&second, &whole, 0.5, 1.0);
    work = iv_work_part(&inner, work, 0.5, 1.0); /* stages of stages: .75 to 1 */
    assert_int_equal(iv_check_work(work, 0.0, NULL), IV_OK);
    assert_true(h.last == 0.75);
    assert_int_equal(iv_check_work(work, 1.0, NULL), IV_ECANCELLED);
    work = iv_work_part(&first, NULL, 0.0, 0.5);
    assert_int_equal(iv_check_work(work, 0.5, NULL), IV_OK);
    assert_int_equal(iv_work_seed(work), 1);
}

static int take_fifty_steps(void *user, void *memory, size_t i, iv_err *err)
{
    int rc = IV_OK;

    (void)memory, (void)i;
    for (int k = 0; k < 50 && rc == IV_OK; k++) {
        (void)nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        rc = iv_step(user, err);
    }
    return rc;
}

static int stop_at_once(void *user, double fraction)
{
    (void)user, (void)fraction;
    return 1;
}

/* Ends only when it is told to. */
static int take_steps_without_end(void *user, void *memory, size_t i, iv_err *err)
{
    int rc = IV_OK;

    (void)memory, (void)i;
    while (rc == IV_OK)
        rc = iv_step(user, err);
    return rc;
}

static void long_items_report_their_steps(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 8; threads += 7) {
        heard all = { 0 };
        iv_steps steps = { .work = &(iv_work){ 0, 0, { hear, &all } }, .total = 400.0 };
        const iv_loop loop = { .count = 8, .item = take_fifty_steps, .user = &steps };

        assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = threads }, NULL), IV_OK);
        assert_true(all.last == 1.0);
        steps = (iv_steps){ .work = &(iv_work){ 0, 0, { stop_at_once, NULL } }, .total = 400.0 };
        const iv_loop endless = { .count = 8, .item = take_steps_without_end, .user = &steps };
        assert_int_equal(iv_parallel(&endless, &(iv_work){ .threads = threads }, NULL),
                         IV_ECANCELLED);
        steps = (iv_steps){ .total = 400.0 };
        assert_int_equal(iv_step(&steps, NULL), IV_OK); /* nobody listens */
    }
}

static void nothing_said_is_seed_1_and_all_threads(void **state)
{
    (void)state;
    assert_int_equal(iv_work_seed(NULL), 1);
    assert_int_equal(iv_work_seed(&(iv_work){ .seed = 0 }), 1);
    assert_int_equal(iv_work_seed(&(iv_work){ .seed = 9 }), 9);
    assert_true(iv_work_threads(NULL) >= 1);
    const int five = iv_work_threads(&(iv_work){ .threads = 5 });
    assert_true(five == 5 || five == 1); /* 1: built without threads */
    iv_work room;
    assert_int_equal(iv_work_for(&room, &(iv_work){ 5, 7, { 0 } }, 1000)->threads, 1);
    assert_int_equal(iv_work_for(&room, &(iv_work){ 5, 7, { 0 } }, 1000000)->threads, 5);
    assert_int_equal(room.seed, 7);
}

static int ask_threads(void *user, void *memory, size_t i, iv_err *err)
{
    (void)memory, (void)err;
    ((int *)user)[i] = iv_work_threads(&(iv_work){ .threads = 8 });
    return IV_OK;
}

static void a_loop_in_a_loop_uses_one_thread(void **state)
{
    (void)state;
    int threads[16] = { 0 };
    const iv_loop loop = { .count = 16, .item = ask_threads, .user = threads };

    assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = 4 }, NULL), IV_OK);
    for (size_t i = 0; i < 16; i++)
        assert_int_equal(threads[i], 1);
}

/* ------------------------------------------------------------- fork -- */

static atomic_bool inside, leave;

static int wait_to_leave(void *user, void *memory, size_t i, iv_err *err)
{
    (void)user, (void)memory, (void)i, (void)err;
    inside = true;
    while (!leave)
        (void)sched_yield();
    return IV_OK;
}

/* Ends with 0 if a loop on eight threads does all items. */
static void count_and_exit(void)
{
    counting c = { .bad_from = ITEMS, .slow = ITEMS };
    const iv_loop loop = { .count = ITEMS, .item = count_item, .user = &c };
    int wrong = iv_parallel(&loop, &(iv_work){ .threads = 8 }, NULL) != IV_OK;

    for (size_t i = 0; i < ITEMS; i++)
        wrong += c.done[i] != 1;
    _exit(wrong > 0);
}

static void assert_child_counts(void (*before)(void))
{
    const pid_t child = fork();
    int status = -1;

    if (child == 0) {
        (void)alarm(900); /* a child that hangs fails, one on a busy machine does not */
        if (before != NULL)
            before();
        count_and_exit();
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void fork_again(void)
{
    assert_child_counts(NULL);
}

static void use_threads(void)
{
    counting c = { .bad_from = ITEMS, .slow = ITEMS };
    const iv_loop loop = { .count = ITEMS, .item = count_item, .user = &c };

    assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = 4 }, NULL), IV_OK);
}

static void *loop_beside(void *unused)
{
    const iv_loop loop = { .count = 4, .item = wait_to_leave };

    (void)unused;
    assert_int_equal(iv_parallel(&loop, &(iv_work){ .threads = 2 }, NULL), IV_OK);
    return NULL;
}

static void *fork_beside(void *unused)
{
    (void)unused;
    assert_child_counts(NULL);
    return NULL;
}

static void a_child_of_fork_uses_threads_whatever_its_parent_did(void **state)
{
    pthread_t beside;

    (void)state;
    use_threads();
    assert_child_counts(NULL);
    assert_child_counts(fork_again);
    inside = leave = false;
    assert_int_equal(pthread_create(&beside, NULL, loop_beside, NULL), 0);
    while (!inside) /* another thread is in the middle of a loop */
        (void)sched_yield();
    assert_child_counts(NULL);
    leave = true;
    assert_int_equal(pthread_join(beside, NULL), 0);
    assert_int_equal(pthread_create(&beside, NULL, fork_beside, NULL), 0);
    assert_int_equal(pthread_join(beside, NULL), 0);
}

static void allow_no_threads(void)
{
    if (geteuid() == 0 && setuid(65534) != 0) /* the limit is not for root */
        _exit(2);
    if (setrlimit(RLIMIT_NPROC, &(struct rlimit){ 1, 1 }) != 0)
        _exit(3);
}

static void threads_that_cannot_be_had_are_done_without(void **state)
{
    (void)state;
    assert_child_counts(allow_no_threads);
}

int base_parallel_tests(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_item_is_done_once_on_any_number_of_threads),
        cmocka_unit_test(a_child_of_fork_uses_threads_whatever_its_parent_did),
        cmocka_unit_test(threads_that_cannot_be_had_are_done_without),
        cmocka_unit_test(no_items_are_no_failure),
        cmocka_unit_test(the_lowest_index_that_fails_is_told_on_1_and_8_threads),
        cmocka_unit_test(a_code_without_a_message_is_kept),
        cmocka_unit_test(each_thread_has_memory_of_its_own_and_lack_of_it_is_told),
        cmocka_unit_test(progress_rises_to_1),
        cmocka_unit_test(work_that_is_told_to_stop_stops),
        cmocka_unit_test(serial_work_asks_too),
        cmocka_unit_test(a_stage_has_its_share_of_the_progress),
        cmocka_unit_test(long_items_report_their_steps),
        cmocka_unit_test(nothing_said_is_seed_1_and_all_threads),
        cmocka_unit_test(a_loop_in_a_loop_uses_one_thread),
    };
    return cmocka_run_group_tests_name("parallel", tests, NULL, NULL);
}

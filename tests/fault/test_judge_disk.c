/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What was acknowledged is never lost: when the program is killed, when the power fails, when
 * the disk refuses.
 *
 * usage: test_judge_disk [CYCLES IMAGES]     of kill -9, and of power loss
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "disk.h"
#include "session_fixture.h"
#include "store/builder.h"
#include "store/db.h"
#include "store/entries.h"
#include "store/queue.h"
#include "store/session.h"
#include "store/upkeep.h"

static int cycles = 12, images = 250;
static scratch folder;
static char path[SCRATCH_PATH];
static iv_err err;

static int make_folder(void **state)
{
    (void)state;
    return scratch_make(&folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    scratch_remove(folder.path);
    return 0;
}

/* Numbers that look random and are the same every time. */
static uint64_t seed = 1;

static uint64_t draw(uint64_t below)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % below;
}

static void fresh(const char *name)
{
    static const char *const ends[] = { "", "-wal", "-shm", "-lock" };
    char at[SCRATCH_PATH], whole[SCRATCH_PATH + 8];

    for (size_t i = 0; i < 4; i++) {
        (void)snprintf(whole, sizeof whole, "%s%s", scratch_at(at, &folder, name), ends[i]);
        (void)unlink(whole);
    }
    assert_int_equal(make_session(path, &folder, name, (iv_session_plan){ 0 }, &err), IV_OK);
}

/* Judgment number k of all; they change an item's grade to and fro. */
static int append(iv_store *s, int number)
{
    iv_store_entry e = entry_of(number, 1 + number % 5, 1, number / 5 % 2);

    e.note = number % 7 == 0 ? "a note, so that records differ in length" : NULL;
    const int rc = iv_store_append(s, &e, 1, &err);
    return rc == IV_OK && e.stored != IV_STORED_NEW ? IV_EARG : rc;
}

/* How many of the first `acknowledged` judgments are missing; the file must be whole. */
static int64_t missing(const char *file, int64_t acknowledged)
{
    iv_store *s = NULL;
    int64_t lost = acknowledged;

    if (iv_store_open(&s, file, IV_STORE_WRITE, &err) != IV_OK)
        return acknowledged + 1;
    if (iv_store_check(s, &err) == IV_OK) /* numbers of the log have no gaps */
        lost = iv_store_seq(s) >= acknowledged ? 0 : acknowledged - iv_store_seq(s);
    else
        lost = acknowledged + 1;
    iv_store_close(s);
    return lost;
}

/* --------------------------------------------------------------- kill -9 -- */

static void child(int to, int from)
{
    iv_store *s = NULL;

    if (iv_store_open(&s, path, IV_STORE_WRITE, &err) != IV_OK)
        _exit(1);
    for (int k = from;; k++) {
        const int64_t number = k + 1;
        if (append(s, k) != IV_OK || write(to, &number, sizeof number) != sizeof number)
            _exit(1);
        if (k % 40 == 39 && iv_store_checkpoint(s, &err) != IV_OK)
            _exit(1);
    }
}

static void nothing_is_lost_by_kill_9(void **state)
{
    int64_t acknowledged = 0, stored = 0;

    (void)state;
    fresh("kill.db");
    for (int c = 0; c < cycles; c++) {
        int ends[2], status = 0;
        int64_t number;
        assert_int_equal(pipe(ends), 0);
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0)
            child(ends[1], (int)stored);
        (void)close(ends[1]);
        assert_true(read(ends[0], &number, sizeof number) == sizeof number); /* it judges */
        acknowledged = number;
        const struct timespec t = { 0, (long)(10000 * draw(3000)) };
        (void)nanosleep(&t, NULL);
        assert_int_equal(kill(pid, SIGKILL), 0);
        while (read(ends[0], &number, sizeof number) == sizeof number)
            acknowledged = number;
        (void)close(ends[0]);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        assert_true(WIFSIGNALED(status)); /* it did not stop by itself */
        assert_int_equal(missing(path, acknowledged), 0);
        iv_store *s = NULL;
        assert_int_equal(iv_store_open(&s, path, IV_STORE_READ, &err), IV_OK);
        stored = iv_store_seq(s);
        iv_store_close(s);
    }
    assert_true(acknowledged >= cycles);
}

/* ------------------------------------------------------------ power loss -- */

/* A file as a disk may have it. */
typedef struct image {
    unsigned char *bytes;
    size_t len, room;
} image;

static void image_write(image *f, int64_t at, const unsigned char *bytes, size_t len)
{
    const size_t end = (size_t)at + len;

    if (end > f->room) {
        f->bytes = realloc(f->bytes, 2 * end);
        assert_non_null(f->bytes);
        memset(f->bytes + f->room, 0, 2 * end - f->room);
        f->room = 2 * end;
    }
    memcpy(f->bytes + at, bytes, len);
    if (end > f->len)
        f->len = end;
}

static void image_apply(image *f, const disk_event *e)
{
    if (e->kind == DISK_WRITE)
        image_write(f, e->at, e->bytes, (size_t)e->len);
    if (e->kind == DISK_TRUNCATE && (size_t)e->at < f->len) {
        memset(f->bytes + e->at, 0, f->len - (size_t)e->at);
        f->len = (size_t)e->at;
    }
}

/* What was not synchronised is there, is not, or is there in sectors. */
static void image_maybe(image *f, const disk_event *e)
{
    enum { SECTOR = 512 };
    const uint64_t fate = draw(3);

    if (fate == 0)
        return;
    if (fate == 1 || e->kind != DISK_WRITE) {
        image_apply(f, e);
        return;
    }
    for (int64_t at = 0; at < e->len; at += SECTOR)
        if (draw(2) == 0)
            image_write(f, e->at + at, e->bytes + at,
                        (size_t)(e->len - at < SECTOR ? e->len - at : SECTOR));
}

/* The files when the power failed before event `end`; returns what was acknowledged. */
static int64_t build(image file[2], const image *before, size_t end)
{
    size_t synced[2] = { 0, 0 };
    int64_t acknowledged = 0;

    for (size_t i = 0; i < end; i++)
        if (the_disk.events[i].kind == DISK_SYNC)
            synced[the_disk.events[i].log] = i;
    for (int k = 0; k < 2; k++) {
        file[k].len = 0;
        memset(file[k].bytes, 0, file[k].room);
    }
    image_write(&file[0], 0, before->bytes, before->len);
    for (size_t i = 0; i < end; i++) {
        const disk_event *e = &the_disk.events[i];
        if (e->kind == DISK_ACKNOWLEDGED)
            acknowledged = e->at;
        else if (i < synced[e->log])
            image_apply(&file[e->log], e);
        else if (e->kind != DISK_SYNC)
            image_maybe(&file[e->log], e);
    }
    return acknowledged;
}

static void put_image(const char *name, const image *f)
{
    char at[SCRATCH_PATH];
    FILE *out = fopen(scratch_at(at, &folder, name), "wb");

    assert_non_null(out);
    assert_true(fwrite(f->bytes, 1, f->len, out) == f->len);
    assert_int_equal(fclose(out), 0);
}

static image read_image(const char *name)
{
    size_t len = 0;
    char *bytes = scratch_bytes(&folder, name, &len);

    return (image){ (unsigned char *)bytes, len, len };
}

/* Judges, with the disk writing it down. */
static void record(const char *mode)
{
    iv_store *s = NULL;

    disk_on();
    the_disk.recording = true;
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    if (mode != NULL)
        assert_int_equal(iv_db_exec(s->db, path, mode, &err), IV_OK);
    for (int k = 0; k < 60; k++) {
        assert_int_equal(append(s, k), IV_OK);
        disk_acknowledge(k + 1);
        if (k % 25 == 24)
            assert_int_equal(iv_store_checkpoint(s, &err), IV_OK);
    }
    the_disk.recording = false;
    iv_store_close(s);
    disk_off();
}

/* How many of the images lack something that was acknowledged. */
static int bad_images(const char *mode)
{
    image file[2] = { { NULL, 0, 0 }, { NULL, 0, 0 } };
    char at[SCRATCH_PATH], extra[SCRATCH_PATH + 8];
    int bad = 0;

    fresh("power.db");
    image before = read_image("power.db");
    record(mode);
    for (int k = 0; k < 2; k++)
        image_write(&file[k], 0, (const unsigned char *)"", 1);
    for (int i = 0; i < images; i++) {
        const size_t end = 1 + (size_t)draw(the_disk.count);
        const int64_t acknowledged = build(file, &before, end);
        put_image("image.db", &file[0]);
        put_image("image.db-wal", &file[1]);
        (void)snprintf(extra, sizeof extra, "%s-shm", scratch_at(at, &folder, "image.db"));
        (void)unlink(extra);
        bad += missing(at, acknowledged) != 0;
    }
    for (int k = 0; k < 2; k++)
        free(file[k].bytes);
    free(before.bytes);
    disk_forget();
    return bad;
}

static void nothing_is_lost_when_the_power_fails(void **state)
{
    (void)state;
    assert_int_equal(bad_images(NULL), 0);
}

static void the_test_bites_without_synchronisation(void **state)
{
    (void)state;
    const int bad = bad_images("PRAGMA synchronous = NORMAL");

    assert_true(bad > images / 10);
}

/* ------------------------------------------------------- a disk that fails -- */

/* Judges six documents while a call fails; what was acknowledged must be there. */
static void one_failure(int write, int sync, int code, bool for_good)
{
    iv_store *s = NULL;
    int64_t acknowledged = 0;

    fresh("fail.db");
    disk_on();
    const int opened = iv_store_open(&s, path, IV_STORE_WRITE, &err);
    assert_int_equal(opened, IV_OK);
    the_disk = (disk){ .fail_write = write, .fail_sync = sync, .code = code,
                       .for_good = for_good };
    for (int k = 0; k < 6; k++) {
        const int rc = append(s, (int)acknowledged);
        assert_true(rc == IV_OK || rc == IV_EIO);
        if (rc == IV_OK)
            acknowledged++;
        else /* one line about the file, not about SQL */
            assert_true(err.msg[0] != '\0' && strchr(err.msg, '\n') == NULL);
        if (rc == IV_EIO && code != SQLITE_FULL) {
            /* Whoever cannot synchronise promises nothing more. */
            assert_int_equal(append(s, (int)acknowledged), IV_EIO);
            assert_non_null(strstr(err.msg, "restart"));
            break;
        }
        if (k == 3 && iv_store_checkpoint(s, &err) != IV_OK)
            assert_true(the_disk.failed); /* it may fail too; the log has it all */
    }
    the_disk = (disk){ 0 };
    iv_store_close(s);
    disk_off();
    assert_int_equal(missing(path, acknowledged), 0);
}

static void nothing_is_lost_when_the_disk_refuses(void **state)
{
    (void)state;
    const bool all = cycles >= 1000; /* else each once, for good or not in turn */

    for (int k = 1; k <= 30; k++)
        for (int for_good = 0; for_good < 2; for_good++) {
            if (all || k % 2 == for_good)
                one_failure(k, 0, SQLITE_IOERR_WRITE, for_good == 1);
            if (all || k % 2 != for_good)
                one_failure(k, 0, SQLITE_FULL, for_good == 1);
            if (k <= 8)
                one_failure(0, k, SQLITE_IOERR_FSYNC, for_good == 1);
        }
}

static void a_full_disk_passes(void **state)
{
    iv_store *s = NULL;

    (void)state;
    fresh("full.db");
    disk_on();
    assert_int_equal(iv_store_open(&s, path, IV_STORE_WRITE, &err), IV_OK);
    assert_int_equal(append(s, 0), IV_OK);
    the_disk = (disk){ .fail_write = 1, .code = SQLITE_FULL, .for_good = true };
    assert_int_equal(append(s, 1), IV_EIO);
    assert_non_null(strstr(err.msg, "the disk is full"));
    the_disk = (disk){ 0 };
    assert_int_equal(append(s, 1), IV_OK); /* sent again */
    iv_store_close(s);
    disk_off();
    assert_int_equal(missing(path, 2), 0);
}

static void a_session_is_made_whole_or_not_at_all(void **state)
{
    (void)state;
    disk_on();
    for (int k = 1; k <= 40; k++) {
        struct stat st;
        char at[SCRATCH_PATH];
        (void)unlink(scratch_at(at, &folder, "made.db"));
        the_disk = (disk){ .fail_write = k, .code = k % 2 == 0 ? SQLITE_FULL : SQLITE_IOERR_WRITE,
                           .for_good = true };
        const int names = scratch_names(&folder);
        const int rc = make_session(at, &folder, "made.db", (iv_session_plan){ 0 }, &err);
        const bool failed = the_disk.failed;
        the_disk = (disk){ 0 };
        assert_int_equal(rc, failed ? IV_EIO : IV_OK);
        assert_int_equal(stat(at, &st), failed ? -1 : 0);
        if (failed)
            assert_int_equal(scratch_names(&folder), names);
        if (k == 2)
            assert_true(failed && strstr(err.msg, "the disk is full") != NULL);
    }
    disk_off();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_lost_by_kill_9),
        cmocka_unit_test(nothing_is_lost_when_the_power_fails),
        cmocka_unit_test(the_test_bites_without_synchronisation),
        cmocka_unit_test(nothing_is_lost_when_the_disk_refuses),
        cmocka_unit_test(a_full_disk_passes),
        cmocka_unit_test(a_session_is_made_whole_or_not_at_all),
    };

    if (argc == 3) {
        cycles = atoi(argv[1]);
        images = atoi(argv[2]);
    }
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}

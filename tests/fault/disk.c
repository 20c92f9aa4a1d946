/* SPDX-License-Identifier: Apache-2.0 */
#include "disk.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

disk the_disk;

static sqlite3_vfs *usual, own;

typedef struct file {
    sqlite3_file base;
    int log;
    bool watched; /* the database or its log */
    sqlite3_file *real;
} file;

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((file *)f)->real;
}

static void note(disk_event e, const void *bytes)
{
    if (!the_disk.recording)
        return;
    if (the_disk.count == the_disk.capacity) {
        the_disk.capacity = 2 * the_disk.capacity + 1000;
        the_disk.events = realloc(the_disk.events,
                                  the_disk.capacity * sizeof *the_disk.events);
        if (the_disk.events == NULL)
            abort();
    }
    if (bytes != NULL) {
        e.bytes = malloc((size_t)e.len);
        if (e.bytes == NULL)
            abort();
        memcpy(e.bytes, bytes, (size_t)e.len);
    }
    the_disk.events[the_disk.count++] = e;
}

void disk_acknowledge(int64_t number)
{
    note((disk_event){ DISK_ACKNOWLEDGED, 0, number, 0, NULL }, NULL);
}

void disk_forget(void)
{
    for (size_t i = 0; i < the_disk.count; i++)
        free(the_disk.events[i].bytes);
    free(the_disk.events);
    memset(&the_disk, 0, sizeof the_disk);
}

/* Is it this call's turn to fail? */
static bool fails(int *turn)
{
    if (the_disk.for_good && the_disk.failed)
        return true;
    if (*turn == 0 || --*turn > 0)
        return false;
    the_disk.failed = true;
    return true;
}

/* ------------------------------------------------------------------ files -- */

static int f_close(sqlite3_file *f)
{
    const int rc = real_of(f)->pMethods->xClose(real_of(f));

    free(((file *)f)->real);
    return rc;
}

static int f_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
    return real_of(f)->pMethods->xRead(real_of(f), to, n, at);
}

static int f_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
    if (((file *)f)->watched) {
        if (fails(&the_disk.fail_write))
            return the_disk.code;
        note((disk_event){ DISK_WRITE, ((file *)f)->log, at, n, NULL }, from);
    }
    return real_of(f)->pMethods->xWrite(real_of(f), from, n, at);
}

static int f_truncate(sqlite3_file *f, sqlite3_int64 len)
{
    if (((file *)f)->watched)
        note((disk_event){ DISK_TRUNCATE, ((file *)f)->log, len, 0, NULL }, NULL);
    return real_of(f)->pMethods->xTruncate(real_of(f), len);
}

static int f_sync(sqlite3_file *f, int flags)
{
    if (((file *)f)->watched) {
        if (fails(&the_disk.fail_sync))
            return SQLITE_IOERR_FSYNC;
        note((disk_event){ DISK_SYNC, ((file *)f)->log, 0, 0, NULL }, NULL);
        if (the_disk.recording)
            return SQLITE_OK; /* what counts is that it was asked for */
    }
    return real_of(f)->pMethods->xSync(real_of(f), flags);
}

static int f_size(sqlite3_file *f, sqlite3_int64 *n)
{
    return real_of(f)->pMethods->xFileSize(real_of(f), n);
}

static int f_lock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xLock(real_of(f), how);
}

static int f_unlock(sqlite3_file *f, int how)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), how);
}

static int f_check(sqlite3_file *f, int *out)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int f_control(sqlite3_file *f, int op, void *arg)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), op, arg);
}

static int f_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int f_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int f_map(sqlite3_file *f, int page, int size, int extend, void volatile **out)
{
    return real_of(f)->pMethods->xShmMap(real_of(f), page, size, extend, out);
}

static int f_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
    return real_of(f)->pMethods->xShmLock(real_of(f), offset, n, flags);
}

static void f_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int f_unmap(sqlite3_file *f, int remove)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

static const sqlite3_io_methods methods = {
    2, f_close, f_read, f_write, f_truncate, f_sync, f_size, f_lock, f_unlock, f_check, f_control,
    f_sector, f_device, f_map, f_shm_lock, f_barrier, f_unmap, NULL, NULL };

static int v_open(sqlite3_vfs *v, const char *name, sqlite3_file *f, int flags, int *out)
{
    file *x = (file *)f;

    (void)v;
    x->base.pMethods = NULL;
    x->log = (flags & SQLITE_OPEN_WAL) != 0;
    x->watched = (flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_DB)) != 0;
    x->real = calloc(1, (size_t)usual->szOsFile);
    if (x->real == NULL)
        return SQLITE_NOMEM;
    const int rc = usual->xOpen(usual, name, x->real, flags, out);
    if (rc == SQLITE_OK)
        x->base.pMethods = &methods;
    else
        free(x->real);
    return rc;
}

void disk_on(void)
{
    usual = sqlite3_vfs_find(NULL);
    own = *usual;
    own.zName = "disk";
    own.szOsFile = (int)sizeof(file);
    own.xOpen = v_open;
    (void)sqlite3_vfs_register(&own, 1);
}

void disk_off(void)
{
    (void)sqlite3_vfs_unregister(&own);
    (void)sqlite3_vfs_register(usual, 1);
}

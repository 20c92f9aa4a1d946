/* SPDX-License-Identifier: Apache-2.0 */
/*
 * disk -- a disk between SQLite and the files, that writes down what reaches it, or fails when
 * it is told to.
 */
#ifndef DISK_H
#define DISK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum disk_kind { DISK_WRITE, DISK_TRUNCATE, DISK_SYNC, DISK_ACKNOWLEDGED } disk_kind;

/* Something that happened to one of the two files, in its order. */
typedef struct disk_event {
    disk_kind kind;
    int log;           /* SQLite's log, else the database */
    int64_t at, len;   /* of a write; the new length of a truncation; what was acknowledged */
    unsigned char *bytes;
} disk_event;

typedef struct disk {
    bool recording;
    disk_event *events;
    size_t count, capacity;
    /* The k-th call from now on, of writes or synchronisations, fails; 0: none. */
    int fail_write, fail_sync;
    int code;          /* SQLite's: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC */
    bool for_good;     /* and every one after it */
    bool failed;       /* it has */
} disk;

extern disk the_disk;

/* Puts it before SQLite's usual one, and takes it away. */
void disk_on(void);
void disk_off(void);

/* Notes that somebody was told that so many judgments are stored. */
void disk_acknowledge(int64_t number);
void disk_forget(void);

#endif /* DISK_H */

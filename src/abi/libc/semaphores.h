// SPDX-License-Identifier: Apache-2.0
// The functions in front of the C library's of semaphores, for the table of those that are found late (late.h).
#pragma once

#include <semaphore.h>
#include <time.h>

extern "C" {
int wait_sem_wait(sem_t* semaphore);
int wait_sem_timedwait(sem_t* semaphore, const timespec* end);
int wait_sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* end);
int announce_sem_post(sem_t* semaphore);
}

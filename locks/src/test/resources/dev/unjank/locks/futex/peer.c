/*
 * A C program that takes part in the locks of dev.unjank.locks.futex, by the tables of states on the pages of those classes.
 *
 *   peer FILE MODE TIMES     FILE is mapped; where its words lie is said in SharedWords.java
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef _Atomic uint32_t word;

static long futex(word *w, int op, uint32_t value, uintptr_t timeout_or_value2, word *w2, uint32_t value3) {
  return syscall(SYS_futex, w, op, value, timeout_or_value2, w2, value3);
}

/* ---- FutexMutex: 0 free, 1 held, 2 held and waited for */

static void mutex_lock_as(word *w, uint32_t held) {
  uint32_t seen = 0;
  while (!atomic_compare_exchange_strong(w, &seen, held)) {
    if (seen == 2 || atomic_compare_exchange_strong(w, &seen, 2)) {
      futex(w, FUTEX_WAIT, 2, 0, NULL, 0);
    }
    held = 2;
    seen = 0;
  }
}

static void mutex_lock(word *w) { mutex_lock_as(w, 1); }

static void mutex_unlock(word *w) {
  if (atomic_exchange(w, 0) == 2) {
    futex(w, FUTEX_WAKE, 1, 0, NULL, 0);
  }
}

/* ---- FutexCondition: a sequence number */

static void condition_wait(word *condition, word *mutex) {
  uint32_t before = atomic_load(condition);
  mutex_unlock(mutex);
  futex(condition, FUTEX_WAIT, before, 0, NULL, 0);
  mutex_lock_as(mutex, 2);
}

static void condition_signal_all(word *condition, word *mutex) {
  uint32_t now = atomic_fetch_add(condition, 1) + 1;
  atomic_store(mutex, 2);
  futex(condition, FUTEX_CMP_REQUEUE, 0, INT_MAX, mutex, now);
}

/* ---- PiMutex: the kernel's own protocol */

static int pi_lock(word *w) {
  uint32_t seen = 0;
  if (!atomic_compare_exchange_strong(w, &seen, (uint32_t)syscall(SYS_gettid))) {
    return (int)futex(w, FUTEX_LOCK_PI, 0, 0, NULL, 0);
  }
  return 0;
}

static int pi_unlock(word *w) {
  uint32_t seen = (uint32_t)syscall(SYS_gettid);
  if (!atomic_compare_exchange_strong(w, &seen, 0)) {
    return (int)futex(w, FUTEX_UNLOCK_PI, 0, 0, NULL, 0);
  }
  return 0;
}

/* ---- FutexReadWriteLock */

#define HOLDERS 0x3fffffffu
#define READERS_WAIT 0x40000000u
#define WRITERS_WAIT 0x80000000u

static void rw_wake_next(word *w) {
  for (;;) {
    uint32_t seen = atomic_load(w);
    if ((seen & HOLDERS) != 0 || seen == 0) {
      return;
    }
    if (seen & WRITERS_WAIT) {
      if (atomic_compare_exchange_strong(w, &seen, seen & ~WRITERS_WAIT) &&
          futex(w, FUTEX_WAKE_BITSET, 1, 0, NULL, 2) > 0) {
        return;
      }
    } else if (atomic_compare_exchange_strong(w, &seen, 0)) {
      futex(w, FUTEX_WAKE_BITSET, INT_MAX, 0, NULL, 1);
      return;
    }
  }
}

static void rw_lock(word *w, int writes) {
  uint32_t wait_bit = writes ? WRITERS_WAIT : READERS_WAIT;
  int has_slept = 0;
  for (;;) {
    uint32_t seen = atomic_load(w);
    if (writes ? (seen & HOLDERS) == 0 : !(seen & WRITERS_WAIT) && (seen & HOLDERS) < HOLDERS - 1) {
      uint32_t inside = writes ? seen | HOLDERS | (has_slept ? WRITERS_WAIT : 0) : seen + 1;
      if (atomic_compare_exchange_strong(w, &seen, inside)) {
        return;
      }
    } else if ((seen & wait_bit) || atomic_compare_exchange_strong(w, &seen, seen | wait_bit)) {
      futex(w, FUTEX_WAIT_BITSET, seen | wait_bit, 0, NULL, writes ? 2 : 1);
      has_slept = 1;
    }
  }
}

static void rw_unlock(word *w, int writes) {
  uint32_t seen = writes ? atomic_fetch_and(w, ~HOLDERS) & ~HOLDERS : atomic_fetch_sub(w, 1) - 1;
  if ((seen & HOLDERS) == 0) {
    rw_wake_next(w);
  }
}

int main(int argc, char **argv) {
  if (argc != 4) {
    return 2;
  }
  int fd = open(argv[1], O_RDWR);
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (fd < 0 || memory == MAP_FAILED) {
    perror(argv[1]);
    return 2;
  }
  word *mutex = (word *)(memory + 0);
  word *pi = (word *)(memory + 64);
  word *rw = (word *)(memory + 128);
  word *condition = (word *)(memory + 192);
  volatile uint32_t *count = (uint32_t *)(memory + 256);
  volatile uint32_t *twin = (uint32_t *)(memory + 320);
  volatile uint32_t *turn = (uint32_t *)(memory + 384);
  const char *mode = argv[2];
  int times = atoi(argv[3]);
  for (int i = 0; i < times; i++) {
    if (strcmp(mode, "mutex") == 0) {
      mutex_lock(mutex);
      ++*count;
      mutex_unlock(mutex);
    } else if (strcmp(mode, "pi") == 0) {
      if (pi_lock(pi) != 0) {
        perror("lock");
        return 3;
      }
      ++*count;
      if (pi_unlock(pi) != 0) {
        perror("unlock");
        return 3;
      }
    } else if (strcmp(mode, "die") == 0) {
      return pi_lock(pi) != 0 ? 3 : 0;
    } else if (strcmp(mode, "rw") == 0) {
      int writes = i % 4 == 0;
      rw_lock(rw, writes);
      if (*count != *twin) {
        fprintf(stderr, "%u and %u\n", *count, *twin);
        return 3;
      }
      if (writes) {
        ++*count;
        ++*twin;
      }
      rw_unlock(rw, writes);
    } else if (strcmp(mode, "turns") == 0) {
      mutex_lock(mutex);
      while (*turn != 1) {
        condition_wait(condition, mutex);
      }
      ++*count;
      *turn = 0;
      condition_signal_all(condition, mutex);
      mutex_unlock(mutex);
    } else {
      return 2;
    }
  }
  return 0;
}

/*
 * LD_PRELOAD: the wall clock of the process is ahead by the milliseconds that stand in the file STEPPED_CLOCK, also when they
 * change. Replaces the functions of the vDSO, which every C library calls, and waits until a time of that clock.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t *ahead_ms;

static int64_t ahead(void) { return ahead_ms ? *ahead_ms : 0; }

static void add(struct timespec *time, int64_t ms) {
  time->tv_sec += ms / 1000;
  time->tv_nsec += ms % 1000 * 1000000;
  if (time->tv_nsec >= 1000000000) {
    time->tv_nsec -= 1000000000;
    time->tv_sec += 1;
  } else if (time->tv_nsec < 0) {
    time->tv_nsec += 1000000000;
    time->tv_sec -= 1;
  }
}

static long read_clock(clockid_t clock, struct timespec *time) {
#if defined(__x86_64__)
  long result;
  __asm__ volatile("syscall" : "=a"(result) : "a"(SYS_clock_gettime), "D"(clock), "S"(time) : "rcx", "r11", "memory");
  return result;
#else
  register long result __asm__("x0") = clock;
  register struct timespec *into __asm__("x1") = time;
  register long call __asm__("x8") = SYS_clock_gettime;
  __asm__ volatile("svc 0" : "+r"(result) : "r"(into), "r"(call) : "memory");
  return result;
#endif
}

static int stepped_gettime(clockid_t clock, struct timespec *time) {
  long result = read_clock(clock, time);
  if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI)) add(time, ahead());
  return result;
}

static int stepped_gettimeofday(struct timeval *time, struct timezone *zone) {
  struct timespec now;
  stepped_gettime(CLOCK_REALTIME, &now);
  if (time) *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  if (zone) *zone = (struct timezone){0, 0};
  return 0;
}

static time_t stepped_time(time_t *into) {
  struct timespec now;
  stepped_gettime(CLOCK_REALTIME, &now);
  if (into) *into = now.tv_sec;
  return now.tv_sec;
}

static void replace(void *code, void *with) {
  uintptr_t page = (uintptr_t)code & ~4095ul;
  if (mprotect((void *)page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC) && mprotect((void *)page, 4096, PROT_READ | PROT_WRITE | PROT_EXEC)) {
    static const char refused[] = "stepping-clock: the vDSO cannot be changed\n";
    if (write(2, refused, sizeof refused - 1)) _exit(97);
  }
#if defined(__x86_64__)
  unsigned char jump[12] = {0x48, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xe0};
  memcpy(jump + 2, &with, 8);
#else
  unsigned char jump[16] = {0x50, 0x00, 0x00, 0x58, 0x00, 0x02, 0x1f, 0xd6};
  memcpy(jump + 8, &with, 8);
#endif
  memcpy(code, jump, sizeof jump);
  __builtin___clear_cache((char *)code, (char *)code + sizeof jump);
}

__attribute__((constructor)) static void begin(void) {
  const char *path = getenv("STEPPED_CLOCK");
  int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *shared = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (shared == MAP_FAILED) return;
  ahead_ms = shared;
  void *vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
  const struct { const char *name; void *with; } functions[] = {
    {"__vdso_clock_gettime", stepped_gettime}, {"__vdso_gettimeofday", stepped_gettimeofday}, {"__vdso_time", stepped_time},
    {"__kernel_clock_gettime", stepped_gettime}, {"__kernel_gettimeofday", stepped_gettimeofday},
  };
  for (unsigned n = 0; vdso && n < sizeof functions / sizeof *functions; n++) {
    void *code = dlsym(vdso, functions[n].name);
    if (code) replace(code, functions[n].with);
  }
}

/* The kernel waits by its own clock. A wait in short pieces notices a step, as a wait of the kernel would. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
  static int (*wait)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
  if (!wait) wait = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  const int64_t of_wall_clock = 1000000000; /* Others count from the start of the machine. */
  if (!ahead_ms || until->tv_sec < of_wall_clock) return wait(condition, mutex, until);
  for (;;) {
    int64_t shift = ahead();
    struct timespec deadline = *until, piece;
    add(&deadline, -shift);
    read_clock(CLOCK_REALTIME, &piece);
    add(&piece, 100);
    if (deadline.tv_sec < piece.tv_sec || (deadline.tv_sec == piece.tv_sec && deadline.tv_nsec <= piece.tv_nsec)) piece = deadline;
    int result = wait(condition, mutex, &piece);
    if (result != ETIMEDOUT) return result;
    struct timespec now;
    stepped_gettime(CLOCK_REALTIME, &now);
    if (now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec)) return ETIMEDOUT;
  }
}

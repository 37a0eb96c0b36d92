/* ClickHouse's own server, out of the library that the npm package chdb ships: the arguments are those of clickhouse-local. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __linux__
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>
#endif

typedef struct {
  char *bytes;
  size_t length;
  void *owner;
  double seconds;
  unsigned long rows_read;
  unsigned long bytes_read;
  char *error;
} Result;

int main(int argc, char **argv) {
#ifdef __linux__
  /* A test run that is killed leaves no server behind. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() == 1) return 1;
#endif
  void *library = dlopen(getenv("LIBCHDB"), RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  Result *(*run)(int, char **) = (Result * (*)(int, char **)) dlsym(library, "query_stable_v2");
  Result *result = run(argc, argv);
  if (result && result->error) fprintf(stderr, "%s\n", result->error);
  return 1;
}

#include "deaths.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int64_t count_of(const char *variable, int64_t otherwise) {
  const char *text = getenv(variable);
  return check_scaled(text != NULL ? atoll(text) : otherwise);
}

pid_t start_as(part as) {
  pid_t process = fork();
  if (process < 0) abort();
  if (process > 0) return process;
  setenv("RAC_PART", as.name, 1);
  setenv("RAC_PART_BROKER", as.broker, 1);
  setenv("RAC_PART_FILE", as.file, 1);
  execl("/proc/self/exe", as.name, (char *)NULL);
  _exit(127);
}

bool has_part(part *out) {
  out->name = getenv("RAC_PART");
  out->broker = getenv("RAC_PART_BROKER");
  out->file = getenv("RAC_PART_FILE");
  if (out->name == NULL) return false;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return true;
}

void kill_now(pid_t process) {
  kill(process, SIGKILL);
  waitpid(process, NULL, 0);
}

int open_notes(const char *path) {
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
}

bool add_note(int notes, int64_t number) {
  return write(notes, &number, sizeof number) == sizeof number;
}

noted read_notes(const char *path, int64_t most) {
  noted result = {0};
  unsigned char *seen = calloc((size_t)most + 1, 1);
  FILE *file = fopen(path, "r");
  int64_t number;
  while (file != NULL && fread(&number, sizeof number, 1, file) == 1) {
    result.count++;
    if (number < 1 || number > most) continue;
    if (number > result.last) result.last = number;
    result.distinct += seen[number] == 0;
    seen[number] = 1;
  }
  if (file != NULL) fclose(file);
  free(seen);
  return result;
}

int64_t count_notes(const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  int64_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
  if (file >= 0) close(file);
  return size / (int64_t)sizeof(int64_t);
}

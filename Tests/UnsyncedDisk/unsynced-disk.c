// A disk that forgets: a library for LD_PRELOAD that records which writes to the files of a folder are not synced, and
// makes the picture of the folder that a power failure could leave.
//
// For each file it keeps the synced contents and the writes since. A sync makes the writes that returned before it
// began part of the synced contents. On a power failure, it writes to another folder what the disk has: the synced
// contents and some of the later writes, chosen with a seed. Then it kills the process with SIGKILL, and the campaign
// replaces the folder by the picture. The files in use stay as they are, because threads may still read and answer.
//
// Rules:
// - A sector of 512 bytes has its contents after one of the writes to it, at least the last synced one. So writes are
//   dropped, torn and reordered, but a sector never has an older write on top of a newer one.
// - The size of a file is the one after some write, at least the last synced one.
// - A file is cut as a whole: journaling file systems record its new size before they free any of its blocks. So either
//   all bytes after the new size are there, or none, and none of these bytes has a later write without the cut.
// - Files are created, removed and renamed in order, and any number of the last ones can be undone until the folder is
//   synced: journaling file systems keep this order.
// - After a sync that failed, the writes before it may be lost, also if a later sync succeeds (as in Linux). If the power
//   does not fail, the next program reads them, and the disk does not have them: the contents that it has are in the
//   folder PICTURE.disk until that program opens the file. This is for files directly in the folder.
// - SQLite's shared memory (-shm) is not recorded: SQLite makes it again. Other mapped memory and C streams are not
//   recorded either; the gateway does not use them for its data.
//
// Settings, all in the environment:
//   UNSYNCED_FOLDER   the folder, an absolute path without symbolic links
//   UNSYNCED_PICTURE  the folder to create for the picture, in a folder that exists
//   UNSYNCED_SEED     a number, for all choices
//   UNSYNCED_FAIL     when the power fails: sync:N (the N-th sync, before it takes effect), synced:N (after it, before
//                     it returns), write:N (after the N-th write), exit (when the process ends by itself)
//   UNSYNCED_DELAY    the maximum time of a sync, in microseconds
//   UNSYNCED_ERROR    CALL:N:COUNT:ERRNO: the calls N to N+COUNT-1 fail; CALL is sync or write
//   UNSYNCED_ROOM     the number of bytes that fit in the folder
// The signal SIGUSR2 is a power failure, too.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SECTOR = 512, MAXIMUM_PENDING = 1 << 12 };

// MARK: Recorded state

/// A write to a file, or a change of its size.
typedef struct {
  uint64_t number;       // Among all writes to all files.
  int64_t start, length; // The bytes that change. A truncation clears all bytes from `start`.
  int64_t sizeAfter;
  uint8_t *bytes;        // NULL for a change of the size.
  bool isSynced, isDoubtful;
} Write;

/// A file by its device and number, with its synced contents.
typedef struct File {
  struct File *next;
  dev_t device;
  ino_t inode;
  uint64_t identifier;
  uint8_t *bytes; // The synced contents.
  int64_t syncedSize, size, reserved;
  Write *writes; // The writes since, in order.
  size_t count, capacity;
} File;

/// A change of a folder: a file that was created, removed or renamed.
typedef struct {
  uint64_t number;
  char *path, *source;   // `source` is the former path of a renamed file.
  File *file, *replaced; // `replaced` is the file that was at `path` before.
  bool isRemoval;
} Change;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static File *files;
static Change *changes;
static size_t changeCount;
static uint64_t fileCount, writeCount, syncCount, syncCallCount, changeNumber;

// MARK: Settings

static char folder[PATH_MAX], picture[PATH_MAX], diskFolder[PATH_MAX];
static size_t folderLength;
static uint64_t seed;
static char failCall[16], errorCall[16];
static uint64_t failNumber, errorNumber, errorCount, maximumDelay;
static int errorCode;
static int64_t room = -1;

/// Returns a number that only the seed and the parts determine (SplitMix64).
static uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = seed + a * 0x9E3779B97F4A7C15u + b * 0xD1B54A32D192ED03u + 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// MARK: Files

static bool isInFolder(const char *path) {
  return folderLength > 0 && strncmp(path, folder, folderLength) == 0 && path[folderLength] == '/';
}

/// Whether a file is recorded: a file of the folder that is not SQLite's shared memory.
static bool isRecorded(const char *path) {
  size_t length = strlen(path);
  return isInFolder(path) && !(length > 4 && strcmp(path + length - 4, "-shm") == 0);
}

/// Makes a path absolute, relative to the folder of a descriptor; false if that fails.
static bool absolutePath(int descriptor, const char *path, char *result) {
  char base[PATH_MAX] = "";
  if (path[0] == '/') return snprintf(result, PATH_MAX, "%s", path) < PATH_MAX;
  if (descriptor == AT_FDCWD) {
    if (!getcwd(base, sizeof base)) return false;
  } else {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, base, sizeof base - 1);
    if (length <= 0) return false;
    base[length] = 0;
  }
  return (size_t)snprintf(result, PATH_MAX, "%s/%s", base, path) < PATH_MAX;
}

/// Reads a file with the system calls that nothing replaces.
static uint8_t *contents(const char *path, int64_t *size) {
  *size = 0;
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return NULL;
  struct stat status;
  uint8_t *bytes = NULL;
  if (fstat(descriptor, &status) == 0 && status.st_size > 0 && (bytes = malloc((size_t)status.st_size))) {
    while (*size < status.st_size) {
      ssize_t count = pread(descriptor, bytes + *size, (size_t)(status.st_size - *size), *size);
      if (count <= 0) break;
      *size += count;
    }
  }
  // The lock of SQLite on a file is lost with any descriptor of it, so files are read before SQLite opens them.
  syscall(SYS_close, descriptor);
  return bytes;
}

/// Writes a file with the system calls that nothing replaces.
static void writeContents(const char *path, const uint8_t *bytes, int64_t size) {
  int descriptor = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  for (int64_t at = 0; at < size;) {
    ssize_t count = syscall(SYS_pwrite64, descriptor, bytes + at, (size_t)(size - at), at);
    if (count <= 0) break;
    at += count;
  }
  syscall(SYS_close, descriptor);
}

/// Makes the path at which the next program finds the contents that the disk has of a file; false if it is too long.
static bool diskPath(const char *path, char *result) {
  return snprintf(result, PATH_MAX, "%s%s", diskFolder, path + folderLength) < PATH_MAX;
}

/// Replaces the synced contents of a file if a sync of it failed in the program before.
static void takeDiskContents(File *file, const char *path) {
  char saved[PATH_MAX];
  struct stat status;
  if (!diskPath(path, saved) || lstat(saved, &status) != 0) return;
  free(file->bytes);
  file->bytes = contents(saved, &file->syncedSize);
  syscall(SYS_unlinkat, AT_FDCWD, saved, 0);
}

static File *fileOf(const struct stat *status) {
  for (File *file = files; file; file = file->next) {
    if (file->device == status->st_dev && file->inode == status->st_ino) return file;
  }
  return NULL;
}

/// Adds a file; `isNew` if it was just created, so that none of it is synced.
static File *addFile(const char *path, const struct stat *status, bool isNew) {
  // A new file may have the number of a removed one.
  File *former = fileOf(status);
  if (former) former->inode = 0;
  File *file = calloc(1, sizeof *file);
  if (!file) abort();
  file->device = status->st_dev;
  file->inode = status->st_ino;
  file->identifier = ++fileCount;
  if (!isNew) file->bytes = contents(path, &file->syncedSize);
  file->size = file->syncedSize;
  file->reserved = file->size;
  if (!isNew) takeDiskContents(file, path);
  file->next = files;
  files = file;
  return file;
}

/// Returns the record of the file at a path, which is added if it is new to the library; NULL if there is none.
static File *fileAt(const char *path) {
  struct stat status;
  if (!isRecorded(path) || lstat(path, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  File *file = fileOf(&status);
  return file ? file : addFile(path, &status, false);
}

/// Returns the record of an open file; NULL if it is not recorded.
static File *fileOfDescriptor(int descriptor) {
  struct stat status;
  if (folderLength == 0 || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return NULL;
  return fileOf(&status);
}

/// Makes a write to contents, and returns them.
static uint8_t *apply(const Write *write, uint8_t *bytes, int64_t *size) {
  if (write->sizeAfter != *size) {
    int64_t kept = write->sizeAfter < *size ? write->sizeAfter : *size;
    bytes = realloc(bytes, (size_t)write->sizeAfter + 1);
    if (!bytes) abort();
    memset(bytes + kept, 0, (size_t)(write->sizeAfter - kept));
    *size = write->sizeAfter;
  }
  if (write->bytes) memcpy(bytes + write->start, write->bytes, (size_t)write->length);
  return bytes;
}

/// Makes the first writes part of the synced contents, as far as all of them are synced.
static void settle(File *file) {
  size_t settled = 0;
  for (; settled < file->count && file->writes[settled].isSynced; settled++) {
    file->bytes = apply(&file->writes[settled], file->bytes, &file->syncedSize);
    free(file->writes[settled].bytes);
  }
  if (settled == 0) return;
  file->count -= settled;
  memmove(file->writes, file->writes + settled, file->count * sizeof *file->writes);
}

static void powerFails(void);

/// Adds a write that has taken place, or without `parts` a change of the size.
static void addWrite(
  File *file, int64_t start, const struct iovec *parts, int64_t length, int64_t size, bool isSynced
) {
  if (file->count == file->capacity) {
    file->capacity = file->capacity ? 2 * file->capacity : 64;
    file->writes = realloc(file->writes, file->capacity * sizeof *file->writes);
    if (!file->writes) abort();
  }
  uint8_t *bytes = NULL;
  if (parts) {
    bytes = malloc((size_t)length + 1);
    if (!bytes) abort();
    for (int64_t copied = 0; copied < length; parts++) {
      int64_t count = (int64_t)parts->iov_len < length - copied ? (int64_t)parts->iov_len : length - copied;
      memcpy(bytes + copied, parts->iov_base, (size_t)count);
      copied += count;
    }
  }
  file->writes[file->count++] = (Write){++writeCount, start, length, size, bytes, isSynced, false};
  file->size = size;
  if (size > file->reserved || !parts) file->reserved = size;
  // The system writes old pages sometime.
  if (file->count > MAXIMUM_PENDING) file->writes[0].isSynced = true;
  settle(file);
  if (strcmp(failCall, "write") == 0 && writeCount >= failNumber) powerFails();
}

// MARK: The power failure

/// The way in which writes are lost, the same for all files.
typedef enum { NOTHING_KEPT, ALL_KEPT, IN_ORDER, SECTORS, PAGES, WAY_COUNT } Way;

static Way way;
static uint64_t lastKept;

/// Returns the number of writes to a file that a sector has at least.
static size_t keptWrites(const File *file, uint64_t sector) {
  uint64_t chance = mix(file->identifier, sector + 1);
  switch (way) {
  case NOTHING_KEPT: return 0;
  case ALL_KEPT: return file->count;
  case IN_ORDER: {
    size_t kept = 0;
    while (kept < file->count && file->writes[kept].number <= lastKept) kept++;
    // The write after the last one is torn.
    return kept < file->count && file->writes[kept].number == lastKept + 1 ? kept + (chance & 1) : kept;
  }
  case SECTORS: return chance % (file->count + 1);
  default: return mix(file->identifier, (sector >> 3) + 1) % (file->count + 1);
  }
}

/// Keeps each cut in all sectors after it or in none: if the size does not have it, they have no later write either.
static void keepCutsWhole(const File *file, size_t keptSizes, size_t *kept, size_t sectors) {
  for (size_t i = 0; i < file->count; i++) {
    const Write *write = &file->writes[i];
    int64_t sizeBefore = i > 0 ? file->writes[i - 1].sizeAfter : file->syncedSize;
    if (write->bytes || write->sizeAfter >= sizeBefore) continue;
    bool isKept = i < keptSizes;
    for (size_t sector = (size_t)(write->start / SECTOR); sector < sectors; sector++) {
      if (isKept && kept[sector] < i + 1) kept[sector] = i + 1;
      if (!isKept && kept[sector] > i) kept[sector] = i;
    }
  }
}

/// Writes a file to the picture.
static void draw(const File *file, const char *path) {
  int64_t limit = file->syncedSize;
  for (size_t i = 0; i < file->count; i++) {
    if (file->writes[i].sizeAfter > limit) limit = file->writes[i].sizeAfter;
  }
  size_t sectors = (size_t)(limit / SECTOR + 1);
  uint8_t *bytes = calloc(sectors, SECTOR);
  size_t *kept = calloc(sectors, sizeof *kept);
  if (!bytes || !kept) abort();
  memcpy(bytes, file->bytes ? file->bytes : (const uint8_t *)"", (size_t)file->syncedSize);
  size_t keptSizes = keptWrites(file, UINT32_MAX);
  for (size_t sector = 0; sector < sectors; sector++) kept[sector] = keptWrites(file, sector);
  for (int round = 0; round < 2; round++) {
    if (round == 1) keepCutsWhole(file, keptSizes, kept, sectors);
    for (size_t i = 0; i < file->count; i++) {
      const Write *write = &file->writes[i];
      int64_t end = write->bytes ? write->start + write->length : limit;
      if (round == 0 && write->isSynced && keptSizes < i + 1) keptSizes = i + 1;
      for (int64_t at = write->start; at < end;) {
        int64_t next = (at / SECTOR + 1) * SECTOR < end ? (at / SECTOR + 1) * SECTOR : end;
        size_t *sector = &kept[at / SECTOR];
        if (round == 0) {
          if (write->isSynced && *sector < i + 1) *sector = i + 1;
        } else if (*sector > i) {
          if (write->bytes) memcpy(bytes + at, write->bytes + (at - write->start), (size_t)(next - at));
          else memset(bytes + at, 0, (size_t)(next - at));
        }
        at = next;
      }
    }
  }
  int64_t size = keptSizes > 0 ? file->writes[keptSizes - 1].sizeAfter : file->syncedSize;
  writeContents(path, bytes, size);
  free(bytes);
  free(kept);
}

/// A name in the picture.
typedef struct {
  char path[PATH_MAX];
  File *file;
} Name;

static Name *names;
static size_t nameCount;

static void setName(const char *path, File *file) {
  size_t i = 0;
  while (i < nameCount && strcmp(names[i].path, path) != 0) i++;
  if (i == nameCount) {
    names = realloc(names, (nameCount + 1) * sizeof *names);
    if (!names) abort();
    nameCount++;
    snprintf(names[i].path, PATH_MAX, "%s", path);
  }
  names[i].file = file;
}

/// Collects the files of a folder, and makes its folders in the picture.
static void collect(const char *path, const char *target) {
  mkdir(target, 0700);
  DIR *entries = opendir(path);
  if (!entries) return;
  for (struct dirent *entry; (entry = readdir(entries));) {
    char from[PATH_MAX], to[PATH_MAX];
    struct stat status;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (snprintf(from, PATH_MAX, "%s/%s", path, entry->d_name) >= PATH_MAX) continue;
    if (snprintf(to, PATH_MAX, "%s/%s", target, entry->d_name) >= PATH_MAX) continue;
    if (lstat(from, &status) != 0) continue;
    if (S_ISDIR(status.st_mode)) collect(from, to);
    if (S_ISREG(status.st_mode) && isRecorded(from)) setName(from, fileAt(from));
  }
  closedir(entries);
}

/// Makes the picture of the folder and ends the process; the caller holds the lock, and never gets it back.
static void powerFails(void) {
  char partial[PATH_MAX];
  if (snprintf(partial, PATH_MAX, "%s.partial", picture) >= PATH_MAX) abort();
  way = (Way)(mix(1, writeCount) % WAY_COUNT);
  uint64_t pending = 0;
  for (File *file = files; file; file = file->next) pending += file->inode ? file->count : 0;
  lastKept = writeCount - mix(2, writeCount) % (pending + 1);
  collect(folder, partial);
  size_t keptChanges = way == ALL_KEPT ? changeCount : way == NOTHING_KEPT ? 0 : mix(3, writeCount) % (changeCount + 1);
  for (size_t i = changeCount; i-- > keptChanges;) {
    Change *change = &changes[i];
    setName(change->path, change->isRemoval ? change->file : change->replaced);
    if (change->source) setName(change->source, change->file);
  }
  for (size_t i = 0; i < nameCount; i++) {
    char target[2 * PATH_MAX];
    if (!names[i].file) continue;
    snprintf(target, sizeof target, "%s%s", partial, names[i].path + folderLength);
    draw(names[i].file, target);
  }
  syscall(SYS_renameat, AT_FDCWD, partial, AT_FDCWD, picture);
  syscall(SYS_kill, getpid(), SIGKILL);
  for (;;) pause();
}

static sem_t signalCame;

static void noteSignal(int signal) {
  (void)signal;
  sem_post(&signalCame);
}

static void *waitForSignal(void *nothing) {
  (void)nothing;
  while (sem_wait(&signalCame) != 0) {}
  pthread_mutex_lock(&lock);
  powerFails();
  return NULL;
}

static uint64_t number(const char *name) {
  const char *value = getenv(name);
  return value ? strtoull(value, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void) {
  const char *path = getenv("UNSYNCED_FOLDER"), *target = getenv("UNSYNCED_PICTURE"), *value;
  if (!path || !target) return;
  snprintf(folder, sizeof folder, "%s", path);
  snprintf(picture, sizeof picture, "%s", target);
  if (snprintf(diskFolder, sizeof diskFolder, "%s.disk", picture) >= PATH_MAX) abort();
  seed = number("UNSYNCED_SEED");
  maximumDelay = number("UNSYNCED_DELAY");
  if ((value = getenv("UNSYNCED_ROOM"))) room = strtoll(value, NULL, 10);
  if ((value = getenv("UNSYNCED_FAIL"))) sscanf(value, "%15[a-z]:%lu", failCall, &failNumber);
  if ((value = getenv("UNSYNCED_ERROR"))) {
    sscanf(value, "%15[a-z]:%lu:%lu:%d", errorCall, &errorNumber, &errorCount, &errorCode);
  }
  unsetenv("LD_PRELOAD");
  // A handler must not take the lock, so a thread does.
  sem_init(&signalCame, 0, 0);
  signal(SIGUSR2, noteSignal);
  pthread_t thread;
  if (pthread_create(&thread, NULL, waitForSignal, NULL) == 0) pthread_detach(thread);
  folderLength = strlen(folder);
}

__attribute__((destructor)) static void end(void) {
  if (folderLength == 0 || strcmp(failCall, "exit") != 0) return;
  pthread_mutex_lock(&lock);
  powerFails();
}

// MARK: Injected errors

/// Whether the call with a number fails as the settings say.
static bool failsBySettings(const char *call, uint64_t number) {
  return strcmp(errorCall, call) == 0 && number >= errorNumber && number - errorNumber < errorCount;
}

/// The number of bytes by which the folder is larger than its room if a file gets a size; negative if there is room.
static int64_t excess(const File *changed, int64_t reserved) {
  if (room < 0 || reserved <= changed->reserved) return -1;
  int64_t sum = reserved - changed->reserved;
  for (File *file = files; file; file = file->next) sum += file->inode ? file->reserved : 0;
  return sum - room;
}

// MARK: Writes

/// Returns the error of a write that must fail; 0 if it may take place.
static int refusal(File *file, int64_t end) {
  static uint64_t callCount;
  if (failsBySettings("write", ++callCount)) return errorCode;
  return excess(file, end > file->reserved ? end : file->reserved) > 0 ? ENOSPC : 0;
}

/// Performs a write, and records it if the file is recorded.
static ssize_t writeParts(int descriptor, const struct iovec *parts, int count, int64_t offset) {
  File *file = NULL;
  struct stat status;
  // Sockets and pipes take no lock.
  if (folderLength > 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    pthread_mutex_lock(&lock);
    file = fileOf(&status);
    if (!file) pthread_mutex_unlock(&lock);
  }
  if (!file) {
    if (offset < 0) return syscall(SYS_writev, descriptor, parts, count);
    return syscall(SYS_pwritev, descriptor, parts, count, (long)offset, 0L);
  }
  int flags = fcntl(descriptor, F_GETFL);
  int64_t start = offset >= 0 ? offset : flags & O_APPEND ? file->size : lseek(descriptor, 0, SEEK_CUR);
  int64_t length = 0;
  for (int i = 0; i < count; i++) length += (int64_t)parts[i].iov_len;
  ssize_t written = -1;
  int error = refusal(file, start + length);
  if (error == 0) {
    written = offset < 0 ? syscall(SYS_writev, descriptor, parts, count)
                         : syscall(SYS_pwritev, descriptor, parts, count, (long)offset, 0L);
    error = errno;
  }
  if (written > 0) {
    int64_t size = start + written > file->size ? start + written : file->size;
    addWrite(file, start, parts, written, size, (flags & (O_SYNC | O_DSYNC)) != 0);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t write(int descriptor, const void *bytes, size_t length) {
  struct iovec part = {(void *)bytes, length};
  return writeParts(descriptor, &part, 1, -1);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return writeParts(descriptor, parts, count, -1);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t length, off64_t offset) {
  struct iovec part = {(void *)bytes, length};
  return writeParts(descriptor, &part, 1, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t length, off_t offset) {
  return pwrite64(descriptor, bytes, length, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
  return writeParts(descriptor, parts, count, offset);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return writeParts(descriptor, parts, count, offset);
}

/// Records a new size of an open file, which the caller has locked.
static void recordSize(File *file, int64_t size) {
  addWrite(file, size < file->size ? size : file->size, NULL, 0, size, false);
}

int ftruncate64(int descriptor, off64_t size) {
  if (folderLength == 0) return (int)syscall(SYS_ftruncate, descriptor, (long)size);
  pthread_mutex_lock(&lock);
  File *file = fileOfDescriptor(descriptor);
  int result = (int)syscall(SYS_ftruncate, descriptor, (long)size), error = errno;
  if (file && result == 0) recordSize(file, size);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int ftruncate(int descriptor, off_t size) { return ftruncate64(descriptor, size); }

int fallocate64(int descriptor, int mode, off64_t offset, off64_t length) {
  if (folderLength == 0) return (int)syscall(SYS_fallocate, descriptor, mode, (long)offset, (long)length);
  pthread_mutex_lock(&lock);
  File *file = fileOfDescriptor(descriptor);
  int result = -1, error = ENOSPC;
  if (!file || excess(file, offset + length) <= 0) {
    result = (int)syscall(SYS_fallocate, descriptor, mode, (long)offset, (long)length);
    error = errno;
  }
  if (file && result == 0) {
    int64_t reserved = offset + length > file->reserved ? offset + length : file->reserved;
    if (mode == 0 && offset + length > file->size) recordSize(file, offset + length);
    file->reserved = reserved;
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int fallocate(int descriptor, int mode, off_t offset, off_t length) {
  return fallocate64(descriptor, mode, offset, length);
}

// MARK: Syncs

/// Removes the changes of a folder with numbers up to `last` from those that can be undone.
static void syncChanges(const char *path, uint64_t last) {
  size_t length = strlen(path), kept = 0;
  for (size_t i = 0; i < changeCount; i++) {
    Change *change = &changes[i];
    bool isDirectlyInside = strncmp(change->path, path, length) == 0 && change->path[length] == '/'
                            && !strchr(change->path + length + 1, '/');
    if (change->number > last || !isDirectlyInside) changes[kept++] = *change;
  }
  changeCount = kept;
}

/// Marks the writes with numbers up to `last` as synced, or as doubtful after a failure.
static void syncWrites(File *file, uint64_t last, bool isSuccess) {
  for (size_t i = 0; i < file->count && file->writes[i].number <= last; i++) {
    if (!isSuccess) file->writes[i].isDoubtful = true;
    else if (!file->writes[i].isDoubtful) file->writes[i].isSynced = true;
  }
  settle(file);
}

/// Saves the contents that the disk has of a file for the next program, if a sync of it has failed.
static void saveDiskContents(const File *file, const char *path) {
  char saved[PATH_MAX];
  size_t doubtful = 0;
  while (doubtful < file->count && !file->writes[doubtful].isDoubtful) doubtful++;
  if (doubtful == file->count || !diskPath(path, saved)) return;
  int64_t size = file->syncedSize;
  uint8_t *bytes = malloc((size_t)size + 1);
  if (!bytes) abort();
  if (file->bytes) memcpy(bytes, file->bytes, (size_t)size);
  for (size_t i = 0; i < file->count; i++) {
    if (file->writes[i].isSynced) bytes = apply(&file->writes[i], bytes, &size);
  }
  mkdir(diskFolder, 0700);
  writeContents(saved, bytes, size);
  free(bytes);
}

/// Syncs a recorded file or a folder; the contents of the real disk do not matter, so nothing is synced there.
static int sync_(int descriptor, long call) {
  struct stat status;
  char path[PATH_MAX] = "";
  if (folderLength == 0 || fstat(descriptor, &status) != 0) return (int)syscall(call, descriptor);
  pthread_mutex_lock(&lock);
  File *file = S_ISREG(status.st_mode) ? fileOf(&status) : NULL;
  bool hasPath = absolutePath(descriptor, "", path), isFolder = S_ISDIR(status.st_mode) && hasPath;
  if (hasPath) path[strlen(path) - 1] = 0;
  if (!file && !(isFolder && (isInFolder(path) || strcmp(path, folder) == 0))) {
    pthread_mutex_unlock(&lock);
    return (int)syscall(call, descriptor);
  }
  uint64_t number = ++syncCallCount, last = writeCount;
  uint64_t lastChange = changeNumber;
  if (strcmp(failCall, "sync") == 0 && number >= failNumber) powerFails();
  pthread_mutex_unlock(&lock);
  if (maximumDelay > 0) usleep((useconds_t)(mix(4, number) % maximumDelay));
  pthread_mutex_lock(&lock);
  bool isSuccess = !failsBySettings("sync", number);
  if (file) {
    syncWrites(file, last, isSuccess);
    if (hasPath && isInFolder(path)) saveDiskContents(file, path);
  } else if (isSuccess) syncChanges(path, lastChange);
  syncCount++;
  if (strcmp(failCall, "synced") == 0 && syncCount >= failNumber) powerFails();
  pthread_mutex_unlock(&lock);
  errno = isSuccess ? 0 : errorCode;
  return isSuccess ? 0 : -1;
}

int fsync(int descriptor) { return sync_(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return sync_(descriptor, SYS_fdatasync); }

// MARK: Folders

static void addChange(Change change) {
  changes = realloc(changes, (changeCount + 1) * sizeof *changes);
  if (!changes) abort();
  change.number = ++changeNumber;
  changes[changeCount++] = change;
}

/// Opens a file, and records it and its creation.
static int open_(int base, const char *name, int flags, mode_t mode) {
  char path[PATH_MAX];
  if (folderLength == 0 || !absolutePath(base, name, path) || !isRecorded(path)) {
    return (int)syscall(SYS_openat, base, name, flags, mode);
  }
  pthread_mutex_lock(&lock);
  File *former = fileAt(path);
  int descriptor = (int)syscall(SYS_openat, base, name, flags, mode), error = errno;
  struct stat status;
  if (descriptor >= 0 && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode)) {
    if (!former) addChange((Change){.path = strdup(path), .file = addFile(path, &status, true)});
    else if (flags & O_TRUNC) recordSize(former, 0);
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return descriptor;
}

static mode_t modeOf(int flags, va_list arguments) {
  return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(name) \
  int name(const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = modeOf(flags, arguments); \
    va_end(arguments); \
    return open_(AT_FDCWD, path, flags, mode); \
  }
#define OPENAT(name) \
  int name(int base, const char *path, int flags, ...) { \
    va_list arguments; \
    va_start(arguments, flags); \
    mode_t mode = modeOf(flags, arguments); \
    va_end(arguments); \
    return open_(base, path, flags, mode); \
  }

OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)

int __open_2(const char *path, int flags) { return open_(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_(AT_FDCWD, path, flags, 0); }
int creat(const char *path, mode_t mode) { return open_(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int unlinkat(int base, const char *name, int flags) {
  char path[PATH_MAX];
  if (folderLength == 0 || flags & AT_REMOVEDIR || !absolutePath(base, name, path) || !isRecorded(path)) {
    return (int)syscall(SYS_unlinkat, base, name, flags);
  }
  pthread_mutex_lock(&lock);
  File *file = fileAt(path);
  int result = (int)syscall(SYS_unlinkat, base, name, flags), error = errno;
  if (result == 0 && file) {
    file->reserved = 0;
    addChange((Change){.path = strdup(path), .file = file, .isRemoval = true});
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int renameat(int oldBase, const char *oldName, int newBase, const char *newName) {
  char old[PATH_MAX], new[PATH_MAX];
  bool isKnown = folderLength > 0 && absolutePath(oldBase, oldName, old) && absolutePath(newBase, newName, new);
  if (!isKnown || !isRecorded(new)) return (int)syscall(SYS_renameat, oldBase, oldName, newBase, newName);
  pthread_mutex_lock(&lock);
  File *file = fileAt(old), *replaced = fileAt(new);
  int result = (int)syscall(SYS_renameat, oldBase, oldName, newBase, newName), error = errno;
  if (result == 0 && replaced) replaced->reserved = 0;
  if (result == 0 && file) {
    addChange((Change){.path = strdup(new), .source = strdup(old), .file = file, .replaced = replaced});
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}

int rename(const char *old, const char *new) { return renameat(AT_FDCWD, old, AT_FDCWD, new); }

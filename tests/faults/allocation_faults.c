/* Failures of the allocations of one shared library, for tests: preloaded, Linux with glibc.
 *
 * watch(from, to) names the code whose allocations count, by its addresses in memory. arm(n) lets
 * the n-th of them fail once; failures() says whether it did. live() is the number of blocks that
 * this code has allocated and nobody has freed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);
extern void __libc_free(void*);

enum { SLOTS = 1 << 20 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uintptr_t first, last;
static long countdown, failed, blocks, seen;
static void* slots[SLOTS]; /* open addressing; a deleted slot is 1 */

void watch(uintptr_t from, uintptr_t to) { first = from, last = to; }
void arm(long n) { countdown = n, failed = 0, seen = 0; }
long failures(void) { return failed; }
long allocations(void) { return seen; }
long live(void) { return blocks; }

static size_t place_of(void* p) { return ((uintptr_t)p >> 4) * 0x9E3779B97F4A7C15ull >> 44; }

static void note(void* p) {
  if (p == NULL) return;
  pthread_mutex_lock(&lock);
  size_t k = place_of(p);
  while ((uintptr_t)slots[k] > 1) k = (k + 1) % SLOTS;
  slots[k] = p;
  ++blocks;
  pthread_mutex_unlock(&lock);
}

static void forget(void* p) {
  if (p == NULL || blocks == 0) return;
  pthread_mutex_lock(&lock);
  for (size_t k = place_of(p); slots[k] != NULL; k = (k + 1) % SLOTS)
    if (slots[k] == p) {
      slots[k] = (void*)1;
      --blocks;
      break;
    }
  pthread_mutex_unlock(&lock);
}

/* Only while this thread does not hold the interpreter's lock: solvers work without it. What is
 * left out are the small objects of the bindings, made by nanobind in functions that must not
 * throw. */
static int ours(void* caller) {
  static int (*holds_lock)(void);
  if ((uintptr_t)caller < first || (uintptr_t)caller >= last) return 0;
  if (holds_lock == NULL) holds_lock = (int (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_Check");
  return holds_lock != NULL && !holds_lock();
}

static int fails(void) {
  __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED);
  if (countdown <= 0 || __atomic_sub_fetch(&countdown, 1, __ATOMIC_RELAXED) != 0) return 0;
  failed = 1;
  errno = ENOMEM;
  return 1;
}

#define CALLER __builtin_return_address(0)

void* malloc(size_t size) {
  if (!ours(CALLER)) return __libc_malloc(size);
  if (fails()) return NULL;
  void* p = __libc_malloc(size);
  note(p);
  return p;
}

void* calloc(size_t count, size_t size) {
  if (!ours(CALLER)) return __libc_calloc(count, size);
  if (fails()) return NULL;
  void* p = __libc_calloc(count, size);
  note(p);
  return p;
}

void* realloc(void* old, size_t size) {
  if (!ours(CALLER)) {
    forget(old);
    return __libc_realloc(old, size);
  }
  if (fails()) return NULL;
  forget(old);
  void* p = __libc_realloc(old, size);
  note(p);
  return p;
}

static void* aligned(size_t alignment, size_t size, void* caller) {
  if (!ours(caller)) return __libc_memalign(alignment, size);
  if (fails()) return NULL;
  void* p = __libc_memalign(alignment, size);
  note(p);
  return p;
}

void* memalign(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
void* aligned_alloc(size_t alignment, size_t size) { return aligned(alignment, size, CALLER); }
int posix_memalign(void** out, size_t alignment, size_t size) {
  void* p = aligned(alignment, size, CALLER);
  if (p == NULL) return ENOMEM;
  *out = p;
  return 0;
}

void free(void* p) {
  forget(p);
  __libc_free(p);
}

/* operator new and new[] with and without alignment, by their names in the C++ ABI. A failure
 * throws std::bad_alloc, as the library's own would. */
extern void _ZSt17__throw_bad_allocv(void) __attribute__((noreturn, weak));

static void* made(size_t alignment, size_t size, void* caller) {
  void* p = NULL;
  if (!ours(caller) || !fails()) {
    size = size ? size : 1;
    p = alignment ? __libc_memalign(alignment, size) : __libc_malloc(size);
    if (ours(caller)) note(p);
  }
  if (p == NULL) {
    void (*throw_bad_alloc)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "_ZSt17__throw_bad_allocv");
    throw_bad_alloc();
  }
  return p;
}

void* _Znwm(size_t size) { return made(0, size, CALLER); }
void* _Znam(size_t size) { return made(0, size, CALLER); }
void* _ZnwmSt11align_val_t(size_t size, size_t alignment) { return made(alignment, size, CALLER); }
void* _ZnamSt11align_val_t(size_t size, size_t alignment) { return made(alignment, size, CALLER); }

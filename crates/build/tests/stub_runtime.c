/* Just enough of a runtime to link and run the programs of these tests. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int unpick_runtime_version = 1;
int unpick_events, unpick_guards, unpick_wrapped;

#define ACCESS(name) void __tsan_##name(void *a) { (void)a; unpick_events++; }
#define SIZES(kind) ACCESS(kind##1) ACCESS(kind##2) ACCESS(kind##4) ACCESS(kind##8) ACCESS(kind##16)
SIZES(read) SIZES(write) SIZES(unaligned_read) SIZES(unaligned_write)
SIZES(read_write) SIZES(unaligned_read_write)
ACCESS(vptr_read) ACCESS(func_entry)
void __tsan_vptr_update(void **a, void *v) { (void)a, (void)v; unpick_events++; }
void __tsan_func_exit(void) {}
void __tsan_init(void) {}
void __tsan_read_range(void *a, unsigned long n) { (void)a, (void)n; }
void __tsan_write_range(void *a, unsigned long n) { (void)a, (void)n; }
void *__tsan_memcpy(void *d, const void *s, size_t n) { return memcpy(d, s, n); }
void *__tsan_memmove(void *d, const void *s, size_t n) { return memmove(d, s, n); }
void *__tsan_memset(void *d, int c, size_t n) { return memset(d, c, n); }
#define ATOMIC(bits) \
  uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int o) { (void)o; return __atomic_load_n(a, 5); } \
  void __tsan_atomic##bits##_store(volatile uint##bits##_t *a, uint##bits##_t v, int o) { (void)o; __atomic_store_n(a, v, 5); } \
  uint##bits##_t __tsan_atomic##bits##_fetch_add(volatile uint##bits##_t *a, uint##bits##_t v, int o) { (void)o; return __atomic_fetch_add(a, v, 5); } \
  uint##bits##_t __tsan_atomic##bits##_fetch_sub(volatile uint##bits##_t *a, uint##bits##_t v, int o) { (void)o; return __atomic_fetch_sub(a, v, 5); }
ATOMIC(8) ATOMIC(16) ATOMIC(32) ATOMIC(64)

void __sanitizer_cov_trace_pc_guard(uint32_t *g) { (void)g; }
void __sanitizer_cov_trace_pc_guard_init(uint32_t *a, uint32_t *b) { unpick_guards += b - a; }

#define WRAP(result, name, params, args) \
  result __real_##name params; \
  result __wrap_##name params { unpick_wrapped++; return __real_##name args; }
WRAP(int, memcmp, (const void *a, const void *b, size_t n), (a, b, n))
WRAP(void *, memchr, (const void *a, int c, size_t n), (a, c, n))
WRAP(size_t, strlen, (const char *a), (a))
WRAP(size_t, strnlen, (const char *a, size_t n), (a, n))
WRAP(int, strcmp, (const char *a, const char *b), (a, b))
WRAP(int, strncmp, (const char *a, const char *b, size_t n), (a, b, n))
WRAP(char *, strcpy, (char *a, const char *b), (a, b))
WRAP(char *, strncpy, (char *a, const char *b, size_t n), (a, b, n))
WRAP(char *, strcat, (char *a, const char *b), (a, b))
WRAP(char *, strncat, (char *a, const char *b, size_t n), (a, b, n))
WRAP(char *, strchr, (const char *a, int c), (a, c))
WRAP(char *, strrchr, (const char *a, int c), (a, c))
WRAP(char *, strstr, (const char *a, const char *b), (a, b))
WRAP(char *, strdup, (const char *a), (a))
WRAP(int, puts, (const char *a), (a))
/* gold also wraps what libraries call. */
WRAP(size_t, fwrite, (const void *a, size_t n, size_t m, FILE *f), (a, n, m, f))
WRAP(int, fputs, (const char *a, FILE *f), (a, f))
WRAP(void, qsort, (void *a, size_t n, size_t m, int (*f)(const void *, const void *)), (a, n, m, f))

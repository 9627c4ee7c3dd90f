/* Binds the functions that glibc 2.34 moved into libc to their first versions,
 * so that a librac.so built on a new system loads on an old one as well. Put
 * before the shims by CMake; a name that is not used leaves no trace.
 *
 * SPDX-License-Identifier: MIT
 */
#if !__has_include(<gnu/libc-version.h>)
/* Another C library, which has one version of everything. */
#elif defined(__linux__) && defined(__x86_64__)
#define RAC_BIND(name, version) __asm__(".symver " name "," name "@" version)
#elif defined(__linux__) && defined(__aarch64__)
#define RAC_BIND(name, version) __asm__(".symver " name "," name "@GLIBC_2.17")
#elif defined(__linux__) && defined(__riscv) && __riscv_xlen == 64
#define RAC_BIND(name, version) __asm__(".symver " name "," name "@GLIBC_2.27")
#endif

#ifdef RAC_BIND
RAC_BIND("pthread_attr_getguardsize", "GLIBC_2.2.5");
RAC_BIND("pthread_attr_getstack", "GLIBC_2.2.5");
RAC_BIND("pthread_attr_getstacksize", "GLIBC_2.2.5");
RAC_BIND("pthread_attr_setstacksize", "GLIBC_2.2.5");
RAC_BIND("pthread_condattr_setclock", "GLIBC_2.3.3");
RAC_BIND("pthread_create", "GLIBC_2.2.5");
RAC_BIND("pthread_detach", "GLIBC_2.2.5");
RAC_BIND("pthread_getattr_np", "GLIBC_2.2.5");
RAC_BIND("pthread_getspecific", "GLIBC_2.2.5");
RAC_BIND("pthread_join", "GLIBC_2.2.5");
RAC_BIND("pthread_key_create", "GLIBC_2.2.5");
RAC_BIND("pthread_key_delete", "GLIBC_2.2.5");
RAC_BIND("pthread_kill", "GLIBC_2.2.5");
RAC_BIND("pthread_mutex_consistent", "GLIBC_2.12");
RAC_BIND("pthread_mutex_trylock", "GLIBC_2.2.5");
RAC_BIND("pthread_mutexattr_init", "GLIBC_2.2.5");
RAC_BIND("pthread_mutexattr_setrobust", "GLIBC_2.12");
RAC_BIND("pthread_once", "GLIBC_2.2.5");
RAC_BIND("pthread_setname_np", "GLIBC_2.12");
RAC_BIND("pthread_setspecific", "GLIBC_2.2.5");
RAC_BIND("pthread_sigmask", "GLIBC_2.2.5");
#undef RAC_BIND
#endif

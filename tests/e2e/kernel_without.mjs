// A kernel that lacks something, as the program under test sees it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { folder, timeFactor } from './program.mjs';

/** The numbers of the first and the last system call: the same on all architectures, and x86-64's and AArch64's. */
export const landlock = [444, 446];
export const seccomp = process.arch === 'arm64' ? [277, 277] : [317, 317];

/** An environment in which these system calls are not there; none where no C compiler is there to make it. */
export function kernelWithout(t, [first, last]) {
  // A sanitizer's runtime must be the first library loaded.
  if (timeFactor > 1) return undefined;
  const place = folder(t, { 'without.c': `
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    long syscall(long n, long a, long b, long c, long d, long e, long f) {
      if (n >= ${first} && n <= ${last}) { errno = ENOSYS; return -1; }
      long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
      return real(n, a, b, c, d, e, f);
    }` });
  const library = join(place, 'without.so');
  const made = spawnSync('cc', ['-shared', '-fPIC', '-o', library, join(place, 'without.c'), '-ldl'], { encoding: 'utf8' });
  return made.status === 0 ? { LD_PRELOAD: library } : undefined;
}

// A kernel that lacks something, as the program under test sees it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { folder, timeFactor } from './program.mjs';

/** The numbers of the first and the last system call: the same on all architectures, and x86-64's and AArch64's. */
export const landlock = [444, 446];
export const seccomp = process.arch === 'arm64' ? [277, 277] : [317, 317];

/** An environment in which these C functions are called in place of the C library's; none where no C compiler is there to make it, or a sanitizer in the way. */
export function preloaded(t, functions) {
  // A sanitizer's runtime must be the first library loaded.
  if (timeFactor > 1) return undefined;
  const place = folder(t, { 'functions.c': `#define _GNU_SOURCE\n#include <dlfcn.h>\n#include <errno.h>\n${functions}` });
  const library = join(place, 'functions.so');
  const made = spawnSync('cc', ['-shared', '-fPIC', '-o', library, join(place, 'functions.c'), '-ldl'], { encoding: 'utf8' });
  return made.status === 0 ? { LD_PRELOAD: library } : undefined;
}

export const kernelWithout = (t, [first, last]) => preloaded(t, `
  long syscall(long n, long a, long b, long c, long d, long e, long f) {
    if (n >= ${first} && n <= ${last}) { errno = ENOSYS; return -1; }
    long (*real)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
    return real(n, a, b, c, d, e, f);
  }`);

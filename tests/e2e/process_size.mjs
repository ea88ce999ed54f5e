// What a process takes: memory and descriptors, from /proc.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { timeFactor } from './program.mjs';

export const mega = 1 << 20;

/** Resident memory of a process, in bytes: now, or its highest (VmHWM). */
export function resident(pid, field = 'VmRSS') {
  return Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) * 1024;
}
export const highest = (pid) => resident(pid, 'VmHWM');

export const descriptors = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** The bytes that a process may take where it may take these. Sanitizers keep shadow memory and what was freed. */
export const allowed = (bytes) => (timeFactor > 1 ? 8 * bytes + 400 * mega : bytes);

/** The highest resident memory that a child process has had, in bytes, once it has ended: `await peakOf(child)`. */
export function peakOf(child, most) {
  let peak = 0;
  const watch = setInterval(() => {
    try {
      peak = Math.max(peak, highest(child.pid));
    } catch {}  // it has ended
    if (most !== undefined && peak > 2 * most) child.kill('SIGKILL');  // spares the machine
  }, 5);
  return child.finished.finally(() => clearInterval(watch)).then(() => peak);
}

export const sizeOf = (pid) => ({ memory: resident(pid), descriptors: descriptors(pid) });
/** The same, once its descriptors are those that stay: a call that has just ended may still have some. */
export async function settledSizeOf(pid) {
  for (let same = 0, last; same < 10; await new Promise((resolve) => setTimeout(resolve, 20))) {
    const now = descriptors(pid);
    same = now === last ? same + 1 : 0;
    last = now;
  }
  return sizeOf(pid);
}
/** Fails where a process has grown between two of its sizes by more than 10 %, or has other descriptors. */
export function assertFlat(early, late) {
  if (timeFactor === 1) assert.ok(late.memory <= early.memory * 1.1, `grown from ${early.memory} to ${late.memory} bytes`);
  assert.equal(late.descriptors, early.descriptors);
}

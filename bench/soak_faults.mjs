// What goes wrong during bench/soak: servers that are killed or stopped, and a disk that is full for a while.
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, readSync, rmSync, statSync, truncateSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const diskSize = 256;  // MiB: the caches of the daemon's servers and the logs take less than half of it
const longestLog = 8 * 2 ** 20;

export function childrenOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    return [];  // it has ended
  }
}

/** A small disk, mounted in the mount namespace that bench/soak has made. */
export class SmallDisk {
  phases = 0;
  freedAt = 0;  // when it last had room again
  isFull = false;
  #logs = [];

  constructor(path) {
    this.path = path;
    mkdirSync(path);
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskSize}m,mode=700`, 'soak', path]);
  }

  /** The path of a --log on it, which trim() keeps short. */
  log(name) {
    this.#logs.push(join(this.path, `${name}.log`));
    return this.#logs.at(-1);
  }

  /** A folder on it. */
  folder(name) {
    mkdirSync(join(this.path, name), { mode: 0o700 });
    return join(this.path, name);
  }

  /** Empties the logs that are long. */
  trim() {
    for (const log of this.#logs) if (existsSync(log) && statSync(log).blocks * 512 > longestLog) truncateSync(log);
  }

  /** No byte is left for so many milliseconds. */
  async fill(milliseconds) {
    const file = join(this.path, 'full');
    this.isFull = true;
    ++this.phases;
    try {
      for (const end = Date.now() + milliseconds; Date.now() < end; await sleep(50)) {  // what others free meanwhile is taken too
        const descriptor = openSync(file, 'a');
        try {
          for (const size of [1 << 20, 4096]) for (const block = Buffer.alloc(size); writeSync(descriptor, block) === size;);
        } catch (error) {
          if (error.code !== 'ENOSPC') throw error;
        } finally {
          closeSync(descriptor);
        }
      }
    } finally {
      rmSync(file, { force: true });
      this.freedAt = Date.now();
      this.isFull = false;
    }
  }

  /** Whether it was full at some time since. */
  wasFull(since) { return this.isFull || this.freedAt > since; }

  /** The logs that nothing has been written to since the disk had room again. */
  deadLogs() { return this.#logs.filter((log) => this.freedAt > 0 && lastTime(log) < this.freedAt); }

  unmount() { execFileSync('umount', ['-l', this.path]); }
}

/** When the last line of a log was written. */
function lastTime(log) {
  const size = Math.min(statSync(log).size, 1 << 20);
  const bytes = Buffer.alloc(size);
  const descriptor = openSync(log);
  readSync(descriptor, bytes, 0, size, statSync(log).size - size);
  closeSync(descriptor);
  const times = [...bytes.toString('latin1').matchAll(/^\d{4}-\d\d-\d\dT[\d:.]+Z/gm)];
  return times.length === 0 ? 0 : Date.parse(times.at(-1)[0]);
}

export class Faults {
  kills = new Map();  // by name of the victim
  stops = new Map();
  #next;  // the victim whose turn it is

  /** `victims`: { name, pids() } each: the servers that run now. `killEvery`: seconds. */
  constructor({ victims, disk, dice, killEvery }) {
    Object.assign(this, { victims, disk, dice, killEvery });
    this.#next = dice.below(victims.length);
    for (const { name } of victims) {
      this.kills.set(name, 0);
      this.stops.set(name, 0);
    }
  }

  /** Has things go wrong until `isOver()`, and everything run again when it resolves. */
  async run(isOver) {
    const wait = async (seconds) => {
      for (const end = Date.now() + seconds * this.dice.between(0.6, 1.4) * 1000; Date.now() < end && !isOver(); await sleep(50));
      return !isOver();
    };
    await Promise.all([this.#killAll(wait), this.#stopAll(wait), this.#fillDisk(wait), this.#trimLogs(wait)]);
  }

  async #killAll(wait) {
    while (await wait(this.killEvery * 0.95)) {
      const victim = this.victims[this.#next++ % this.victims.length];
      this.#kill(victim);
      if (this.dice.oneIn(6) && await wait(1)) this.#kill(victim);  // the one that starts in its place
    }
  }

  #kill({ name, pids }) {
    const running = pids();
    if (running.length > 0 && sendSignal(this.dice.pick(running), 'SIGKILL')) this.kills.set(name, this.kills.get(name) + 1);
  }

  async #stopAll(wait) {
    while (await wait(this.killEvery * 1.7)) {
      const { name, pids } = this.dice.pick(this.victims);
      const [pid] = pids();
      if (pid === undefined || !sendSignal(pid, 'SIGSTOP')) continue;
      this.stops.set(name, this.stops.get(name) + 1);
      await sleep(this.dice.between(1500, 5000));
      sendSignal(pid, 'SIGCONT');
    }
  }

  async #fillDisk(wait) {
    for (let first = true; await wait(this.killEvery * (first ? 0.6 : 2.5)); first = false) await this.disk.fill(this.dice.between(3000, 9000));
  }

  async #trimLogs(wait) {
    do this.disk.trim(); while (await wait(5));
  }
}

/** Sends a signal by its name; whether there was such a process. */
export function sendSignal(pid, name) {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}

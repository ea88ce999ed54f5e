// `symbols --warm` for bench/soak: projects that change at random; each answer is what a call without the daemon gives, byte for byte.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run, wordsOf } from '../tests/e2e/program.mjs';

class Over extends Error {}
const queries = ['f1', 'K', 'g2', 'F3'];

export class WarmCalls {
  compared = 0;
  indexed = 0;
  troubled = 0;  // calls that were made again, for the disk was full or a server was killed
  #projects = new Map();
  #editing = [];
  #turn = Promise.resolve();
  #gate = Promise.resolve();
  #openGate = () => {};
  #isOver = false;

  /** `work`: a folder that is removed at the end, as is the system's temporary folder; `env`: marks what is started; `killed()`: how many of the daemon's servers have been killed or stopped; `servers`: keys of warm_project.mjs's kinds. */
  constructor({ work, env, disk, dice, seed, fail, killed, servers }) {
    Object.assign(this, { disk, dice, seed, fail, killed, servers });
    const runtime = join(work, 'run');
    mkdirSync(runtime, { mode: 0o700 });
    this.env = { ...env, XDG_RUNTIME_DIR: runtime, SYMBOLS_WARM: '', XDG_CACHE_HOME: disk.folder('cache'), TMPDIR: disk.folder('temporary') };
  }

  async start() {
    process.env.SYMBOLS_WARM_SEED = String(this.seed);  // which warm_project.mjs reads when it is loaded
    const { editAtRandom } = await import('../tests/e2e/warm_project.mjs');
    this.pause();
    this.#editing = this.servers.map((server) =>
      editAtRandom({ after() {} }, server, Infinity, (project, name) => this.#ask(server, project, name)).catch((error) => {
        if (!(error instanceof Over)) this.fail('a project cannot be edited', `${server}: ${error.stack}`);
      }));
  }

  pause() { this.#gate = new Promise((resolve) => (this.#openGate = resolve)); }
  resume() { this.#openGate(); }

  /** Waits for the call that is being made, then asks about each project once: the same state each time. */
  async settle() {
    await this.#alone(async () => {
      for (const project of this.#projects.values()) await this.#same(project, ['.']);
    });
  }

  async finish() {
    this.#isOver = true;
    this.resume();
    await Promise.all(this.#editing);
    const { stdout, stderr } = await run(['warm', '--stop'], { env: this.env });
    if (stdout !== 'stopped\n') this.fail('the daemon cannot be stopped', stdout + stderr);
  }

  async #ask(server, project, name) {
    Object.assign(project.env, this.env);  // so that all have one daemon
    this.#projects.set(server, project);
    await this.#gate;
    if (this.#isOver) throw new Over();
    await this.#alone(async () => {
      await this.#same(project, this.dice.pick([[name], ['--format', 'tree', name], ['--format', 'json', '.'], ['--children', 'no', '.']]));
      if (this.dice.oneIn(6)) await this.#sameIndex(project);
    });
    await sleep(this.dice.between(300, 1500));
    // The next edit follows at once, so not while settle() compares what must not change.
    await this.#gate;
  }

  /** One call after the other, so that the machine has something left for the clients. */
  #alone(work) {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  async #same(project, args) {
    ++this.compared;
    await this.#untilUntroubled(`symbols --warm ${args.join(' ')}`, async () => {
      const answers = [await project.call(['--warm', ...args]), await project.call(args)];
      return { answers, difference: differenceOf(...answers) };
    });
  }

  /** The index that is kept has what one has that is made now. */
  async #sameIndex(project) {
    ++this.indexed;
    const fresh = join(project.runtime, 'fresh-cache');
    await this.#untilUntroubled('symbols index', async () => {
      const answers = [];
      for (const options of [{}, { env: { ...project.env, XDG_CACHE_HOME: fresh } }]) {
        answers.push(await project.call(['index'], options));
        answers.push(await project.call(['find', queries[this.indexed % queries.length]], options));
      }
      rmSync(fresh, { recursive: true, force: true });
      return { answers, difference: differenceOf(answers[1], answers[3]) };
    });
  }

  /**
   * Until answers are the same. Others are allowed while the disk is full, for servers may leave out what they could not write, and
   * where a server was killed, which the answer says.
   */
  async #untilUntroubled(what, compare) {
    for (let times = 0; times < 30; ++times) {
      const [since, kills] = [Date.now(), this.killed()];
      const { answers, difference } = await compare();
      for (const { status, signal, stderr } of answers) {
        if (signal !== null || ![0, 1].includes(status)) this.fail('a call ends badly', `${what}: ${signal ?? `status ${status}`}: ${stderr}`);
      }
      if (difference === undefined) return;
      const isSaid = answers.some(({ status, stderr }) => status === 1 && stderr !== '');
      if (!this.disk.wasFull(since) && !(this.killed() > kills && isSaid)) {
        const { freedAt } = this.disk;
        this.fail(what === 'symbols index' ? 'an index is not that of a new one' : 'a warm answer is not the cold one',
          `${what}: ${difference}; the disk had room ${freedAt ? `for ${since - freedAt} ms` : 'all the time'}, ${this.killed() - kills} servers killed meanwhile`);
        return;
      }
      ++this.troubled;
      await sleep(500);
    }
    this.fail('no answer although the disk has room again', what);
  }

  /** The daemon's process, or undefined. */
  daemon(pids) {
    return pids.find((pid) => wordsOf(pid).includes('--serve'));
  }
}

/** Where two answers of the command differ, in a line; undefined if they do not. */
function differenceOf(answer, expected) {
  const lines = [answer, expected].map(({ status, stdout, stderr }) => [`status ${status}`, ...stderr.split('\n'), ...stdout.split('\n')]);
  const at = lines[0].findIndex((line, i) => line !== lines[1][i]);
  if (at < 0 && lines[0].length === lines[1].length) return undefined;
  return lines.map((all) => `'${all[at < 0 ? Math.min(lines[0].length, lines[1].length) : at] ?? ''}'`).join(' instead of ');
}

// A project for the tests of `symbols index`, and what its last line says.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownEnvironment } from './language_servers.mjs';
import { folder, run, start } from './program.mjs';

/** A project with a cache of its own: `index` and `find` run in it, `counts` gives index's last line as an object. */
export function indexedProject(t, files, { server = [] } = {}) {
  const cwd = folder(t, files);
  const env = ownEnvironment(t);
  const options = { cwd, env };
  const write = (name, text) => writeFileSync(join(cwd, name), text);
  return {
    cwd, write, options, server,
    indexes: join(env.XDG_CACHE_HOME, 'symbols', 'index'),
    database() { return join(this.indexes, readdirSync(this.indexes).find((name) => name.endsWith('.db'))); },
    startIndex: (args = [], more = {}) => start(['index', ...server, ...args], { ...options, ...more }),
    async index(args = [], status = 0) {
      const done = await run(['index', ...server, ...args], options);
      assert.equal(done.status, status, done.stderr);
      return { ...counts(done.stdout), stderr: done.stderr };
    },
    /** The rows as arrays of cells, without the header. */
    async find(args) {
      const { status, stdout, stderr } = await run(['find', ...args], options);
      assert.equal(status, stdout === '' && stderr.startsWith('symbols: nothing is called like') ? 1 : 0, stderr);
      if (status === 1) return Object.assign([], { stderr });
      const [header, ...rows] = stdout.trimEnd().split('\n');
      assert.equal(header, 'PLACE | KIND | CONTAINER | NAME');
      return Object.assign(rows.map((row) => row.split(' | ')), { stderr });
    },
    async names(args) { return (await this.find(args)).map((row) => row[3]); },
    /** What the index has, for which no server is asked. */
    async dump() {
      const log = join(folder(t), 'log');
      const { status, stdout, stderr } = await run(['--from-index', '--no-hover', '--log', log, ...server, '.'], options);
      assert.deepEqual([status, readFileSync(log, 'utf8')], [0, ''], stderr);
      return stdout;
    },
  };
}

export function counts(line) {
  const found = line.match(/^(?<files>\d+) files, (?<rows>\d+) rows: (?<asked>\d+) asked, (?<kept>\d+) kept, (?<failed>\d+) failed, (?<removed>\d+) removed, [\d.]+ s\n$/);
  assert.ok(found, line);
  return Object.fromEntries(Object.entries(found.groups).map(([name, number]) => [name, Number(number)]));
}

export function counted(actual, expected) {
  assert.deepEqual(Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key]])), expected);
}

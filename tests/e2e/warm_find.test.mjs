// symbols find where there is no index: the servers that are kept are asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, fakeServer, isRunning } from './program.mjs';
import { warmProject } from './warm_project.mjs';

const note = (servers) => `symbols: note: there is no index, so these names are from ${servers}, which knows only the files that it has loaded; for the whole project, run symbols index\n`;
const header = 'PLACE | KIND | CONTAINER | NAME\n';

/** Its cache is its own: no index of before is found. */
function project(t, files) {
  const made = warmProject(t, files);
  made.env.XDG_CACHE_HOME = made.runtime;
  made.find = (...args) => made.call(['find', ...args]);
  return made;
}

test('TypeScript: names of files that nobody asked about, as they are now; an index comes first', async (t) => {
  const here = project(t, { 'tsconfig.json': '{}', 'src/a.ts': 'export class Cache { get() {} }\n', 'src/b.ts': 'export interface Cached {}\nexport const cache = 1;\n' });
  const none = await here.find('cache');
  assert.deepEqual([none.status, none.stdout], [1, '']);
  assert.match(none.stderr, /^symbols: there is no index of .*; make one with: symbols index\n$/);

  await here.warm('src/a.ts');
  const [server] = here.servers();
  const found = await here.find('cache');
  assert.deepEqual([found.status, found.stderr], [0, note('typescript')]);
  assert.equal(found.stdout, `${header}src/b.ts:2 | Variable |  | cache\nsrc/a.ts:1 | Class |  | Cache\nsrc/b.ts:1 | Interface |  | Cached\n`);
  assert.equal((await here.find('Cache.get')).stdout, `${header}src/a.ts:1 | Method | Cache | get\n`);
  assert.equal((await here.find('cache', '--kind', 'Interface')).stdout, `${header}src/b.ts:1 | Interface |  | Cached\n`);
  const one = await here.find('cache', '--limit', '1');
  assert.equal(one.stdout, `${header}src/b.ts:2 | Variable |  | cache\n`);
  assert.match(one.stderr, /only the first 1 are shown/);

  here.write('src/b.ts', '\n\nexport function cacheAll() {}\n');
  here.write('src/c.ts', 'export class CacheOfC {}\n');
  const inFolder = await here.call(['find', 'cache'], { cwd: `${here.cwd}/src` });
  assert.equal(inFolder.stdout, `${header}a.ts:1 | Class |  | Cache\nb.ts:3 | Function |  | cacheAll\nc.ts:1 | Class |  | CacheOfC\n`);
  assert.ok(isRunning(server), 'it stays');
  const nothing = await here.find('nothing_like_it');
  assert.deepEqual([nothing.status, nothing.stdout], [1, '']);
  assert.match(nothing.stderr, /^symbols: nothing is called like "nothing_like_it"\n/);

  assert.equal((await here.call(['index'])).status, 0);
  assert.equal((await here.find('Cache.get')).stderr, '');
});

test('clangd: what it has loaded; another project is not asked', async (t) => {
  const here = project(t, { 'compile_flags.txt': '-std=c++20\n', 'h.h': '#pragma once\n#include <string>\nstruct Table { int string_of(); };\n', 'c.cpp': '#include "h.h"\nint Table::string_of() { return 1; }\n' });
  await here.warm('c.cpp');
  const { stdout, stderr, status } = await here.find('Table::string_of');
  assert.deepEqual([status, stderr], [0, note('clangd')]);
  assert.match(stdout, /^h\.h:3 \| Method \| Table \| string_of$|^c\.cpp:2 \| Method \| Table \| string_of$/m);
  assert.doesNotMatch((await here.find('string')).stdout, /usr\/include/, 'no libraries');
  assert.equal((await here.find('Table', '--root', here.runtime)).status, 1);
});

test('a server that dies, that has no such request or that is silent: told, and the next call starts anew', async (t) => {
  for (const [scenario, says] of [
    ['exit-on-workspace-symbols', /^symbols: note: node: .* exited with status 6\n/], ['plain', /^symbols: note: .* does not answer workspace\/symbol\n/],
    ['silent-on-workspace-symbols', /^symbols: note: .*: has not answered and is stopped\n/],
  ]) {
    const here = project(t, { 'a.x': 'alpha\n', 'tsconfig.json': '{}' });
    const args = ['--server', fakeServer(scenario), '--language', 'x', '--root', '.', 'a.x'];
    const { stdout } = await here.warm(...args);
    assert.match(stdout, /alpha/);
    const found = await here.find('alpha');
    assert.deepEqual([found.status, found.stdout], [1, ''], scenario);
    assert.match(found.stderr, says, scenario);
    assert.ok(found.stderr.endsWith('\nsymbols: there is no index, and no running server has answered; make an index with: symbols index\n'), found.stderr);
    assert.equal(found.stderr.trimEnd().split('\n').length, 2);
    if (scenario !== 'plain') await eventually(() => here.servers().length === 0);
    assert.equal((await here.warm(...args)).stdout, stdout, scenario);
  }
});

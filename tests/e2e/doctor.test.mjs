// symbols doctor: set-ups that are broken for the purpose, each found and named, with what to do.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fixture, folder, project, run, symbolsPath, writeProgram } from './program.mjs';

const fakeServer = join(project, 'tests/e2e/fake_server.mjs');

/** A home, and a project of one TypeScript file with nothing wrong. `write` adds files, below the home or below `p/`. */
function machine(t, files = {}) {
  const home = realpathSync(folder(t, { 'p/.git/HEAD': '', 'p/a.ts': readFileSync(fixture('geometry.ts'), 'utf8') }));
  const write = (more) => {
    for (const [path, text] of Object.entries(more)) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), typeof text === 'string' ? text : JSON.stringify(text));
    }
  };
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'run'), { mode: 0o700 });
  symlinkSync(realpathSync(symbolsPath), join(home, 'bin/symbols'));
  write(files);
  const env = {
    HOME: home, XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local/share'), XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: join(home, 'run'), PATH: `${join(home, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`,
  };
  return { home, write, symbols: (args, more = {}) => run(args, { cwd: join(home, 'p'), env: { ...env, ...more } }) };
}

/** The lines of a condition, each with what to do. */
const found = (stdout, condition) =>
  [...stdout.matchAll(new RegExp(`^${condition} +(\\S+) +(.*)(?:\\n +-> (.*))?$`, 'gm'))].map(([, subject, text, mend]) => ({ subject, text, mend }));

test('nothing is broken: status 0, each language answered, what is not there is a note', async (t) => {
  const { write, symbols } = machine(t, { 'p/package.json': '{}', '.config/crush/crush.json': '{}' });
  const { status, stdout, stderr } = await symbols(['doctor']);
  assert.deepEqual([status, stderr], [0, ''], stdout);
  assert.match(stdout, /\n0 broken, 0 slow, \d+ to note\n$/);
  assert.match(stdout, /^ok +program +symbols \d+\.\d+\.\d+, .*\/bin\/symbols$/m);
  assert.match(stdout, /^ok +settings +none$/m);
  assert.match(stdout, /^ok +typescript +1 file; typescript \(.*\) answered a\.ts in \d+\.\d s: 25 symbols$/m);
  assert.match(stdout, /^note +index .*\n +-> symbols index$/m);
  assert.match(stdout, /^note +crush +.*crush\.json starts nothing by symbols\n +-> symbols setup crush shows how$/m);
  assert.match(stdout, /^ok +servers +\d+ of \d+ known servers are installed; symbols servers lists them$/m);
  assert.match(stdout, /^ok +warm +nothing is kept$/m);
  // What setup writes is found to work; an index is counted.
  assert.equal((await symbols(['setup', 'opencode', '--write'])).status, 0);
  assert.equal((await symbols(['index'])).status, 0);
  write({ 'p/b.ts': 'export const b = 1;\n', 'p/a.ts': 'export const a = 1;\n' });
  const again = await symbols(['doctor']);
  assert.equal(again.status, 0, again.stdout);
  assert.match(again.stdout, /^ok +opencode +.*opencode\.json starts symbols$/m);
  assert.match(again.stdout, /^note +index +1 files of .*\/p; 1 of them have changed or are gone$/m);
  const { findings } = JSON.parse((await symbols(['doctor', '-f', 'json'])).stdout);
  assert.deepEqual(findings.filter(({ subject }) => subject === 'opencode').map(({ condition, mend }) => [condition, mend]), [['ok', null]]);
});

test('slow: what the server was doing is told; one that goes on for ever is not waited for', async (t) => {
  const odd = (scenario) => ({ '.config/symbols/servers.json': server([process.execPath, fakeServer, scenario]) });
  const { write, symbols } = machine(t, { ...odd('busy-until'), 'p/a.odd': 'alpha\n' });
  const { status, stdout } = await symbols(['doctor', '-t', '60s']);
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^slow +odd +1 file; odd-server .* answered a\.odd in \d+\.\d s: 1 symbols; it was indexing: \d+ of 10\n +-> --warm /m);
  write(odd('busy-for-ever'));
  const impatient = await symbols(['doctor', '-t', '5s']);
  assert.equal(impatient.status, 1, impatient.stdout);
  assert.match(impatient.stdout, /^broken +odd +1 file; odd-server .* has not answered a\.odd within 15\.0 s\n +-> symbols --log traffic\.log a\.odd/m);
});

const server = (command) => ({ servers: [{ name: 'odd-server', command, languages: [{ id: 'odd', extensions: ['.odd'] }] }] });
const broken = [
  { name: 'config.json is no JSON', files: { '.config/symbols/config.json': '{\n "format" "tree"}' },
    subject: 'settings', text: /config\.json:2:11: not JSON/, mend: /correct it there/ },
  { name: 'servers.json', files: { '.config/symbols/servers.json': '{"servers": [\n{"name": 5}]}' },
    subject: 'servers', text: /servers\.json/, mend: /./ },
  { name: 'no server for a language', files: { 'p/a.kt': 'fun main() {}\n' },
    subject: 'kotlin', text: /^1 file; no server for them: /, mend: /install/ },
  { name: 'a server that ends at once', files: { '.config/symbols/servers.json': server(['false']), 'p/a.odd': 'alpha\n' },
    subject: 'odd', text: /odd-server \(.*\/false\) did not answer a\.odd: /, mend: /./ },
  { name: 'a server that never answers', args: ['-t', '1s'],
    files: { '.config/symbols/servers.json': server([process.execPath, fakeServer, 'silent-on-symbols']), 'p/a.odd': 'alpha\n' },
    // Nor does another server within a second, under load.
    prepare: ({ home }) => rmSync(join(home, 'p/a.ts')),
    subject: 'odd', text: /odd-server .*\(.*\) did not answer a\.odd: .* has not answered for 1 s/, mend: /./ },
  { name: 'a configuration names a symbols that is gone', files: { '.config/opencode/opencode.json': { lsp: { cpp: { command: ['/gone/symbols', 'proxy', '--', 'clangd'] } } } },
    subject: 'opencode', text: /opencode\.json starts \/gone\/symbols, which is not a program/, mend: /symbols setup opencode --write/ },
  { name: 'a damaged index', async prepare({ home, symbols }) {
      assert.equal((await symbols(['index'])).status, 0);
      const [file] = readdirSync(join(home, '.cache/symbols/index')).filter((name) => name.endsWith('.db'));
      truncateSync(join(home, '.cache/symbols/index', file), 100);
    }, subject: 'index', text: /./, mend: /symbols index/ },
  { name: 'a keeper of servers that does not answer', async prepare({ home }, t) {
      mkdirSync(join(home, 'run/symbols'), { mode: 0o700 });
      const deaf = createServer(() => {});
      await new Promise((resolve) => deaf.listen(join(home, 'run/symbols/deaf.socket'), resolve));
      t.after(() => deaf.close());
      deaf.on('connection', (socket) => t.after(() => socket.destroy()));
    }, subject: 'warm', text: /deaf\.socket does not answer/, mend: /fuser -k .*deaf\.socket/ },
];
for (const { name, files = {}, args = [], prepare, subject, text, mend } of broken) {
  test(`broken: ${name}`, async (t) => {
    const place = machine(t);
    place.write(files);
    await prepare?.(place, t);
    const { status, stdout, stderr } = await place.symbols(['doctor', ...args]);
    assert.deepEqual([status, stderr], [1, ''], stdout);
    const all = found(stdout, 'broken');
    assert.equal(all.length, 1, stdout);
    assert.equal(all[0].subject, subject);
    assert.match(all[0].text, text);
    assert.match(all[0].mend, mend);
    assert.match(stdout, /\n1 broken, /);
  });
}

test('a configuration in the project cannot have a program of the project run', async (t) => {
  const place = machine(t);
  const evil = join(place.home, 'p/symbols');
  writeProgram(evil, `#!/bin/sh\ntouch ${place.home}/ran\necho symbols 0.0.1\n`);
  place.write({ 'p/.mcp.json': { mcpServers: { clangd: { command: evil, args: ['proxy', '--', join(place.home, 'p/clangd')] } } } });
  writeProgram(join(place.home, 'p/clangd'), `#!/bin/sh\ntouch ${place.home}/ran\n`);
  const { stdout } = await place.symbols(['doctor']);
  assert.match(stdout, /mcp-language-server/);
  assert.ok(!readdirSync(place.home).includes('ran'), stdout);
});

test('notes: another symbols first on the PATH, configurations that setup would write otherwise or cannot write', async (t) => {
  const place = machine(t);
  writeProgram(join(place.home, 'old/symbols'), '#!/bin/sh\necho symbols 0.0.1\n');
  place.write({
    '.config/crush/crush.json': { lsp: { cpp: { command: join(place.home, 'old/symbols'), args: ['proxy', '--', 'clangd'] } } },
    '.config/cli-lsp-client/settings.json': '{"servers": [}',
    '.emacs.d/init.el': '(prettify-symbols-mode)\n',
  });
  const { status, stdout } = await place.symbols(['doctor'], { PATH: `${place.home}/old:${place.home}/bin:${dirname(process.execPath)}:/usr/bin:/bin` });
  assert.equal(status, 0, stdout);
  assert.match(stdout, /^note +program +.*; another one comes first on the PATH: .*\/old\/symbols$/m);
  assert.match(stdout, /^note +crush +.*crush\.json is not as setup would write it now\n +-> symbols setup crush shows how$/m);
  assert.match(stdout, /^note +emacs +.*init\.el starts nothing by symbols$/m);
  assert.match(stdout, /^note +cli-lsp-client +cannot add to .*settings\.json: 1:14: /m);
  const wrong = await place.symbols(['doctor', 'nowhere']);
  assert.deepEqual([wrong.status, wrong.stdout], [2, '']);
});

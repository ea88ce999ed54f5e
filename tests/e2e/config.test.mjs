// Settings of the environment, of a project and of the user: which counts, where a wrong one is, what they leave out.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fixture, folder, run } from './program.mjs';

const source = readFileSync(fixture('geometry.ts'), 'utf8');
/** A repository and a home with these settings. */
function set(t, { project, user, files = {} }) {
  const place = folder(t, { 'p/.git/HEAD': '', 'p/src/a.ts': source, ...files });
  const write = (path, settings) => writeFileSync(path, typeof settings === 'string' ? settings : JSON.stringify(settings));
  mkdirSync(join(place, 'config/symbols'), { recursive: true });
  if (project !== undefined) write(join(place, 'p/.symbols.json'), project);
  if (user !== undefined) write(join(place, 'config/symbols/config.json'), user);
  const env = { XDG_CONFIG_HOME: join(place, 'config'), XDG_CACHE_HOME: join(place, 'cache') };
  return { place, cwd: join(place, 'p'), env, symbols: (args, more = {}, cwd = join(place, 'p')) => run(args, { cwd, env: { ...env, ...more } }) };
}
const given = async ({ symbols }, env, args = []) =>
  Object.fromEntries(JSON.parse((await symbols(['config', ...args, '-f', 'json'], env)).stdout).settings
    .filter(({ from }) => from !== null).map(({ name, value, from }) => [name, [value, from]]));

test('the command line over the environment over the project over the user', async (t) => {
  const user = { format: 'toon', verbosity: 'full', color: 'never', max_tokens: 5000 };
  const project = { format: 'tree', verbosity: 'minimal' };
  const all = set(t, { user, project });
  const first = async (args, env) => (await all.symbols([...args, 'src/a.ts'], env)).stdout.split('\n')[0];
  assert.equal(await first([]), 'i4 Named');
  assert.equal(await first([], { SYMBOLS_FORMAT: 'tsv' }), 'name\tkind\trange');
  assert.equal(await first(['-f', 'table', '--verbosity', 'standard'], { SYMBOLS_FORMAT: 'tsv' }), 'NAME | KIND | RANGE | SELECTION | PARENT');
  assert.match(await first([], { SYMBOLS_PROJECT_SETTINGS: 'false' }), /^symbols\[/);
  // A budget is no reason to refuse a format that has no place for one; one that was asked for is.
  assert.match(await first(['-f', 'json']), /^\[\{"name"/);
  assert.equal((await all.symbols(['-f', 'json', '-n', '9', 'src/a.ts'])).status, 2);
  const file = join(all.cwd, '.symbols.json');
  assert.deepEqual(await given(all, { SYMBOLS_FORMAT: 'tsv', SYMBOLS_WARM: '' }), {
    format: ['tsv', '$SYMBOLS_FORMAT'], verbosity: ['minimal', `${file}:1:18`],
    color: ['never', `${all.place}/config/symbols/config.json:1:37`], max_tokens: [5000, `${all.place}/config/symbols/config.json:1:53`],
  });
  const { status, stdout } = await all.symbols(['config']);
  assert.equal(status, 0);
  assert.match(stdout, /^SETTING +VALUE +FROM\nformat +"tree" +.*\.symbols\.json:1:2\ncolor +"never" [^]*\nverbosity +"minimal" /);
  assert.match(stdout, /\nwarm +false +\(default\)\n/);
  assert.ok(stdout.includes(`project's file: ${file}\n`));
});

test("max_tokens is a budget of context and map too, and an option's wins", async (t) => {
  const all = set(t, { project: { max_tokens: 250 }, files: Object.fromEntries([...Array(30).keys()].map((i) => [`p/src/b${i}.ts`, source])) });
  assert.equal((await all.symbols(['index'])).status, 0);
  for (const args of [['context', 'src/a.ts', 'Rectangle'], ['map']]) {
    assert.match((await all.symbols(args)).stdout, /# truncated: /, args[0]);
    assert.doesNotMatch((await all.symbols([...args, '-n', '90000'])).stdout, /# truncated/, args[0]);
  }
});

test('ignore: folders, index, find and map, not a file that is named; a pattern of the user from the root of the repository', async (t) => {
  const files = { 'p/vendor/v.ts': source, 'p/src/x.min.ts': source, 'p/src/vendor/w.ts': source, 'p/gen/g.ts': source };
  const all = set(t, { project: { ignore: ['/vendor/', '*.min.ts'] }, user: { ignore: ['/gen'] }, files });
  const headings = async (args, cwd) => [...(await all.symbols(['-H', '-k', 'Class', ...args], {}, cwd)).stdout.matchAll(/^==> (.*) <==$/gm)].map(([, path]) => path);
  assert.deepEqual(await headings(['.']), ['./src/a.ts', './src/vendor/w.ts']);
  assert.deepEqual(await headings(['.'], join(all.cwd, 'src')), ['./a.ts', './vendor/w.ts']);
  assert.deepEqual(await headings(['vendor', 'src/x.min.ts']), ['vendor/v.ts', 'src/x.min.ts']);
  assert.deepEqual((await all.symbols(['-H', '.'], { SYMBOLS_IGNORE: 'src/vendor,a.ts' })).status, 1);
  const index = await all.symbols(['index']);
  assert.match(index.stdout, /^2 files, /, index.stderr);
  const found = async () => [...(await all.symbols(['find', 'Rectangle'])).stdout.matchAll(/^(\S+):\d+ \|/gm)].map(([, path]) => path).sort();
  assert.deepEqual(await found(), ['src/a.ts', 'src/vendor/w.ts']);
  // What an index has already is left out at once.
  writeFileSync(join(all.cwd, '.symbols.json'), '{"ignore": ["w.ts"]}');
  assert.deepEqual(await found(), ['src/a.ts']);
  const map = (await all.symbols(['map'])).stdout;
  assert.ok(map.includes('a.ts:') && !map.includes('w.ts:'), map);
  assert.match((await all.symbols(['index'])).stdout, /^3 files, \d+ rows: 2 asked, 1 kept, 0 failed, 1 removed/);
});

test('the nearest file counts alone; none above the repository, none through a link', async (t) => {
  const all = set(t, { project: { format: 'tree' }, files: { '.symbols.json': '{"format": "tsv"}', 'p/src/.symbols.json': '{"kind_names": true}', 'q/.git/HEAD': '', 'r/a.ts': source } });
  assert.deepEqual(Object.keys(await given(all)), ['format']);
  assert.deepEqual(Object.keys(await given(all, {}, ['src/a.ts'])), ['kind_names']);
  assert.deepEqual(Object.keys(await given(all, {}, ['../q'])), []);
  assert.deepEqual(Object.keys(await given(all, {}, ['../r/a.ts'])), ['format']);
  symlinkSync('../.symbols.json', join(all.place, 'q/.symbols.json'));
  const link = await all.symbols(['config', '../q']);
  assert.equal(link.status, 1);
  assert.match(link.stderr, /q\/\.symbols\.json: it is a symbolic link/);
});

test('a wrong setting: each command says where it is (tests/proxy/options/configuration_test.cc has all reasons)', async (t) => {
  for (const [settings, says, env] of [
    [{ project: '{\n  "warm": true}' }, /p\/\.symbols\.json:2:3: warm cannot be set by a project; set it in .*config\.json/],
    [{ user: '{"verbosity": "loud"}' }, /config\.json:1:2: verbosity cannot be "loud"; give counts, minimal/],
    [{}, /SYMBOLS_MAX_TOKENS cannot be "many"; give a whole number/, { SYMBOLS_MAX_TOKENS: 'many' }],
  ]) {
    const all = set(t, settings);
    for (const [args, expected] of [[['config'], 1], [['src/a.ts'], 2], [['context', 'src/a.ts:4'], 2], [['index'], 2]]) {
      const { status, stdout, stderr } = await all.symbols(args, env);
      assert.deepEqual([status, stdout], [expected, ''], args.join(' '));
      assert.match(stderr, says);
    }
  }
});

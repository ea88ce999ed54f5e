// What other programs need to run this one over many files and on many machines: lists of files and shards.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { fakeServer, folder, printed, run } from './program.mjs';

const sources = (count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`src/${i}.ts`, `${`const v${i} = ${i};\n`.repeat(1 + (i * 7) % 13)}`]));
const quick = ['--server', fakeServer('plain'), '--language', 'x', '--no-hover'];
const headings = (text) => [...text.matchAll(/^==> (.*) <==$/gm)].map(([, path]) => path);
const answers = (text) => Object.fromEntries(text.split(/^(?===> )/m).filter(Boolean).map((part) => [part.split('\n')[0], part]));

test('a list of files, in a file and on standard input, by line and by NUL, is as if they were named', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', 'b c.ts': 'const b = 1;\n', 'd/e.ts': 'const e = 1;\n', list: 'b c.ts\n\nd\r\n', lines: 'd/e.ts', none: '\n\n' });
  const same = async (args, named, options) => {
    const listed = await run(['--no-hover', ...args], { cwd, ...options });
    assert.equal(listed.stderr, '');
    assert.deepEqual(listed, await run(['--no-hover', ...named], { cwd }));
  };
  await same(['--files-from', 'list', 'a.ts'], ['a.ts', 'b c.ts', 'd']);
  await same(['--files-from', join(cwd, 'list'), 'a.ts', '--format', 'json'], ['a.ts', 'b c.ts', 'd', '--format', 'json']);
  await same(['--files-from', '-'], ['b c.ts', 'd'], { input: 'b c.ts\nd\n' });
  await same(['--files-from', '-', '-0'], ['b c.ts', 'd'], { input: '\0b c.ts\0d\0' });
  await same(['--files-from=-', '--null', 'a.ts'], ['a.ts', 'b c.ts', 'd'], { input: 'b c.ts\0d' });
  // A script that reads the answer finds it in the same form, however many files there are.
  const one = await run(['--no-hover', '--files-from', 'lines'], { cwd });
  assert.deepEqual(headings(one.stdout), ['d/e.ts']);
  assert.deepEqual(await run(['--files-from', 'none'], { cwd }), { status: 0, signal: null, stdout: '', stderr: '' });
  assert.equal((await run(['--files-from', 'none', '--format', 'json'], { cwd })).stdout, '{"results":[],"errors":[]}\n');
});

test('8 shards together are one run, and the same whatever the order of the files', async (t) => {
  const cwd = folder(t, sources(100));
  const names = Object.keys(sources(100));
  const whole = await run([...quick, 'src'], { cwd });
  assert.equal(whole.status, 0, whole.stderr);
  assert.equal(headings(whole.stdout).length, 100);
  const parts = {};
  for (let shard = 1; shard <= 8; ++shard) {
    const stdout = await printed([...quick, '--shard', `${shard}/8`, 'src'], { cwd });
    assert.ok(Math.abs(headings(stdout).length - 12.5) < 2, `${headings(stdout).length} files`);
    for (const [path, answer] of Object.entries(answers(stdout))) {
      assert.ok(!(path in parts), path);
      parts[path] = answer;
    }
    const listed = await run([...quick, '--shard', `${shard}/8`, '--files-from', '-'], { cwd, input: [...names].reverse().join('\n') });
    assert.deepEqual(headings(listed.stdout).sort(), headings(stdout).sort());
  }
  assert.deepEqual(parts, answers(whole.stdout));
  // More shards than files: an empty share is no failure.
  assert.deepEqual(await run([...quick, '--shard', '101/101', 'src'], { cwd }), { status: 0, signal: null, stdout: '', stderr: '' });
});

test('with --warm a list and a shard answer the same', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', 'b.ts': 'const b = 1;\n', list: 'b.ts\na.ts\n' });
  const env = { XDG_RUNTIME_DIR: folder(t), XDG_CACHE_HOME: folder(t) };
  t.after(() => run(['warm', '--stop'], { cwd, env }));
  for (const args of [['--files-from', 'list'], ['--shard', '1/2', 'a.ts', 'b.ts'], ['--files-from', '-']]) {
    const input = 'b.ts\n';
    const cold = await run(['--no-hover', ...args], { cwd, env, input });
    assert.notEqual(cold.stdout, '');
    for (let call = 0; call < 2; ++call) assert.deepEqual(await run(['--warm', '--no-hover', ...args], { cwd, env, input }), cold);
  }
});

const rowsOf = (text) => text.split('\n').slice(0, -1).map((line) => JSON.parse(line));

test('ndjson: an object a row, with its path, in the order asked, a failure is a line in its place', async (t) => {
  const cwd = folder(t, { 'a.ts': 'class A {\n  f() {}\n}\n', 'empty.ts': '', 'b\u2028é.ts': 'const b = 1;\n' });
  const { status, stdout, stderr } = await run(['--no-hover', '--format', 'ndjson', 'a.ts', 'missing.ts', 'empty.ts', 'b\u2028é.ts'], { cwd });
  assert.equal(status, 1);
  assert.match(stderr, /^symbols: cannot read missing\.ts/);
  const place = (prefix, [a, b, c, d]) => ({ [`${prefix}start_line`]: a, [`${prefix}start_character`]: b, [`${prefix}end_line`]: c, [`${prefix}end_character`]: d });
  const row = (path, number, name, kind, range, selection, parent) => ({ path, row: number, name, kind, ...place('', range), ...place('selection_', selection), parent });
  const rows = rowsOf(stdout);
  assert.match(rows[2].error, /No such file/);
  assert.deepEqual(rows, [
    row('a.ts', 0, 'A', 'Class', [0, 0, 2, 1], [0, 6, 0, 7], null),
    row('a.ts', 1, 'f', 'Method', [1, 2, 1, 8], [1, 2, 1, 3], 0),
    { path: 'missing.ts', error: rows[2].error },
    row('b\u2028é.ts', 0, 'b', 'Variable', [0, 6, 0, 11], [0, 6, 0, 7], null),
  ]);
  assert.match(stdout, /^[\x20-\x7e\n]*$/, 'pure ASCII');
  // One file has its path too, and hovers and further fields are members; what is empty is null.
  const one = rowsOf((await run(['--format', 'ndjson', '--fields', 'name,kind,hover,detail,lines,depth,children,tags,signature,doc', 'a.ts'], { cwd })).stdout);
  assert.deepEqual(Object.keys(one[0]), ['path', 'row', 'name', 'kind', 'hover', 'detail', 'first_line', 'last_line', 'depth', 'children', 'tags', 'signature', 'doc']);
  assert.deepEqual([one[0].path, one[0].hover, one[0].detail, one[0].first_line, one[0].last_line, one[0].children, one[0].tags, one[0].doc], ['a.ts', 'class A', null, 1, 3, 1, [], null]);
  const [counts] = rowsOf((await run(['--format', 'ndjson', '--verbosity', 'counts', 'a.ts'], { cwd })).stdout);
  assert.deepEqual(Object.keys(counts), ['path', 'counts']);
});

test('ndjson: diagnostics are a line behind the rows, and are no hindrance to reading back', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a: string = 1;\n' });
  const { stdout, stderr } = await run(['--no-hover', '--format', 'ndjson', '--include', 'diagnostics', 'a.ts'], { cwd });
  const rows = rowsOf(stdout);
  assert.deepEqual([rows.length, rows[1]?.path, rows[1]?.diagnostics?.length], [2, 'a.ts', 1], stdout + stderr);
  const back = await run(['convert', '--from', 'ndjson', '--to', 'table'], { input: stdout });
  assert.equal(back.stdout, (await run(['--no-hover', 'a.ts'], { cwd })).stdout);
});

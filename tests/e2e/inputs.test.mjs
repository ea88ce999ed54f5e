// Files and folders as they are found in the world, good and bad.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, folder, printed, run } from './program.mjs';

test('what cannot be read costs only itself: an error each, status 1, and the others are printed', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', 'empty/readme.unknown': '', 'a.unknown': 'x' });
  execFileSync('mkfifo', [join(cwd, 'pipe.ts')]);
  const bad = {
    'missing.ts': /^symbols: cannot read missing\.ts: No such file or directory/m, 'a.ts/b.ts': /a\.ts\/b\.ts: Not a directory/,
    empty: /no file in "empty" is in a known language/, 'a.unknown': /a\.unknown/, 'pipe.ts': /pipe\.ts/,
  };
  const { status, stdout, stderr } = await run(['--no-hover', ...Object.keys(bad), 'a.ts'], { cwd });
  assert.equal(status, 1);
  for (const says of Object.values(bad)) assert.match(stderr, says);
  assert.equal(stderr.trim().split('\n').length, Object.keys(bad).length, stderr);
  assert.match(stdout, /^==> a\.ts <==\nNAME.*\na \| 1[34] \|/);
});

test('each file is read as an editor reads it', async (t) => {
  const good = [
    { file: 'empty.ts', text: '', rows: [] },
    { file: 'crlf.ts', text: 'const a = 1;\r\nfunction b() {\r\n}\r\n', rows: [['a', '0:6-11'], ['b', '1:0-2:1']] },
    { file: 'bom.ts', text: '\uFEFFconst a = 1;\n', rows: [['a', '0:6-11']] },
    { file: 'latin1.ts', text: Buffer.from('const a = "\xE9"; const b = 2;\n', 'latin1'), rows: [['a', '0:6-13'], ['b', '0:21-26']] },
    { file: 'dir with blank/naïve ✓ %41#?.ts', text: 'const a = 1;', rows: [['a', '0:6-11']] },
    { file: 'wide.ts', text: '/* 😀é */ const a = 1;', rows: [['a', '0:16-21']] },
  ];
  const cwd = folder(t, Object.fromEntries(good.map(({ file, text }) => [file, text])));
  const { status, stdout, stderr } = await run(['--no-hover', ...good.map(({ file }) => file)], { cwd });
  assert.equal(status, 0, stderr);
  assert.match(stderr, /^symbols: note: latin1\.ts: not UTF-8 in line 1[^\n]*\n$/);
  const tables = stdout.split(/^==> .* <==\n/m).slice(1);
  good.forEach(({ file, rows }, i) => assert.deepEqual(cells(tables[i]).map(([symbol, , range]) => [symbol, range]), rows, file));
});

test('standard input with --language', async (t) => {
  const cwd = folder(t);
  for (const [language, input, name] of [['typescript', 'const a = 1;\n', 'a'], ['cpp', 'int b = 2;\n', 'b'], ['ts', 'let c = 3;', 'c']]) {
    const stdout = await printed(['--language', language, '-'], { cwd, input });
    assert.deepEqual(cells(stdout).map((row) => row[0]), [name]);
  }
});

test('a folder: known files in order, .gitignore honoured, what has no server noted; an error if that is all', async (t) => {
  const cwd = folder(t, {
    'src/b.ts': 'const b = 1;\n', 'src/a.ts': 'const a = 1;\n', 'src/deep/c.tsx': 'const c = 1;\n', 'src/notes.unknown': '',
    'src/skipped.ts': 'no', '.gitignore': 'skipped.ts\nout/\n', 'out/o.ts': 'no', 'node_modules/m/m.ts': 'no', '.hidden/h.ts': 'no',
    'package.json': '{}\n', 'z.cpp': 'int z;\n',
  });
  const { status, stdout, stderr } = await run(['--no-hover', '.'], { cwd });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/(?<===> ).*(?= <==)/g), ['./src/a.ts', './src/b.ts', './src/deep/c.tsx', './z.cpp']);
  assert.match(stderr, /^symbols: note: 1 file of "\." left out, such as "\.\/package\.json".*npm install/);
  assert.equal((await run(['--no-hover', 'src/skipped.ts'], { cwd })).status, 0);
  const nothing = await run(['.'], { cwd: folder(t, { 'package.json': '{}\n' }) });
  assert.deepEqual([nothing.status, nothing.stdout], [1, '']);
  assert.match(nothing.stderr, /package\.json.*npm install/);
});

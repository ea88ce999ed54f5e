// Files and folders as they are found in the world, good and bad.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cells, fakeServer, folder, printed, run, symbolsPath } from './program.mjs';

const fake = ['--server', fakeServer('plain'), '--language', 'x'];

const bad = [
  { name: 'no file', path: 'missing.ts', says: /cannot read missing\.ts: No such file or directory/ },
  { name: 'a path through a file', path: 'a.ts/b.ts', says: /a\.ts\/b\.ts: Not a directory/ },
  { name: 'a folder without known files', path: 'empty', says: /no file in "empty" is in a known language/ },
  { name: 'a binary file', path: 'binary.ts', says: /binary\.ts.*binary/ },
  { name: 'UTF-16', path: 'utf16.ts', says: /utf16\.ts.*UTF-16/ },
  { name: 'a language that nobody knows', path: 'a.unknown', says: /a\.unknown/ },
  { name: 'a named pipe', path: 'pipe.ts', says: /pipe\.ts/ },
];
for (const { name, path, says } of bad) {
  test(`${name}: an error, status 1, and the others are printed`, async (t) => {
    const cwd = folder(t, {
      'a.ts': 'const a = 1;\n', 'empty/readme.unknown': '', 'binary.ts': 'a\0b', 'a.unknown': 'x',
      'utf16.ts': Buffer.from('\uFEFFconst a = 1', 'utf16le'),
    });
    execFileSync('mkfifo', [join(cwd, 'pipe.ts')]);
    const { status, stdout, stderr } = await run(['--no-hover', path, 'a.ts'], { cwd });
    assert.equal(status, 1);
    assert.match(stderr, says);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
    assert.match(stdout, /^==> a\.ts <==\nNAME.*\na \| 1[34] \|/);
  });
}

test('an unreadable file', async (t) => {
  const cwd = folder(t, { 'a.ts': 'x' });
  chmodSync(join(cwd, 'a.ts'), 0);
  chmodSync(cwd, 0o755);
  // Root reads everything: as somebody else then, who may not even reach the build folder.
  copyFileSync(symbolsPath, join(cwd, 'symbols'));
  const who = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
  const { status, stderr } = await run(['a.ts'], { cwd, program: join(cwd, 'symbols'), ...who });
  assert.equal(status, 1);
  assert.match(stderr, /a\.ts: Permission denied/);
});

const good = [
  { name: 'an empty file', file: 'empty.ts', text: '', rows: [] },
  { name: 'CR LF', file: 'crlf.ts', text: 'const a = 1;\r\nfunction b() {\r\n}\r\n', rows: [['a', '0:6-11'], ['b', '1:0-2:1']] },
  { name: 'a byte order mark', file: 'bom.ts', text: '\uFEFFconst a = 1;\n', rows: [['a', '0:6-11']] },
  { name: 'invalid UTF-8', file: 'latin1.ts', text: Buffer.from('const a = "\xE9"; const b = 2;\n', 'latin1'), rows: [['a', '0:6-13'], ['b', '0:21-26']], note: /latin1\.ts: not UTF-8 in line 1/ },
  { name: 'blanks and non-ASCII in the path', file: 'dir with blank/naïve ✓ %41#?.ts', text: 'const a = 1;', rows: [['a', '0:6-11']] },
  { name: 'non-ASCII before the name', file: 'wide.ts', text: '/* 😀é */ const a = 1;', rows: [['a', '0:16-21']] },
];
for (const { name, file, text, rows, note } of good) {
  test(`${name} is read as an editor reads it`, async (t) => {
    const cwd = folder(t, { [file]: text });
    const { status, stdout, stderr } = await run([file], { cwd });
    assert.equal(status, 0, stderr);
    assert.deepEqual(cells(stdout).map(([symbol, , range]) => [symbol, range]), rows);
    if (note) assert.match(stderr, note);
    else assert.equal(stderr, '');
  });
}

test('standard input with --language', async (t) => {
  const cwd = folder(t);
  for (const [language, input, name] of [['typescript', 'const a = 1;\n', 'a'], ['cpp', 'int b = 2;\n', 'b'], ['ts', 'let c = 3;', 'c']]) {
    const stdout = await printed(['--language', language, '-'], { cwd, input });
    assert.deepEqual(cells(stdout).map((row) => row[0]), [name]);
  }
});

test('a path cannot forge the line that tells it', async (t) => {
  const cwd = folder(t, { 'a <==\n==> b.txt': 'x\n', 'c\x1b[2J.txt': 'y\n' });
  const stdout = await printed([...fake, '--no-hover', 'a <==\n==> b.txt', 'c\x1b[2J.txt'], { cwd });
  assert.deepEqual(stdout.match(/^==> .*$/gm), ['==> a <==\\n==> b.txt <==', '==> c\\x1B[2J.txt <==']);
});

test('a folder: known files in order, .gitignore honoured, what has no server noted', async (t) => {
  const cwd = folder(t, {
    'src/b.ts': 'const b = 1;\n', 'src/a.ts': 'const a = 1;\n', 'src/deep/c.tsx': 'const c = 1;\n', 'src/notes.unknown': '',
    'src/skipped.ts': 'no', '.gitignore': 'skipped.ts\nout/\n', 'out/o.ts': 'no', 'node_modules/m/m.ts': 'no', '.hidden/h.ts': 'no',
    'package.json': '{}\n', 'z.cpp': 'int z;\n',
  });
  const { status, stdout, stderr } = await run(['--no-hover', '.'], { cwd });
  assert.equal(status, 0, stderr);
  assert.deepEqual(stdout.match(/(?<===> ).*(?= <==)/g), ['./src/a.ts', './src/b.ts', './src/deep/c.tsx', './z.cpp']);
  assert.match(stderr, /^symbols: note: 1 file of "\." left out, such as "\.\/package\.json".*npm install/);
  const named = await run(['--no-hover', 'src/skipped.ts'], { cwd });
  assert.equal(named.status, 0);
});

test('a folder of which nothing can be answered is an error', async (t) => {
  const cwd = folder(t, { 'package.json': '{}\n' });
  const { status, stdout, stderr } = await run(['.'], { cwd });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /package\.json.*npm install/);
});

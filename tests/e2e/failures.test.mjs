// Servers that crash, stall and lie: each gives an error that names the server, its command, its last words and what to do,
// costs no more than it must, and leaves no process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cells, fakeServer, folder, run, timeFactor } from './program.mjs';

const text = 'alpha\n beta\ngamma\n delta\n  epsilon\n';

/** Runs the program on one file against a scenario. */
async function ask(t, scenario, args = [], files = { 'a.txt': text }) {
  const cwd = folder(t, files);
  return run(['--server', fakeServer(scenario), '--language', 'plaintext', ...args, ...Object.keys(files)], { cwd });
}

const failures = [
  { scenario: 'exit-at-once', says: ['exited with status 3 before it answered initialize', 'last words: fake: cannot find my \\x1B[31mdatabase\\x1B[0m', 'fake_server.mjs exit-at-once'] },
  { scenario: 'exit-on-symbols', says: ['exited with status 4', 'fake: assertion failed: symbols'] },
  { scenario: 'silent-at-once', args: ['--timeout', '300'], says: ['has not answered for 0.3 s', '--timeout'] },
  { scenario: 'silent-on-symbols', args: ['--timeout', '2s'], says: ['has not answered for 2 s', '--timeout'] },
  { scenario: 'prose-on-stdout', says: ["does not speak the Language Server Protocol", "'Listening on stdin...'", '--stdio'] },
  { scenario: 'endless-noise', says: ['does not speak the Language Server Protocol', 'xxxxx'] },
  { scenario: 'absurd-length', says: ["Content-Length '99999999999999' is over the limit"] },
  { scenario: 'body-is-no-json', says: ["sent what is not a JSON-RPC message", "'not { json'"] },
  { scenario: 'result-is-cut', says: ['the documentSymbol reply is not what LSP says'] },
  { scenario: 'wrong-shape', says: ['the documentSymbol reply is not what LSP says, at byte'] },
  { scenario: 'symbols-refused', says: ['a.txt: the server refused documentSymbol: "no \\x1B]0;title\\x07 today" (error -32603)'] },
  { scenario: 'initialize-refused', says: ['it refused initialize: licence expired'] },
  { scenario: 'no-provider', says: ['does not answer documentSymbol', '--server'] },
];

for (const { scenario, args, says } of failures) {
  test(`${scenario} is an error that says so`, async (t) => {
    const { status, stdout, stderr } = await ask(t, scenario, args);
    for (const words of says) assert.ok(stderr.includes(words), `${words}\nis not in\n${stderr}`);
    assert.equal(status, 1);
    assert.equal(stdout, '');
    assert.doesNotMatch(stderr, /\x1b|\x07/);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  });
}

test('a server lost during the hovers costs only those that were out', async (t) => {
  const { status, stdout, stderr } = await ask(t, 'killed-on-third-hover');
  assert.equal(status, 1);
  assert.deepEqual(cells(stdout).map((row) => row[0]), ['alpha', 'beta', 'gamma', 'delta', 'epsilon']);
  assert.deepEqual(cells(stdout).map((row) => row[5]), ['hover of alpha', 'hover of beta', '', '', '']);
  assert.match(stderr, /a\.txt: .* was ended by signal 11 \(Segmentation fault\).*3 of 5 hovers are missing/);
});

test('hovers that never come are given up after --timeout', async (t) => {
  const { status, stdout, stderr } = await ask(t, 'silent-on-hovers', ['--timeout', '1s']);
  assert.equal(status, 1);
  assert.deepEqual(cells(stdout).map((row) => row[5]), ['hover of alpha', 'hover of beta', '', '', '']);
  assert.match(stderr, /has not answered for 1 s.*3 of 5 hovers are missing/);
});

test('one failed hover costs one cell', async (t) => {
  const { status, stdout, stderr } = await ask(t, 'some-hovers-fail');
  assert.equal(status, 0, stderr);
  assert.deepEqual(cells(stdout).map((row) => row[5]), ['hover of alpha', '', '', '', 'hover of epsilon']);
});

test('a file that kills its server costs only itself', async (t) => {
  const files = Object.fromEntries(['a', 'b', 'deadly', 'd', 'e'].map((name) => [`${name}.txt`, `${name}1\n`]));
  const { status, stdout, stderr } = await ask(t, 'exit-on-document', [], files);
  assert.equal(status, 1);
  assert.deepEqual(stdout.match(/==> .* <==/g), ['==> a.txt <==', '==> b.txt <==', '==> d.txt <==', '==> e.txt <==']);
  assert.match(stderr, /^symbols: deadly\.txt: .* exited with status 5/m);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
});

test('a server that fails for every file is given up, not started for ever', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`f${i}.txt`, 'x\n']));
  const begin = Date.now();
  const { status, stdout, stderr } = await ask(t, 'exit-at-once', [], files);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.equal(stderr.trim().split('\n').length, 40);
  assert.ok(Date.now() - begin < 10_000 * timeFactor);
});

test('a program that is not there says what to install', async (t) => {
  const cwd = folder(t, { 'a.go': 'package a', 'a.txt': 'x' });
  const missing = await run(['--server', './no-such-server --stdio', '--language', 'x', 'a.txt'], { cwd });
  assert.equal(missing.status, 1);
  assert.match(missing.stderr, /no-such-server/);
  const unknown = await run(['a.go'], { cwd, env: { PATH: '/nonexistent' } });
  assert.equal(unknown.status, 1);
  assert.match(unknown.stderr, /a\.go.*gopls.*go install/);
});

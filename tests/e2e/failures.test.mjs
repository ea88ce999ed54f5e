// Servers that crash, stall and lie: each gives an error that names the server, its command, its stderr tail
// and what to do, costs no more than it must, and leaves no process.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { mega, peakOf } from './process_size.mjs';
import { cells, fakeServer, folder, run, start, timeFactor } from './program.mjs';

const text = 'alpha\n beta\ngamma\n delta\n  epsilon\n';

async function ask(t, scenario, args = [], files = { 'a.txt': text }) {
  const cwd = folder(t, files);
  return run(['--server', fakeServer(scenario), '--language', 'plaintext', ...args, ...Object.keys(files)], { cwd });
}

const failures = [
  { scenario: 'exit-at-once', says: ['exited with status 3 before it answered initialize', 'its stderr ends with: fake: cannot find my \\x1B[31mdatabase\\x1B[0m', 'fake_server.mjs exit-at-once'] },
  { scenario: 'exit-on-symbols', says: ['exited with status 4', 'fake: assertion failed: symbols'] },
  { scenario: 'silent-at-once', args: ['--timeout', '300'], says: ['has not answered for 0.3 s', '--timeout'] },
  { scenario: 'silent-on-symbols', args: ['--timeout', '2s'], says: ['has not answered for 2 s', '--timeout'] },
  // So long that a server on a busy machine has started by then.
  { scenario: 'always-modified', args: ['--timeout', '5s'], says: ['a.txt: '] },
  { scenario: 'prose-on-stdout', says: ["does not speak the Language Server Protocol", "'Listening on stdin...'", '--stdio'] },
  { scenario: 'wrong-shape', says: ['the documentSymbol reply is not what LSP says, at byte'] },
  { scenario: 'symbols-refused', says: ['a.txt: ', 'fake_server.mjs symbols-refused', 'the server refused documentSymbol: "no \\x1B]0;title\\x07 today" (error -32603)', '--log'] },
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

const costHovers = [
  { scenario: 'killed-on-third-hover', status: 1, missing: ['gamma', 'delta', 'epsilon'],
    says: /a\.txt: .* was ended by signal 11 \(Segmentation fault\).*3 of 5 hovers are missing/ },
  { scenario: 'some-hovers-fail', status: 0, missing: ['beta', 'gamma', 'delta'],
    says: /^symbols: note: a\.txt: .* refused 1 of 5 hovers; see why with --log FILE\n$/ },
];
for (const { scenario, status: expected, missing, says } of costHovers) {
  test(`${scenario} costs the cells of these hovers, and it is said why`, async (t) => {
    const { status, stdout, stderr } = await ask(t, scenario);
    assert.equal(status, expected);
    assert.deepEqual(cells(stdout).map((row) => [row[0], row[5]]),
      ['alpha', 'beta', 'gamma', 'delta', 'epsilon'].map((name) => [name, missing.includes(name) ? '' : `hover of ${name}`]));
    assert.match(stderr, says);
  });
}

// Whoever is told of no error would take the types for right.
test('errors that a server does not give are said to be unknown, and cost nothing else', async (t) => {
  const { status, stdout, stderr } = await ask(t, 'silent-on-diagnostics', ['--timeout', '8s']);
  assert.equal(status, 0);
  assert.equal(cells(stdout).filter((row) => row[5]).length, 5, stdout);
  assert.match(stderr, /^symbols: note: a\.txt: .* does not say whether there are errors: not answered within 6000 ms\n$/);
});

test('a file that kills its server costs only itself', async (t) => {
  const files = Object.fromEntries(['a', 'b', 'deadly', 'd', 'e'].map((name) => [`${name}.txt`, `${name}1\n`]));
  const { status, stdout, stderr } = await ask(t, 'exit-on-document', [], files);
  assert.equal(status, 1);
  assert.deepEqual(stdout.match(/==> .* <==/g), ['==> a.txt <==', '==> b.txt <==', '==> d.txt <==', '==> e.txt <==']);
  assert.match(stderr, /^symbols: deadly\.txt: .* exited with status 5/m);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
});

test('a server that asks for ever and reads nothing ends with an error, and memory stays bounded', async (t) => {
  const cwd = folder(t, { 'a.txt': text });
  const child = start(['--server', fakeServer('never-reads'), '--language', 'x', 'a.txt'], { cwd });
  const most = 100 * mega * timeFactor;
  const peak = await peakOf(child, most);
  const { status, stdout, stderr } = await child.finished;
  assert.ok(peak > 0 && peak < most, `${peak} bytes`);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.match(stderr, /a\.txt: .*sends requests without reading the answers/);
});

test('--log keeps what a server said that speaks no LSP', async (t) => {
  const log = join(folder(t), 'traffic.log');
  await ask(t, 'prose-on-stdout', ['--log', log]);
  assert.match(readFileSync(log, 'utf8'), /Listening on stdin/);
});

// The proxy's start: servers that cannot be run, and what a server finds that can be run.
import assert from 'node:assert/strict';
import { closeSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertSameBytes } from './byte_session.mjs';
import { frame, frames } from './lsp_stream.mjs';
import { assertQuiet, fakeServer, folder, marked, run, start, symbolsPath, writeProgram } from './program.mjs';

const initialize = (id = 1) => frame(`{"jsonrpc":"2.0","id":${id},"method":"initialize","params":{"capabilities":{}}}`);

const unrunnable = [
  { name: 'that is not on the PATH', command: ['no-such-language-server', '--stdio'], statuses: [127] },
  { name: 'whose path leads nowhere', command: ['./no/such/server'], statuses: [127] },
  { name: 'that is no program', command: ['./text'], statuses: [126] },
  { name: 'that is a folder', command: ['./folder'], statuses: [126] },
  { name: 'whose interpreter is missing', command: ['./orphan'], statuses: [126, 127] },
  { name: 'with an empty name', command: [''], statuses: [2, 126, 127] },
];
for (const { name, command, statuses } of unrunnable) {
  test(`a server ${name}: initialize is answered with an error that says so`, async (t) => {
    const cwd = folder(t, { text: 'hello', 'folder/.keep': '' });
    writeProgram(join(cwd, 'orphan'), '#!/no/such/interpreter\n');
    const silent = await run(['proxy', '--', ...command], { cwd });
    const child = start(['proxy', '--', ...command], { cwd, keepInput: true });
    child.stdin.write(initialize('"an \\u0069d"'));
    const { status, stdout, stderr } = await child.finished;
    assert.ok(statuses.includes(status), `status ${status}`);
    assert.ok(stderr.includes(command[0]), stderr);
    assert.deepEqual([silent.status, silent.stdout, silent.stderr], [status, '', stderr]);
    if (status === 2) return;
    assertQuiet(stderr);
    const answers = frames(Buffer.from(stdout));
    assert.equal(answers.length, 1, stdout);
    const text = answers[0].body.toString('latin1');
    assert.ok(text.includes('"an \\u0069d"'), text);
    const { error } = JSON.parse(text);
    assert.equal(typeof error.code, 'number');
    assert.ok(error.message.includes(command[0]), error.message);
  });
}

test('clangd that is installed as clangd-19 alone is found, and a version that was named is no other', async (t) => {
  const PATH = folder(t);
  for (const name of ['clangd-9', 'clangd-19', 'clangd-19.old']) writeProgram(join(PATH, name), '#!/bin/sh\nprintf "%s\\n" "$0" "$@" >&2\n');
  const start = (...command) => run(['proxy', '--', ...command], { env: { PATH, SYMBOLS_SERVERS_DIR: '' } });
  const found = await start('clangd', '--log=error');
  assert.equal(found.status, 0, found.stderr);
  assert.equal(found.stderr, `symbols: note: "clangd" is not on the PATH; starting ${PATH}/clangd-19\n${PATH}/clangd-19\n--log=error\n`);
  const named = await start('clangd-18');
  assert.equal(named.status, 127);
  assert.match(named.stderr, /clangd-18.*install it/);
  assert.equal((await start('./clangd')).status, 127);
  writeProgram(join(PATH, 'clangd'), '#!/bin/sh\necho plain >&2\n');
  assert.equal((await start('clangd')).stderr, 'plain\n');
});

for (const args of [['--'], [], ['--format', 'json'], ['--format=standard', '--no-hover', '--timeout', '2s', '--']]) {
  test(`the server's command is everything behind ${args.join(' ') || 'proxy'}, as it stands`, async (t) => {
    const given = ['--format', '', 'a b', '--', '-x', '$HOME', 'é', '*', '--help', "'\"\\"];
    const server = ['bash', '-c', `printf '%s\\0' "$@" >&2`, 'name'];
    const { status, stderr } = await run(['proxy', ...args, ...server, '--', ...given], { cwd: folder(t) });
    assert.equal(status, 0);
    assert.deepEqual(stderr.split('\0').slice(0, -1), ['--', ...given]);
  });
}

test('the server finds what it would find without the proxy: folder, environment, signals, descriptors', async (t) => {
  const cwd = realpathSync(folder(t));
  const script = 'pwd; echo "$OWN"; grep -E "^Sig(Ign|Blk)" /proc/self/status; ls /proc/self/fd | tr "\\n" " "; umask';
  const look = ['bash', '-c', `{ ${script}; } >&2`];
  const env = { OWN: 'a=b\tc' };
  const ask = (...command) => run(['-c', `trap '' HUP; exec "$@"`, 'bash', ...command], { program: 'bash', cwd, env });
  const [direct, proxied] = await Promise.all([ask(...look), ask(symbolsPath, 'proxy', '--', ...look)]);
  assert.equal(proxied.status, 0);
  // Descriptors that our own parent left open may be closed, but none is to be added.
  const descriptors = /^(\d+ )+/m;
  const [had, has] = [direct, proxied].map(({ stderr }) => descriptors.exec(stderr)[0].trim().split(' '));
  assert.deepEqual(has.filter((descriptor) => !had.includes(descriptor)), []);
  assert.equal(proxied.stderr.replace(descriptors, ''), direct.stderr.replace(descriptors, ''));
  assert.match(proxied.stderr, new RegExp(`^${cwd}\n`));
  assert.match(proxied.stderr, /SigIgn:\s*[0-9a-f]*[13579bdf]$/m, 'SIGHUP is ignored');
});

const session = Buffer.concat([
  initialize(), frame('{"jsonrpc":"2.0","method":"initialized","params":{}}'),
  frame('{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nonexistent/a","languageId":"x","version":1,"text":"alpha\\n"}}}'),
  frame('{"jsonrpc":"2.0","id":2,"method":"textDocument/documentSymbol","params":{"textDocument":{"uri":"file:///nonexistent/a"}}}'),
  frame('{"jsonrpc":"2.0","id":3,"method":"own/method"}'),
]);
const plainServer = ['bash', '-c', `exec ${fakeServer('plain')}`];

test('standard input and output may be regular files', async (t) => {
  // Echoed by cat, the end of the file too.
  const messages = Buffer.concat(Array.from({ length: 5000 }, (_, i) => frame(`{"jsonrpc":"2.0","method":"own/method","params":[${i}.0]}`)));
  const cwd = folder(t, { input: messages });
  const files = [openSync(join(cwd, 'input'), 'r'), openSync(join(cwd, 'output'), 'w')];
  const { status, stderr } = await run(['proxy', '--', 'cat'], { stdio: [...files, 'pipe'] });
  files.forEach(closeSync);
  assert.deepEqual([status, stderr], [0, '']);
  assertSameBytes(readFileSync(join(cwd, 'output')), messages, 'the file');
});

for (const closed of ['<&-', '>&-', '2>&-', '<&- >&-', '<&- >&- 2>&-']) {
  test(`descriptors closed at the start (${closed}) are taken for the proxy's or the server's by nobody`, async () => {
    const { env, pids } = marked();
    const { signal } = await run(['-c', `"$@" ${closed}`, 'bash', symbolsPath, 'proxy', '--', ...plainServer],
      { program: 'bash', input: closed.startsWith('<') ? '' : session, env });
    assert.equal(signal, null, 'it did not end');
    assert.deepEqual(pids(), []);
  });
}

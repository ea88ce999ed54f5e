// What is written beside the protocol: the server's standard error, messages of the proxy's own, and --log.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { frame } from './lsp_stream.mjs';
import { folder, run, symbolsPath } from './program.mjs';
import { hoverSaying, scenario, symbolsNamed } from './scenario.mjs';

const logs = folder({ after });
const uri = 'file:///nonexistent/a.x';

test("the server's standard error passes byte for byte, much of it too, to its death", async (t) => {
  const script = "printf '\\033[31m\\303\\251%.0s' {1..100000} >&2; printf 'no newline at the end' >&2; kill -ABRT $$";
  // An input that does not end: else the server is stopped after a while, whether it has written all or not.
  const input = join(folder(t), 'input');
  const { status, stdout, stderr } = await run(['-c', 'mkfifo "$1" && exec "$0" proxy -- bash -c "$2" <>"$1"', symbolsPath, input, script], { program: 'bash' });
  assert.deepEqual([status, stdout], [134, '']);
  assert.ok(stderr.startsWith(`${'\u001b[31mé'.repeat(100_000)}no newline at the end`));
});

scenario('standard error that nobody reads stops nothing but the server that writes it', async ({ server, client, proxy, ends }) => {
  proxy.stderr.pause();
  const stuck = server.complain('x'.repeat(5_000_000));
  client.notify('own/method');
  await client.write(frame('{"jsonrpc":"2.0","method":"own/other"}'));
  proxy.stderr.resume();
  await stuck;
  await server.receives('own/other');
  await server.exit(0);
  await ends(0);
  assert.equal(proxy.errors.length, 5_000_000);
});

const log = join(logs, 'log');
scenario('--log records both directions with times', async (session) => {
  const { client, server } = session;
  client.open(uri, 'text of the document\n');
  await server.receives('textDocument/didOpen');
  const answer = client.symbols(uri);
  server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(['alpha']));
  server.reply((await server.receives('textDocument/hover')).id, hoverSaying('hover \u00e9\nof two lines'));
  assert.ok((await answer).result.success);
  const passing = client.request('own/method', { filling: 'x'.repeat(200_000) }, 'é');
  server.reply((await server.receives('own/method')).id, 'y'.repeat(200_000));
  await passing;
  await server.complain('words on standard error\n');
  await session.finish();
  const text = readFileSync(log, 'utf8');
  const lines = text.trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z /, line.slice(0, 100));
  const at = (...words) => {
    const index = lines.findIndex((line) => words.every((word) => line.includes(word)));
    assert.ok(index >= 0, `no line has ${words}\n${text.slice(0, 5000)}`);
    return index;
  };
  const order = [
    at('-->', '"initialize"'), at('<--', '"capabilities"'), at('-->', 'textDocument/didOpen', 'text of the document'),
    at('-->', 'textDocument/documentSymbol'), at('<--', '"alpha"'), at('-->', 'textDocument/hover'), at('<--', 'hover', 'of two lines'),
    at('-->', 'own/method'), at('<--', 'yyyyyyyyyy'), at('-->', '"exit"'),
  ];
  assert.deepEqual(order, [...order].sort((x, y) => x - y));
  at('<--', 'NAME | KIND');  // what the client was told in the end
}, { args: ['--log', log] });

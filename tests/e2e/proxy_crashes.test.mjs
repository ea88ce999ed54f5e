// Servers that end before their time: every request that waits is answered with an error that says so, what the server still
// wrote is delivered, and the proxy ends with the server's status.
import assert from 'node:assert/strict';
import { scenario } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
const ways = [
  { name: 'exits with status 3', end: (server) => server.exit(3), status: 3, says: /status 3\b/ },
  { name: 'exits with status 0', end: (server) => server.exit(0), status: 0, says: /status 0\b/ },
  { name: 'is ended by SIGSEGV', end: (server) => server.kill('SIGSEGV'), status: 139, says: /signal 11\b|SIGSEGV/ },
  { name: 'is ended by SIGKILL', end: (server) => server.kill('SIGKILL'), status: 137, says: /signal 9\b|SIGKILL/ },
];

function assertFailed({ error, result }, says) {
  assert.equal(result, undefined);
  assert.equal(typeof error.code, 'number');
  assert.match(error.message, says);
}

for (const { name, end, status, says } of ways) {
  scenario(`${name} with requests of all kinds waiting`, async ({ client, server, ends }) => {
    client.open(uri);
    const answers = [
      client.symbols(uri), client.hover(uri), client.request('textDocument/completion', { textDocument: { uri }, position: { line: 0, character: 0 } }, 'a "string" é'),
      client.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [{ textDocument: { uri } }] }, 'command'), client.request('own/method', null, -1),
    ];
    await server.receives('own/method');
    await end(server);
    for (const answer of answers) assertFailed(await answer, says);
    await ends(status);
    assert.deepEqual(client.unclaimed, [], 'answered twice');
  });
}

scenario('exits before it answers initialize', async ({ client, server, ends }) => {
  const answer = client.request('initialize', { capabilities: {} });
  await server.receives('initialize');
  await server.exit(3);
  assertFailed(await answer, /status 3\b/);
  await ends(3);
  assert.deepEqual(client.unclaimed, []);
}, { initialized: false });

scenario('requests that the server had not even read are answered too', async ({ client, server, proxyIsIdle, ends }) => {
  await server.command('pause');
  const answers = [];
  for (let i = 0; i < 50; ++i) answers.push(client.request('own/method', { filling: 'x'.repeat(200) }), client.symbols(uri));
  await client.notify('own/last');
  await proxyIsIdle();
  await server.kill('SIGKILL');
  for (const answer of answers) assertFailed(await answer, /signal 9\b|SIGKILL/);
  await ends(137);
  assert.deepEqual(client.unclaimed, []);
});

scenario('what the server wrote last is delivered, however slowly the client reads', async ({ client, server, clientIsFull, ends }) => {
  const answer = client.request('own/method');
  const { id } = await server.receives('own/method');
  const written = server.command('bigReply', { bytes: 5_000_000, id }).then(() => server.notify('test/last')).then(() => server.exit(4));
  await clientIsFull();
  client.stdout.resume();
  await written;
  assert.equal((await answer).result.length, 5_000_000);
  await client.receives('test/last');
  await ends(4);
  assert.deepEqual(client.unclaimed, []);
});

scenario('a process of the server that holds its streams open delays nothing', async ({ client, server, ends }) => {
  const child = await server.command('child', { ignores: ['SIGTERM', 'SIGHUP'] });
  assert.equal(typeof child, 'number');
  const answer = client.request('own/method');
  await server.receives('own/method');
  await server.exit(6);
  assertFailed(await answer, /status 6\b/);
  await ends(6);
});

scenario('a server that closes its standard output can answer nothing more', async ({ client, server, ends }) => {
  const answer = client.request('own/method');
  await server.receives('own/method');
  await server.command('closeStdout');
  const { error } = await answer;
  assert.match(error.message, /standard output|closed|ended|exited/);
  await ends(0);
});

scenario('a server that closes its standard input goes on being heard', async ({ client, server, ends }) => {
  await server.command('closeStdin');
  // More than a pipe takes.
  client.notify('own/notification', 'x'.repeat(200_000));
  client.request('own/method');
  await server.notify('test/still-there', { first: true });
  await client.receives('test/still-there');
  await server.notify('test/still-there', { second: true });
  await client.receives('test/still-there');
  await server.exit(0);
  await ends(0);
});

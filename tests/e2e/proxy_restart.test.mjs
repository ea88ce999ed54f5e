// `--restart`: a server that ends by itself is started again, and the client notices no more than an error for what was in flight.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventually, run } from './program.mjs';
import { capabilities, hoverSaying, hovers, scenario, symbolsNamed } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
const other = 'file:///nonexistent/b.x';
const restarting = (name, play, options = {}) => scenario(name, play, { ...options, args: ['--restart', ...(options.args ?? [])] });

/** Plays a server that is told what the one before was told; gives the requests and notifications in their order. */
async function introduced(server, documents = 0) {
  const initialize = await server.receives('initialize');
  assert.equal(server.unclaimed.length, 0, 'something came before the answer to initialize');
  await server.reply(initialize.id, { capabilities });
  const initialized = await server.receives('initialized');
  return { initialize, initialized, opened: await server.receivesAll('textDocument/didOpen', documents) };
}

/** How often a process has slept. */
const wakeUps = (pid) => Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

/** Ends a session of which `server` is the present server. */
async function finish({ client, ends }, server) {
  server.on('shutdown', ({ id }) => server.reply(id, null));
  assert.equal((await client.request('shutdown')).result, null);
  client.notify('exit');
  await server.receives('exit');
  await ends(0);
  assert.deepEqual(client.unclaimed, [], 'came to the client unexpectedly');
}

restarting('a server that is killed is started again, with what the client has told it', async (session) => {
  const { client, server, nextServer, proxy } = session;
  client.notify('workspace/didChangeConfiguration', { settings: { a: 1 } });
  client.notify('workspace/didChangeConfiguration', { settings: { a: 2 } });
  client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [{ uri: 'file:///x', name: 'x' }], removed: [] } });
  client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpp', version: 3, text: 'int é;\nx\n' } });
  client.open(other, 'old');
  client.open('file:///closed', 'text');
  client.notify('textDocument/didClose', { textDocument: { uri: 'file:///closed' } });
  client.notify('textDocument/didChange', {
    textDocument: { uri, version: 4 },
    contentChanges: [{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 5 } }, text: '' }, { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, text: '"\u{1F600}"' }],
  });
  client.change(other, 'new', 7);
  await session.serverIsUpToDate();
  await server.kill('SIGSEGV');
  const next = await nextServer();
  const { initialize, opened } = await introduced(next, 2);

  assert.deepEqual(opened.map(({ params }) => params.textDocument), [
    { uri, languageId: 'cpp', version: 4, text: 'int ;\n"\u{1F600}"\n' },
    { uri: other, languageId: 'x', version: 7, text: 'new' },
  ]);
  assert.deepEqual((await next.receives('workspace/didChangeConfiguration')).params, { settings: { a: 2 } });
  assert.equal((await next.receives('workspace/didChangeWorkspaceFolders')).params.event.added[0].name, 'x');
  const answer = client.symbols(uri);
  next.reply((await next.receives('textDocument/documentSymbol')).id, symbolsNamed(['alpha']));
  next.reply((await next.receives('textDocument/hover')).id, hoverSaying('hover'));
  assert.deepEqual(hovers((await answer).result.symbols), [['alpha', 'hover']]);
  assert.match(proxy.errors, /started again[^]*runs again, with 2 open documents/);
  assert.deepEqual(next.unclaimed, []);
  await finish(session, next);
});

restarting('what the client sends meanwhile waits, and comes in its order after the documents', async (session) => {
  const { client, server, nextServer, proxyIsIdle } = session;
  client.open(uri, 'old');
  await session.serverIsUpToDate();
  await server.kill('SIGKILL');
  const next = await nextServer();
  const initialize = await next.receives('initialize');
  // More than a pipe holds.
  const filling = 'x'.repeat(100_000);
  const answers = [];
  const sent = [];
  for (let i = 0; i < 30; ++i) {
    sent.push(client.change(uri, `${i} ${filling}`, i + 2));
    answers.push(client.request('own/number', { i }));
  }
  await proxyIsIdle();
  assert.deepEqual(next.unclaimed, [], 'something came before the answer to initialize');
  const came = [];
  next.on('textDocument/didOpen', ({ params }) => came.push(params.textDocument.text));
  next.on('textDocument/didChange', ({ params }) => came.push(params.contentChanges[0].text.split(' ')[0]));
  next.on('own/number', ({ id, params }) => {
    came.push(params.i);
    next.reply(id, params.i);
  });
  await next.reply(initialize.id, { capabilities });
  for (const [i, answer] of answers.entries()) assert.equal((await answer).result, i);
  await Promise.all(sent);
  await next.receives('initialized');
  assert.deepEqual(came, ['old', ...answers.flatMap((_, i) => [String(i), i])]);
  await finish(session, next);
});

restarting('a server that crashes again and again is given up, and the session ends with its status', async (session) => {
  const { client, server, nextServer, proxy, ends } = session;
  await server.exit(3);
  for (let i = 0; i < 2; ++i) {
    const next = await nextServer();
    await next.receives('initialize');
    await next.exit(4 + i);
  }
  const { type, message } = (await client.receives('window/showMessage')).params;
  assert.equal(type, 1);
  assert.match(message, /status 5; it was restarted 2 times within 3 minutes and is not restarted again/);
  await ends(5);
  assert.ok(proxy.errors.includes(message));
  assert.deepEqual(client.unclaimed, []);
}, { args: ['--restart-limit', '2/3'] });

restarting('a request that waits while the server is given up is answered with an error', async ({ client, server, nextServer, ends }) => {
  await server.exit(3);
  const next = await nextServer();
  await next.receives('initialize');
  const answer = client.request('own/method');
  await next.exit(4);
  assert.match((await answer).error.message, /status 4/);
  await ends(4);
}, { args: ['--restart-limit', '1/3'] });

restarting('a server that owes a reply and says nothing is restarted', async (session) => {
  const { client, server, nextServer } = session;
  client.open(uri);
  const answer = client.request('own/method');
  const { error } = await answer;
  assert.equal(error.code, -32803);
  assert.match(error.message, /answered nothing for 2 s/);
  await server.ended;
  const next = await nextServer();
  await introduced(next, 1);
  // Nothing is owed: it may be silent.
  const second = client.request('own/method');
  next.reply((await next.receives('own/method')).id, 5);
  assert.equal((await second).result, 5);
  await finish(session, next);
}, { args: ['--stall-timeout', '2000'] });

restarting('a server that is stopped, and takes no SIGTERM, is restarted too', async (session) => {
  const { client, server, nextServer } = session;
  client.open(uri);
  await session.serverIsUpToDate();
  process.kill(server.pid, 'SIGSTOP');
  const answer = client.symbols(uri);
  assert.equal((await answer).error.code, -32803);
  const next = await nextServer();
  await introduced(next, 1);
  await finish(session, next);
}, { args: ['--stall-timeout', '300'] });

restarting('a server that could not be replaced is not killed for its silence', async (session) => {
  const { client, server, proxy } = session;
  session.over = true;
  client.stdout.removeAllListeners('data').resume();  // it could not read what comes
  client.request('own/method').catch(() => {});
  await server.receives('own/method');
  await server.write(Buffer.from('no frame\n\n'));
  await eventually(() => /does not speak the Language Server Protocol/.test(proxy.errors));
  // It looks eight times within the limit, and does nothing else.
  const awake = wakeUps(proxy.pid);
  await eventually(() => wakeUps(proxy.pid) > awake + 20);
  const exit = server.receives('exit');
  client.notify('exit');
  await exit;
}, { args: ['--stall-timeout', '1000'] });

restarting('what a dying server writes for a person is told on standard error, and frames follow', async (session) => {
  const { client, server, nextServer, proxy } = session;
  const answer = client.request('own/method');
  await server.receives('own/method');
  await server.write(Buffer.from('fatal: out of memory'));
  await server.kill('SIGKILL');
  assert.match((await answer).error.message, /signal 9/);
  const next = await nextServer();
  await introduced(next);
  assert.match(proxy.errors, /wrote to its standard output: fatal: out of memory/);
  await finish(session, next);
});

restarting('a server that has written lines that are no frames is not replaced: nothing can be put behind them', async (session) => {
  const { client, server, proxy, ends } = session;
  client.stdout.removeAllListeners('data').resume();  // it could not read that
  await server.write(Buffer.from('fatal: out of memory\nno frame\n\n'));
  await eventually(() => /does not speak the Language Server Protocol/.test(proxy.errors));
  await server.exit(7);
  await ends(7);
  assert.doesNotMatch(proxy.errors, /started again/);
});

const endings = [
  ['closes its end', ({ client }) => client.stdin.end()],
  ['is gone', ({ client }) => (client.stdin.destroy(), client.stdout.destroy())],
  ['sends SIGTERM', ({ proxy }) => proxy.kill('SIGTERM')],
];
for (const [how, end] of endings) {
  restarting(`a client that ${how} during the restart: no process is left`, async (session) => {
    const { server, nextServer, proxy, pids } = session;
    await server.kill('SIGKILL');
    await (await nextServer()).receives('initialize');  // which is not answered
    end(session);
    session.over = true;
    await proxy.exited;
    await eventually(() => pids().length === 0);
  });
  restarting(`a client that ${how} before the server is started: no process is left`, async (session) => {
    const { server, nextServer, proxy, pids } = session;
    await server.exit(1);
    for (let i = 0; i < 3; ++i) {
      const next = await nextServer();
      await next.receives('initialize');
      await next.exit(1);
    }
    end(session);
    session.over = true;
    await proxy.exited;
    await eventually(() => pids().length === 0);
  });
}

for (const [args, says] of [
  [['--stall-timeout', '5s'], /^symbols: --stall-timeout needs --restart/],
  [['--restart-limit', '5/3'], /^symbols: --restart-limit needs --restart/],
  [['--restart', '--stall-timeout', 'soon'], /^symbols: --stall-timeout cannot be "soon"; give milliseconds/],
  ...['5', '0/3', '5/0', '/', 'a/b', '5/3/1', '-1/3', '1001/3'].map((limit) => [['--restart', `--restart-limit=${limit}`], /^symbols: --restart-limit cannot be ".*"; give 1 to 1000 restarts and 1 to 1440 minutes, such as 5\/3/]),
]) {
  test(`${args.join(' ')} is refused`, async () => {
    const { status, stderr } = await run(['proxy', ...args, '--', 'true']);
    assert.equal(status, 2);
    assert.match(stderr, says);
  });
}

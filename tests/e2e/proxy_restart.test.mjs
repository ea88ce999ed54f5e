// `--restart`: a server that ends by itself is started again, and the client notices no more than an error for what was in flight.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { eventually } from './program.mjs';
import { capabilities, scenario } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
const restarting = (name, play, options = {}) => scenario(name, play, { ...options, args: ['--restart', ...(options.args ?? [])] });

/** Plays a server that is told what the one before was told. */
async function introduced(server, documents = 0) {
  const initialize = await server.receives('initialize');
  assert.equal(server.unclaimed.length, 0, 'something came before the answer to initialize');
  await server.reply(initialize.id, { capabilities });
  await server.receives('initialized');
  await server.receivesAll('textDocument/didOpen', documents);
}

/** How often a process has slept. */
const wakeUps = (pid) => Number(/^voluntary_ctxt_switches:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

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
  await session.finish(next);
});

restarting('a server that crashes again and again is given up: what waits gets an error, and the session its status', async (session) => {
  const { client, server, nextServer, proxy, ends } = session;
  await server.exit(3);
  const first = await nextServer();
  await first.receives('initialize');
  await first.exit(4);
  const last = await nextServer();
  await last.receives('initialize');
  const answer = client.request('own/method');
  await last.exit(5);
  assert.match((await answer).error.message, /status 5/);
  const { type, message } = (await client.receives('window/showMessage')).params;
  assert.equal(type, 1);
  assert.match(message, /status 5; it was restarted 2 times within 3 minutes and is not restarted again/);
  await ends(5);
  assert.ok(proxy.errors.includes(message));
  assert.deepEqual(client.unclaimed, []);
}, { args: ['--restart-limit', '2/3'] });

restarting('a server that owes a reply and says nothing is restarted, though it is stopped and takes no SIGTERM', async (session) => {
  const { client, server, nextServer } = session;
  client.open(uri);
  await session.serverIsUpToDate();
  process.kill(server.pid, 'SIGSTOP');
  const answer = client.symbols(uri);
  const { error } = await answer;
  assert.equal(error.code, -32803);
  assert.match(error.message, /answered nothing for 300 ms/);
  const next = await nextServer();
  await introduced(next, 1);
  await session.finish(next);
}, { args: ['--stall-timeout', '300'] });

restarting('a server that has written lines that are not frames is neither killed for its silence nor replaced: nothing can be put behind them', async (session) => {
  const { client, server, proxy, ends } = session;
  client.stdout.removeAllListeners('data').resume();  // it could not read what comes
  client.request('own/method').catch(() => {});
  await server.receives('own/method');
  await server.write(Buffer.from('no frame\n\n'));
  await eventually(() => /does not speak the Language Server Protocol/.test(proxy.errors));
  // It looks eight times within the limit, and does nothing else.
  const awake = wakeUps(proxy.pid);
  await eventually(() => wakeUps(proxy.pid) > awake + 20);
  await server.exit(7);
  await ends(7);
  assert.doesNotMatch(proxy.errors, /started again/);
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
  await session.finish(next);
});

// A restart that waits for its answer to initialize, and one whose server is not even started: later ones wait before that.
const moments = { 'during the restart': 0, 'before the server is started': 3 };
const endings = {
  'closes its end': ({ client }) => client.stdin.end(),
  'is gone': ({ client }) => (client.stdin.destroy(), client.stdout.destroy()),
  'sends SIGTERM': ({ proxy }) => proxy.kill('SIGTERM'),
};
for (const [when, crashes] of Object.entries(moments)) {
  for (const [how, end] of Object.entries(endings)) {
    restarting(`a client that ${how} ${when}: no process is left`, async (session) => {
      const { server, nextServer, proxy, pids } = session;
      await server.exit(1);
      for (let i = 0; i < Math.max(1, crashes); ++i) {
        const next = await nextServer();
        await next.receives('initialize');  // which is not answered
        if (crashes) await next.exit(1);
      }
      end(session);
      session.over = true;
      await proxy.exited;
      await eventually(() => pids().length === 0);
    });
  }
}

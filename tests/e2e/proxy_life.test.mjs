// How a session ends: by the client, by a signal, by the proxy's own death. Nothing is left over.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { frame } from './lsp_stream.mjs';
import { eventually, isRunning } from './program.mjs';
import { scenario, symbolsNamed } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
/** How the proxy ended, whatever the server does. */
const ending = async (session) => {
  const ended = await session.proxy.exited;
  session.over = true;
  await eventually(() => session.pids().length === 0);
  return ended;
};
/** The client ends the session as the protocol says. */
async function shutDown({ client, server }) {
  const answer = client.request('shutdown');
  server.reply((await server.receives('shutdown')).id, null);
  await answer;
  client.notify('exit');
  await server.receives('exit');
}
/** A proxy that a signal ended says so by its status or by dying of it. */
const endings = (signal, number) => [[null, signal], [128 + number, null], [0, null]];
const assertEnded = ({ status, signal }, allowed) =>
  assert.ok(allowed.some((one) => one[0] === status && one[1] === signal), `status ${status}, signal ${signal}`);

const leaving = [
  { name: "the client's end of input", leave: ({ client }) => client.stdin.end(), allowed: [[0, null]] },
  {
    name: 'a client that vanishes',
    leave({ client }) {
      client.stdin.destroy();
      client.stdout.destroy();
    },
    allowed: [[0, null]],
  },
  { name: 'SIGTERM', leave: ({ proxy }) => proxy.kill('SIGTERM'), allowed: endings('SIGTERM', 15) },
  { name: 'SIGINT', leave: ({ proxy }) => proxy.kill('SIGINT'), allowed: endings('SIGINT', 2) },
  { name: 'SIGHUP', leave: ({ proxy }) => proxy.kill('SIGHUP'), allowed: endings('SIGHUP', 1) },
];

// Most of them wait for limits most of the time.
describe('life and death', { concurrency: 8 }, () => {
  for (const { name, leave, allowed } of leaving) {
    scenario(`${name}: the server is told shutdown and exit`, async (session) => {
      const { server } = session;
      leave(session);
      const { id } = await server.receives('shutdown');
      assert.match(String(id), /^symbols-proxy-[\w-]*\d$/);
      server.reply(id, null);
      await server.receives('exit');
      assertEnded(await ending(session), allowed);
      assert.deepEqual(server.unclaimed, []);
    });

    scenario(`${name}: a server that answers nothing more, nor ends, with a child as stubborn, is made to go`, async (session) => {
      const { server } = session;
      const child = await server.command('child', { ignores: ['SIGTERM', 'SIGINT', 'SIGHUP'] });
      leave(session);
      await server.receives('shutdown');
      const ended = await ending(session);
      assertEnded(ended, [...allowed.filter(([status]) => status !== 0), [137, null]]);
      assert.ok(server.signals.includes('SIGTERM'), 'it is asked before it is killed');
      // The mark that ending() looks for is in a process's memory, which is freed a moment before it is a zombie.
      await eventually(() => !isRunning(child));
    }, { stay: true });

    scenario(`${name}: a server that reads nothing more`, async (session) => {
      const { client, server } = session;
      await server.command('pause');
      // More than a pipe takes, and as much as the client can write: the end of a stream is not sent before what is in it.
      await client.notify('test/filling', 'x'.repeat(200_000));
      await session.proxyIsIdle();
      leave(session);
      await ending(session);
    }, { stay: true });

    scenario(`${name}: before the server has answered initialize`, async (session) => {
      const { client, server } = session;
      client.request('initialize', { capabilities: {} });
      await server.receives('initialize');
      leave(session);
      await ending(session);
    }, { initialized: false });

    scenario(`${name}: while a flood waits for the client and hovers are out`, async (session) => {
      const { client, server } = session;
      client.open(uri);
      client.symbols(uri);
      server.reply((await server.receives('textDocument/documentSymbol')).id, symbolsNamed(['alpha']));
      await server.receives('textDocument/hover');
      server.command('flood', { bytes: 100 << 20, size: 10_000 });
      await session.clientIsFull();
      leave(session);
      await ending(session);
    });
  }

  scenario('after the end of its input the client still gets what it asked for', async (session) => {
    const { client, server } = session;
    const answers = [client.request('own/method'), client.request('own/other')];
    const ids = [(await server.receives('own/method')).id, (await server.receives('own/other')).id];
    const replies = ids.map((id, i) => frame(JSON.stringify({ jsonrpc: '2.0', id, result: 'x'.repeat(1 + i * 1_000_000) })));
    await server.command('atShutdown', { bytes: Buffer.concat(replies).toString('base64') });
    client.stdin.end();
    assert.equal((await answers[0]).result.length, 1);
    assert.equal((await answers[1]).result.length, 1_000_001);
    server.reply((await server.receives('shutdown')).id, null);
    await server.receives('exit');
    assertEnded(await ending(session), [[0, null]]);
    assert.deepEqual(client.unclaimed, [], "the answer to the proxy's own shutdown is the proxy's");
  });

  scenario('exit, to a server that stays', async (session) => {
    await shutDown(session);
    const ended = await ending(session);
    assertEnded(ended, [[137, null]]);
    assert.ok(session.server.signals.includes('SIGTERM'));
  }, { stay: true });

  for (const stay of [false, true]) {
    scenario(`the proxy killed: ${stay ? 'even a server that ignores everything' : 'the server'} ends`, async (session) => {
      session.proxy.kill('SIGKILL');
      assert.deepEqual(await ending(session), { status: null, signal: 'SIGKILL' });
    }, { stay });
  }

  scenario('SIGHUP that the parent ignores, as nohup does, stays ignored', async (session) => {
    const { proxy, client, server } = session;
    proxy.kill('SIGHUP');
    const answer = client.request('own/method');
    server.reply((await server.receives('own/method')).id, 'alive');
    assert.equal((await answer).result, 'alive');
  }, { launcher: ['bash', '-c', `trap '' HUP; exec "$@"`, 'bash'] });

  scenario('SIGCHLD that the parent ignores: how the server ended is known', async (session) => {
    await session.server.exit(7);
    await session.ends(7);
  }, { launcher: ['bash', '-c', `trap '' CHLD; exec "$@"`, 'bash'] });

  scenario('the descriptors of the client are left as they were: blocking', async (session) => {
    // A process that shares them looks at their flags after the proxy has ended; O_NONBLOCK is 04000.
    await shutDown(session);
    session.over = true;
    await session.proxy.finished;
    const flags = [...session.proxy.errors.matchAll(/flags:\s*([0-7]+)/g)].map((match) => parseInt(match[1], 8) & 0o4000);
    assert.deepEqual(flags, [0, 0, 0, 0, 0, 0], session.proxy.errors);
  }, { launcher: ['bash', '-c', `flags() { grep flags /proc/$$/fdinfo/[012] >&2; }; flags; "$@"; flags`, 'bash'] });
});

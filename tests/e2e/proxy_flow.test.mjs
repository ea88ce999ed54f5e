// Both directions are bounded, and neither blocks the other: clients and servers that do not read, floods, queues.
import assert from 'node:assert/strict';
import { frame } from './lsp_stream.mjs';
import { highest, mega } from './process_size.mjs';
import { eventually, timeFactor } from './program.mjs';
import { hoverSaying, scenario, symbolsNamed, textNaming } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
// Sanitizers keep shadow memory and what was freed.
const most = (timeFactor > 1 ? 400 : 32) * mega;

/** Sends so many notifications; resolves when they are written. */
async function fill(client, count, size) {
  const message = frame(JSON.stringify({ jsonrpc: '2.0', method: 'test/filling', params: 'x'.repeat(size) }));
  const together = Math.min(count, Math.ceil(65536 / message.length));
  const portion = Buffer.concat(Array(together).fill(message));
  for (let done = 0; done < count; done += together) await client.write(portion.subarray(0, Math.min(together, count - done) * message.length));
}

for (const { format, size } of [{ format: 'standard', size: 1000 }, { format: 'table', size: 5 * mega }]) {
  const name = `a flood of 300 MB in messages of ${size} bytes, --format ${format}`;

  scenario(`${name}, while the client reads nothing, and then all: under 32 MiB`, async ({ client, server, proxy, clientIsFull }) => {
    const before = client.bytes;
    const flooded = server.command('flood', { bytes: 300 * mega, size });
    await clientIsFull();
    assert.ok(client.bytes - before < mega, 'the client was to read nothing');
    client.stdout.resume();
    await flooded;
    await server.notify('test/after');
    await client.receives('test/after');
    assert.ok(client.bytes - before >= 300 * mega);
    assert.ok(highest(proxy.pid) < most, `${highest(proxy.pid)}`);
  }, { args: ['--format', format] });

  scenario(`${name}, to a server that reads nothing, and then all: under 32 MiB`, async ({ client, server, proxy, serverIsFull }) => {
    await server.command('pause');
    const count = Math.ceil((300 * mega) / size);
    const sent = fill(client, count, size);
    await serverIsFull();
    await server.command('resume');
    await sent;
    assert.equal(await server.command('filled', { count }), count);
    assert.ok(highest(proxy.pid) < most, `${highest(proxy.pid)}`);
  }, { args: ['--format', format] });
}

scenario('while the client reads nothing, what it writes reaches the server', async ({ client, server }) => {
  client.stdout.pause();
  const flooded = server.command('flood', { bytes: 20 * mega, size: 10_000 });
  await fill(client, 2000, 10_000);
  assert.equal(await server.command('filled', { count: 2000 }), 2000);
  client.stdout.resume();
  await flooded;
  await server.notify('test/last');
  await client.receives('test/last');
});

scenario('while the server reads nothing, what it writes reaches the client', async ({ client, server }) => {
  await server.command('pause');
  const sent = fill(client, 2000, 10_000);
  await server.command('flood', { bytes: 20 * mega, size: 10_000 });
  await server.notify('test/last');
  await client.receives('test/last');
  await server.command('resume');
  await sent;
  assert.equal(await server.command('filled', { count: 2000 }), 2000);
});

scenario('a server that asks for ever and reads no answer is not read: under 32 MiB', async ({ server, proxy, proxyIsIdle, ends }) => {
  const before = highest(proxy.pid);
  await server.command('pause');
  server.command('flood', { bytes: 300 * mega, size: 10, id: 1, method: 'client/registerCapability' });
  await eventually(() => highest(proxy.pid) > before + 2 * mega);
  await proxyIsIdle();
  assert.ok(highest(proxy.pid) < most, `${highest(proxy.pid)}`);
  await server.kill('SIGKILL');
  await ends(137);
}, { args: ['--answer', 'all'] });

for (const filling of [10, 4000]) {
  scenario(`400 requests, ${filling} bytes and more each, queued on a busy server: none is lost, all in order`, async ({ client, server }) => {
    client.open(uri, textNaming(['alpha', 'beta']));
    await server.receives('textDocument/didOpen');
    await server.command('pause');
    const order = [];
    const note = (message) => order.push(message.params.order);
    server.on('own/method', (message) => {
      note(message);
      server.reply(message.id, message.params.order);
    });
    server.on('own/notification', note);
    server.on('textDocument/documentSymbol', ({ id }) => server.reply(id, symbolsNamed(['alpha', 'beta'])));
    server.on('textDocument/hover', ({ id }) => server.reply(id, hoverSaying('hover')));
    const answers = [];
    for (let i = 0; i < 400; ++i) {
      if (i % 4 === 0) answers.push(client.symbols(uri));
      else if (i % 4 === 1) answers.push(client.hover(uri, 0, 2));
      else answers.push(client.request('own/method', { order: i, filling: 'x'.repeat(filling) }, i % 8 === 2 ? `string ${i}` : 100_000 + i));
      client.notify('own/notification', { order: i + 0.5 });
    }
    await server.command('resume');
    const replies = await Promise.all(answers);
    replies.forEach(({ result }, i) => {
      if (i % 4 === 0) assert.equal(result.symbols.split('\n').length, 3);
      else if (i % 4 === 1) assert.match(result.contents.value, /\nalpha \|.*\| hover \| <<<$/);
      else assert.equal(result, i);
    });
    assert.deepEqual(order, [...order].sort((x, y) => x - y));
    assert.equal(order.length, 600);
  });
}

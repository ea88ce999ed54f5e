// Numbers beyond all measure, large hovers and files, and the queues that they meet: what is refused, and that memory stays bounded.
// docs/limits.md lists the limits; limits_large.test.mjs has the largest replies, limits_flat.test.mjs long sessions.
import assert from 'node:assert/strict';
import { readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startMcp } from './mcp_session.mjs';
import { highest, mega } from './process_size.mjs';
import { eventually, folder, run, timeFactor, untilStill } from './program.mjs';
import { assertUnder, bounds, command, ends, errorOf, largeServer, session, startProxy, tooLarge, uri } from './size_client.mjs';
import { warmProject } from './warm_project.mjs';

const share = timeFactor > 1 ? 10 : 1;

for (const args of [[], ['--restart']]) {
  test(`10,000 requests at once that pass: in their order, one reply each ${args}`, async (t) => {
    await session(t, args, { hold: 10_000 }, async (proxy) => {
      const order = [];
      const all = [];
      for (let i = 0; i < 10_000; ++i) all.push(proxy.request('own/method', { i }).then((body) => order.push(JSON.parse(body).id)));
      await Promise.all(all);
      assert.deepEqual(order, [...order].sort((one, other) => one - other));
      assertUnder(highest(proxy.pid), 3 * bounds.quiet);
    });
  });

  test(`10,000 requests that are intercepted at once: 4,096 are being answered, the others refused; one reply each ${args}`, async (t) => {
    await session(t, args, { hold: 4096 }, async (proxy) => {
      const all = [];
      for (let i = 0; i < 10_000; ++i) all.push(i % 2 ? proxy.hover(uri) : proxy.symbols(uri));
      const replies = (await Promise.all(all)).map((body) => JSON.parse(body));
      const refused = replies.filter(({ error }) => error);
      assert.ok(replies.slice(0, 4096).every(({ result }) => result), 'the first come are answered');
      assert.ok(refused.length > 0 && refused.length <= 10_000 - 4096, String(refused.length));
      assert.deepEqual(new Set(refused.map(({ error }) => `${error.code} ${error.message}`)),
        new Set(['-32803 4096 requests are being answered already; wait for some of them']));
      assertUnder(highest(proxy.pid), 3 * bounds.quiet);
    });
  });
}

test('10,000 requests that wait when the server dies: one error each', async (t) => {
  const proxy = await startProxy(t, [], largeServer({ hold: 10_001 }));
  proxy.open(uri, 'f0\n');
  const all = [];
  for (let i = 0; i < 10_000; ++i) all.push(i % 10 === 0 ? proxy.symbols(uri) : proxy.request('own/method', { i }));
  all.push(proxy.request('die'));
  for (const body of await Promise.all(all)) assert.match(errorOf(body).message, /status 9\b/);
  assert.equal((await proxy.exited).status, 9);
  assert.deepEqual(proxy.unexpected, []);
});

test('2,000 tables of 2,000 rows at once whose hovers never come: memory is bounded, each is answered once', async (t) => {
  const symbols = 2000 / share;
  await session(t, [], { symbols, hover: 0 }, async (proxy) => {
    const all = [];
    for (let i = 0; i < 2000; ++i) all.push(proxy.symbols(uri, { return_children: 'yes', timeout_ms: 5000 }));
    for (const body of await Promise.all(all)) {
      assert.match(body.subarray(-100).toString(), new RegExp(`"meta":\\{"hovers_missing":${symbols}\\}`));
    }
    assertUnder(highest(proxy.pid), bounds.quiet + 262_144 * bounds.perSymbol);
  });
});

// A busy machine may take longer for the hover than an answer waits.
const patient = { timeout_ms: 600_000 };

test('a hover of 100 MB: an error, an empty cell, and as it is with standard', async (t) => {
  await session(t, [], { hover: 100_000_000 }, async (proxy) => {
    assert.deepEqual(errorOf(await proxy.hover(uri)), tooLarge);
    const { result } = JSON.parse(await proxy.symbols(uri, patient));
    assert.match(result.symbols, /^f0 \| .* \|  \| <<<$/m);
    const whole = await proxy.hover(uri, { hover_reply: 'standard' });
    assert.ok(whole.length > 100_000_000, ends(whole));
    assertUnder(highest(proxy.pid), bounds.quiet + 2 * whole.length);
  });
});

test('a hover of 60 MB: whole as an answer, cut in a table, and bounded', async (t) => {
  const hover = 60_000_000 / share;
  await session(t, [], { hover }, async (proxy) => {
    assert.ok((await proxy.hover(uri)).length > hover);
    const { result } = JSON.parse(await proxy.symbols(uri, patient));
    assert.match(result.symbols, /^f1 \| .* \| h{199}… \| <<<$/m);
    assertUnder(highest(proxy.pid), bounds.quiet + hover * bounds.perHoverByte);
  });
});

test('the command, a reply that announces 600 MB: an error before any of it is kept', async (t) => {
  const { status, stderr, peak } = await command(t, ['--no-hover'], { announce: 600_000_000 });
  assert.equal(status, 1);
  assert.match(stderr, /a\.x: .*Content-Length '600000000' is over the limit of 536870912 bytes/);
  assertUnder(peak, 2 * bounds.quiet);
});

test('files that are too large are errors that say so, and are not read', async (t) => {
  const home = folder(t, { 'symbols/other': '' });
  const cwd = folder(t, { 'b.ts': '', '.git/HEAD': '' });
  const cases = [
    [join(home, 'symbols/config.json'), mega, ['b.ts']],
    [join(home, 'symbols/servers.json'), mega, ['b.ts']],
    [join(cwd, '.symbols.json'), mega, ['b.ts']],
    [join(cwd, 'list'), 256 * mega, ['--files-from', 'list']],
    [join(cwd, 'rows'), 512 * mega, ['convert', '--from', 'table', '--to', 'tree', 'rows']],
    [join(cwd, 'a.ts'), 64 * mega, ['--no-hover', 'a.ts']],
  ];
  for (const [file, most, args] of cases) {
    writeFileSync(file, '');
    truncateSync(file, most + 1);  // takes no room on the disk
    const { status, stderr } = await run(args, { cwd, env: { XDG_CONFIG_HOME: home } });
    rmSync(file);
    assert.ok(status === 1 || status === 2, stderr);
    assert.match(stderr, new RegExp(`cannot read .*: it has (${(most / mega).toFixed(1)} MiB|more than that), the limit is ${(most / mega).toFixed(1)} MiB`), args.join(' '));
  }
});

test('symbols mcp, a client that reads nothing: nothing more is read of it, and all is answered once it reads', async (t) => {
  const client = startMcp();
  t.after(() => client.child.kill('SIGKILL'));
  await client.initialize();
  client.child.stdout.pause();
  // A list of tools has some KB: all of them would be 40 MB.
  const all = [];
  for (let i = 0; i < 10_000; ++i) all.push(client.request('tools/list'));
  const { pid, stdin } = client.child;
  await untilStill([pid]);
  assert.ok(stdin.writableLength > 0, 'all was read');
  client.child.stdout.resume();
  for (const reply of await Promise.all(all)) assert.ok(reply.result.tools.length > 0);
  assertUnder(highest(pid), 2 * bounds.quiet);
  assert.equal((await client.close()).status, 0);
});

/** A project with a daemon, and `another()`, which opens a connection, or returns the error code. */
async function daemon(t) {
  const project = warmProject(t, { 'tsconfig.json': '{}', 'a.ts': 'export const a = 1;\n' });
  await project.same('--no-hover', 'a.ts');
  const socket = join(project.folder, readdirSync(project.folder).find((name) => name.endsWith('.socket')));
  const calls = [];
  t.after(() => calls.forEach((call) => call.destroy()));
  const another = async () => {
    const call = connect(socket);
    const code = await new Promise((resolve) => call.on('connect', resolve).on('error', (error) => resolve(error.code)));
    if (!code) calls.push(call);
    return code;
  };
  return { project, calls, another };
}

test('symbols --warm: with 128 calls under way one more is answered cold', async (t) => {
  const { project, calls, another } = await daemon(t);
  // On a busy machine calls come faster than the process accepts them.
  while (calls.length < 128) {
    const code = await another();
    assert.ok(!code || code === 'EAGAIN', code);
    if (code) await setTimeout(20);
  }
  const servers = project.servers();
  await project.same('--no-hover', 'a.ts');
  assert.deepEqual(project.servers(), servers);
  assertUnder(highest(project.keeper()), 3 * bounds.quiet);
  calls.forEach((call) => call.destroy());
  await eventually(async () => /a\.ts|documents open/.test(await project.kept()));
  await project.same('--no-hover', 'a.ts');
});

test('symbols --warm: a process that accepts no calls is not waited for', async (t) => {
  const { project, calls, another } = await daemon(t);
  const keeper = project.keeper();
  process.kill(keeper, 'SIGSTOP');
  t.after(() => process.kill(keeper, 'SIGCONT'));
  let code;
  while (!code) code = await another();
  assert.equal(code, 'EAGAIN');
  assert.ok(calls.length > 127, String(calls.length));
  await project.same('--no-hover', 'a.ts');
});

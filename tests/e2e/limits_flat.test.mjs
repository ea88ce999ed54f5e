// Long sessions: what a process takes after many requests, documents and calls is what it took after a few.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mcp } from './mcp_session.mjs';
import { assertFlat, settledSizeOf, sizeOf } from './process_size.mjs';
import { folder, timeFactor } from './program.mjs';
import { largeServer, startProxy } from './size_client.mjs';
import { warmProject } from './warm_project.mjs';

const limits = { timeout: 300_000 * timeFactor };
const share = timeFactor > 1 ? 10 : 1;

/** Does `step(i)` for all i below `count`; what the process takes after a fifth of them, it takes at the end. */
async function staysFlat(pid, count, step) {
  let early;
  for (let i = 0; i < count; ++i) {
    await step(i);
    if (i + 1 === count / 5) early = sizeOf(pid);
  }
  assertFlat(early, sizeOf(pid));
}

const insertion = (uri, version) =>
  ({ textDocument: { uri, version }, contentChanges: [{ range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } }, text: 'x' }] });

for (const args of [[], ['--restart']]) {
  test(`100,000 requests in one session ${args}`, limits, async (t) => {
    const proxy = await startProxy(t, args, largeServer());
    const uri = 'file:///nonexistent/a.x';
    proxy.open(uri, 'f0\n'.repeat(300));
    await staysFlat(proxy.pid, 1000 / share, async (round) => {
      const all = [];
      for (let i = 0; i < 100; ++i) {
        if (i % 4 === 0) all.push(proxy.symbols(uri));
        else if (i % 4 === 1) all.push(proxy.hover(uri));
        else all.push(proxy.request('own/method', { i }));
      }
      if (round % 10 === 0) proxy.notify('textDocument/didChange', insertion(uri, round + 2));
      for (const body of await Promise.all(all)) assert.ok(body.includes('"result":'), body.toString());
    });
    await proxy.finish();
  });

  test(`10,000 documents opened, edited, asked about and closed ${args}`, limits, async (t) => {
    const proxy = await startProxy(t, args, largeServer());
    await staysFlat(proxy.pid, 10_000 / share, async (i) => {
      const uri = `file:///nonexistent/folder/a${i}.x`;
      proxy.open(uri, 'f0\n'.repeat(300));
      proxy.notify('textDocument/didChange', insertion(uri, 2));
      const replies = [proxy.symbols(uri)];
      if (i % 3 === 0) replies.push(proxy.hover(uri));
      for (const body of await Promise.all(replies)) assert.ok(body.includes('"result":'), body.toString());
      proxy.close(uri);
    });
    await proxy.finish();
  });
}

test('10,000 documents open at a time, in 16 KiB of memory each, closed and opened again', limits, async (t) => {
  const proxy = await startProxy(t, ['--restart'], largeServer());
  const count = 10_000 / share;
  const uri = (i) => `file:///nonexistent/folder/a${i}.x`;
  let early;
  for (let round = 0; round < 4; ++round) {
    for (let i = 0; i < count; ++i) proxy.open(uri(i), 'f0\n'.repeat(300));
    await proxy.symbols(uri(0));
    for (let i = 0; i < count; ++i) proxy.close(uri(i));
    await proxy.request('own/method');
    if (round === 1) early = sizeOf(proxy.pid);
  }
  assertFlat(early, sizeOf(proxy.pid));
  await proxy.finish();
});

test('symbols --warm: 1,000 calls', limits, async (t) => {
  const count = 1000 / share;
  const project = warmProject(t, { 'tsconfig.json': '{}', 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' });
  let first;
  let early;
  for (let i = 0; i < count; ++i) {
    const name = i % 2 ? 'a.ts' : 'b.ts';
    // Now and then something changes, so that the server is asked.
    if (i % 20 === 0) project.write('a.ts', `export const a = 1; // ${i}\n`);
    const { status, stdout, stderr } = await project.warm('--no-hover', name);
    assert.equal(status, 0, stderr);
    assert.match(stdout, new RegExp(`\\n${name[0]} \\|`));
    if (i === 0) first = project.keeper();
    if (i + 1 === count / 5) early = await settledSizeOf(first);
  }
  assert.equal(project.keeper(), first, 'another keeper');
  assertFlat(early, await settledSizeOf(first));
});

test('symbols mcp: 10,000 tool calls, and what is wrong, in one session', limits, async (t) => {
  const cwd = folder(t, { 'tsconfig.json': '{}', 'a.ts': '/** Text. */\nexport function area(width: number) { return width; }\n' });
  const client = await mcp(t, { cwd, args: ['--root', cwd] });
  await staysFlat(client.child.pid, 500 / share, async () => {
    const all = [];
    for (let i = 0; i < 20; ++i) {
      if (i === 0) all.push(client.request('tools/call', { name: 'none', arguments: {} }));
      else if (i < 10) all.push(client.request('tools/call', { name: 'outline', arguments: { paths: ['a.ts'] } }));
      else all.push(client.request('tools/call', { name: 'hover', arguments: { path: 'a.ts', line: 2 } }));
    }
    for (const [i, reply] of (await Promise.all(all)).entries()) assert.ok(i === 0 ? reply.error : reply.result && !reply.result.isError, JSON.stringify(reply));
    client.messages.length = client.replies.length = client.notifications.length = 0;
  });
  assert.equal((await client.close()).status, 0);
});

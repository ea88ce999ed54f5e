// The tests of the proxy's transparency are only as good as their byte client, byte server and generator: these pass with nothing
// in between and through a relay of someone else's, and fail with a relay that writes anew what it has parsed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { assertSameBytes, direct, socat } from './byte_client.mjs';
import { frame } from './lsp_stream.mjs';
import { bigMessage, oddSession, OddTraffic } from './odd_traffic.mjs';
import { plans, readTranscript } from './transcript.mjs';
import { assertOneInsertion, assertTransparent, frames, freeRunning, onlyRewritten } from './transparency.mjs';

function traffic(count) {
  const odd = oddSession(1, count);
  return freeRunning(odd.client, odd.server, odd);
}

for (const { name, through } of [{ name: 'directly', through: direct }, { name: 'through socat', through: socat }]) {
  test(`generated traffic and recorded sessions pass ${name}`, async (t) => {
    if (through === socat && spawnSync('socat', ['-V']).error) return t.skip('socat is not installed');
    for (const pipes of [false, true]) {
      for (const chunk of [[1, 5, 333], 1 << 20]) {
        const { client, server } = traffic(300);
        await assertTransparent(t, { client: { ...client, chunk }, server: { ...server, chunk }, through, pipes });
      }
    }
    const messages = readTranscript('clangd.txt');
    const { client, server } = plans(messages);
    await assertTransparent(t, { client, server: { ...server, end: { messages: client.frames.length } }, through });
  });
}

test('a relay that parses and writes anew is found out', async (t) => {
  const relay = `
    const { spawn } = require('node:child_process');
    const server = spawn(process.argv[1], process.argv.slice(2), { stdio: ['pipe', 'pipe', 'inherit'] });
    const anew = (frame) => { try { return JSON.stringify(JSON.parse(frame)); } catch { return frame; } };
    import(${JSON.stringify(new URL('./lsp_stream.mjs', import.meta.url).href)}).then(({ frame, frameSplitter }) => {
      process.stdin.on('data', frameSplitter((header, body) => server.stdin.write(frame(anew(body.toString())))));
      server.stdout.on('data', frameSplitter((header, body) => process.stdout.write(frame(anew(body.toString())))));
    });
    server.on('close', (status) => process.exit(status));`;
  const through = (server) => [process.execPath, '-e', relay, ...server];
  const sane = freeRunning([frame('{"jsonrpc":"2.0","method":"a"}')], [frame('{"jsonrpc":"2.0","method":"b"}')]);
  await assertTransparent(t, { ...sane, through });
  await assert.rejects(assertTransparent(t, { ...traffic(50), through }), /client to server: .* different from byte/);
});

test('a difference is told by its place', () => {
  assertSameBytes(Buffer.from('same'), Buffer.from('same'), 'x');
  assert.throws(() => assertSameBytes(Buffer.from('abcd'), Buffer.from('abXd'), 'x'), /x: 4 bytes instead of 4, different from byte 2/);
  assert.throws(() => assertSameBytes(Buffer.from('ab'), Buffer.from('abc'), 'x'), /2 bytes instead of 3, different from byte 2/);
});

test('what may be rewritten is one frame and one piece of it', () => {
  const [a, b, c] = ['{"a":1}', '{"b":1}', '{"c":1}'].map((body) => frame(body));
  const longer = frame('{"b":1,"x":2}');
  assert.equal(onlyRewritten(Buffer.concat([a, longer, c]), [a, b, c], 1, 'x').toString(), '{"b":1,"x":2}');
  assert.throws(() => onlyRewritten(Buffer.concat([a, longer, b]), [a, b, c], 1, 'x'), /after initialize/);
  assert.throws(() => onlyRewritten(Buffer.concat([c, longer, c]), [a, b, c], 1, 'x'), /before initialize/);
  assert.throws(() => onlyRewritten(Buffer.concat([a, longer, longer, c]), [a, b, c], 1, 'x'));
  assertOneInsertion(Buffer.from('{"b":1,"x":2}'), Buffer.from('{"b":1}'), 'x');
  assert.throws(() => assertOneInsertion(Buffer.from('{"b":2,"x":2}'), Buffer.from('{"b":1}'), 'x'), /more has changed/);
});

test('generated traffic is framed as it says, the same for the same seed, and odd', () => {
  const messages = new OddTraffic(3, 'client').messages(3000);
  const all = Buffer.concat(messages);
  assertSameBytes(Buffer.concat(new OddTraffic(3, 'client').messages(3000)), all, 'the same seed');
  assert.equal(frames(all).length, 3000);
  const text = all.toString('latin1');
  for (const odd of ['1.0', '1E5', '123456789012345678901234567890', '9007199254740993', '\\u00e9', '\xff\xfe', 'content-length:', 'Content-Type', '"a":', '\n\n', '}]', '[[[[['])
    assert.ok(text.includes(odd), odd);
  const parsed = frames(all).filter(({ body }) => {
    try {
      return JSON.parse(body.toString('utf8')) !== undefined;
    } catch {
      return false;
    }
  });
  assert.ok(parsed.length > 1000 && parsed.length < 2900, `${parsed.length} are JSON`);
  assert.equal(frames(bigMessage(5 << 20, 1)).length, 1);
});

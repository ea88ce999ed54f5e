// The tests of the proxy's transparency can fail: a relay that writes anew what it has parsed is found out.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frame } from './lsp_stream.mjs';
import { oddSession } from './odd_traffic.mjs';
import { assertOneInsertion, assertTransparent, freeRunning, onlyRewritten } from './transparency.mjs';

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
  const odd = oddSession(1, 50);
  await assert.rejects(assertTransparent(t, { ...freeRunning(odd.client, odd.server, odd), through }), /client to server: .* different from byte/);
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

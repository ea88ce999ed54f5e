// Replies of 200 MB, a million symbols, a depth of a million, hovers of 100 MB: what they may cost is in docs/limits.md, "Memory", and
// measured as the highest resident memory. Sanitizers get a tenth of the sizes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { highest, mega } from './process_size.mjs';
import { timeFactor } from './program.mjs';
import { assertUnder, bounds, command, ends, errorOf, session, tooLarge, uri } from './size_client.mjs';

const share = timeFactor > 1 ? 10 : 1;
const limits = { timeout: 300_000 * timeFactor };

for (const [args, behind] of [[[], 0], [[], 1], [['--restart'], 1], [['--ascii'], 0]]) {
  test(`a reply of 200 MB passes byte for byte ${args}${behind ? ', its id behind it' : ''}`, limits, async (t) => {
    const reply = 200_000_000;
    await session(t, args, { reply, behind }, async (proxy) => {
      const body = await proxy.request('own/method');
      const [before, after] = behind ? ['{"jsonrpc":"2.0","result":"', '","id":2}'] : ['{"jsonrpc":"2.0","id":2,"result":"', '"}'];
      assert.ok(body.equals(Buffer.concat([Buffer.from(before), Buffer.alloc(reply, 'r'), Buffer.from(after)])), ends(body));
      assertUnder(highest(proxy.pid), bounds.quiet + 2 * reply);
    });
  });
}

for (const [name, server] of [['a million symbols', { behind: 1 }], ['a depth of a million', { deep: 1 }]]) {
  test(`the proxy, ${name}, 200 MB: an error that says so; the server's own bytes with standard`, limits, async (t) => {
    await session(t, [], { symbols: 1e6, ...server }, async (proxy) => {
      assert.deepEqual(errorOf(await proxy.symbols(uri)), tooLarge);
      const body = await proxy.symbols(uri, { format: 'standard' });
      assert.ok(body.length > 200_000_000, ends(body));
      assert.match(body.subarray(-60).toString(), server.deep ? /\]\}\]\}\]\}\]\}$/ : /\}\}\}\],"id":3\}$/);
      assertUnder(highest(proxy.pid), bounds.quiet + 2 * body.length);
    });
  });
}

for (const deep of [0, 1]) {
  test(`the proxy, ${deep ? 'a depth of 280,000' : '300,000 symbols'}: a table of all of them, and with hovers that never come`, limits, async (t) => {
    const symbols = (deep ? 280_000 : 300_000) / share;
    await session(t, [], { symbols, deep, hover: 0 }, async (proxy) => {
      for (const options of [{ include_hover: false }, { timeout_ms: 500 }]) {
        const { result } = JSON.parse(await proxy.symbols(uri, { return_children: 'yes', ...options }));
        assert.equal(result.symbols.split('\n').length, symbols + 1);
        assert.match(result.symbols.slice(-200), new RegExp(`\nf${symbols - 1} \\| 12 \\| .* \\| ${deep ? `f${symbols - 2}` : ''}`));
        assert.equal(result.meta?.hovers_missing, options.timeout_ms && symbols);
      }
      assertUnder(highest(proxy.pid), bounds.quiet + symbols * bounds.perSymbol + 64 * mega * bounds.perByte);
    });
  });
}

test('the proxy, six hovers of 60 MB without --hover-chars: those that are too many are counted as missing', limits, async (t) => {
  const hover = 60_000_000;
  await session(t, ['--hover-chars', '0'], { symbols: 6, hover }, async (proxy) => {
    const body = await proxy.symbols(uri);
    assert.match(body.subarray(-100).toString(), /"meta":\{"hovers_missing":2\}/);
    assert.ok(body.length > 4 * hover && body.length < 5 * hover, ends(body));
    assertUnder(highest(proxy.pid), bounds.quiet + 256 * mega * bounds.perHoverByte / 2);
  });
});

// Of the command: what it is asked and answered, and what it may take besides.
const million = 1e6 / share;
const [padding, hover] = [20_000_000 / share, 100_000_000 / share];
for (const [what, args, server, isRight, most] of [
  ...[0, 1].flatMap((deep) => [
    [`${deep ? 'a depth of a million' : 'a million symbols'}, as a table`, ['--no-hover'], { symbols: million, deep }, ({ lines }) => lines === million + 1, million * bounds.perSymbol],
    [`${deep ? 'a depth of a million' : 'a million symbols'}, packed`, ['--no-hover', '--format', 'packed'], { symbols: million, deep },
      ({ end }) => end.endsWith(`,${deep ? million - 2 : -1},-1]]}\n`), million * bounds.perSymbol],
  ]),
  ['200 MB in ten symbols: the names', ['--no-hover'], { symbols: 10, padding }, ({ end }) => end.endsWith('\nf9 | 12 | 9:0-20 | 9:2-4 | \n'), 10 * padding * bounds.perByte],
  ['hovers of 100 MB: cut', [], { symbols: 2, hover }, ({ end }) => /\nf1 \| .* \| h{199}… \| <<<\n$/.test(end), hover * bounds.perHoverByte],
  ['hovers of 100 MB: whole, where that is asked for', ['--hover-chars', '0'], { symbols: 2, hover }, ({ bytes }) => bytes > 2 * hover, hover * bounds.perHoverByte],
]) {
  test(`the command, ${what}, in bounded memory`, limits, async (t) => {
    const answer = await command(t, args, server);
    assert.equal(answer.status, 0, answer.stderr);
    assert.ok(isRight(answer), answer.end);
    assertUnder(answer.peak, bounds.quiet + most);
  });
}

test('the command, four hovers of 100 MB that are wanted whole: two are missing, and it says so', limits, async (t) => {
  const hover = 100_000_000;
  const { status, stderr, bytes, peak } = await command(t, ['--hover-chars', '0'], { symbols: 4, hover });
  assert.equal(status, 1);
  assert.ok(bytes > 2 * hover && bytes < 3 * hover);
  assert.match(stderr, /a\.x: 2 of 4 hovers are missing: they are more, or longer, than are kept at a time; give --hover-chars/);
  assertUnder(peak, bounds.quiet + hover * bounds.perHoverByte);
});

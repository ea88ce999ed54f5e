// A real Kate with what editors/kate/ ships: its language client asks and is answered as without the proxy; its external tools
// show and copy the table.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from '../e2e/language_servers.mjs';
import { folder, folderWith, run } from '../e2e/program.mjs';
import { settings, shortcuts, startKate } from './kate.mjs';

test('the settings put the proxy before commands, and change nothing else', () => {
  for (const [name, { command, ...rest }] of Object.entries(settings.servers)) {
    assert.deepEqual(command.slice(0, 5), ['symbols', 'proxy', '--format', 'standard', '--'], name);
    assert.ok(command.length > 5);
    assert.deepEqual(rest, {});
  }
});

/** What Kate asks on its own, and a hover of something that the pointer meets; all of it as the server answered. */
async function session(t, { line, ...options }) {
  const kate = await startKate(t, options);
  const hovers = () => kate.replies().filter(({ method }) => method === 'textDocument/hover');
  // Lines are 17 pixels high with the usual font; with another one something is met further down.
  for (const at of [line, ...Array.from({ length: 23 }, (_, i) => i + 1)]) {
    const before = kate.sent('textDocument/hover');
    await kate.point(200, 117 + 17 * at);
    await kate.until(() => kate.sent('textDocument/hover') > before, 'a hover', 5000).catch(() => {});
    await kate.until(() => hovers().length === kate.sent('textDocument/hover'), 'the answers');
    if (hovers().some(({ reply }) => reply.result)) break;
  }
  const replies = kate.replies();
  await kate.quit();
  return replies;
}

for (const { server, file, line } of [
  { server: 'clangd', file: 'geometry.cpp', line: 10 },
  { server: 'typescript-language-server', file: 'geometry.ts', line: 8 },
]) {
  test(`${server}: what Kate asks is answered, byte for byte, as without the proxy`, async (t) => {
    const cwd = folderWith(t, file);
    const home = folder(t);
    const direct = await session(t, { cwd, file, server, line, home, proxy: false });
    const behind = await session(t, { cwd, file, server, line, home, proxy: true });

    const [greeting, behindGreeting] = [direct, behind].map((replies) => replies.find(({ method }) => method === 'initialize'));
    assert.deepEqual({ ...behindGreeting.params, processId: 0 }, { ...greeting.params, processId: 0 });
    const { experimental, ...capabilities } = behindGreeting.reply.result.capabilities;
    assert.ok(experimental.symbols.formats.includes('tree'));
    assert.deepEqual(capabilities, greeting.reply.result.capabilities);

    // All that both sessions came to ask; the symbols and a hover are among it.
    const asked = direct.filter(({ method }) => method !== 'initialize').map(({ method, params, body, reply }) => {
      const same = behind.find((other) => other.method === method && JSON.stringify(other.params) === JSON.stringify(params));
      if (same) assert.equal(same.body, body);
      return same && reply.result ? method : undefined;
    });
    assert.ok(asked.includes('textDocument/documentSymbol'));
    assert.ok(asked.includes('textDocument/hover'));
    t.diagnostic(`Kate asked: ${[...new Set(asked)].join(', ')}`);
  });
}

test('the external tools: a file whose name has quotes gives the program no options', async (t) => {
  const file = 'a" --version ".cpp';
  const cwd = folder(t, { [file]: '' });
  const kate = await startKate(t, { cwd, file, server: 'clangd', proxy: true });
  await kate.tool(shortcuts.show);
  await kate.quit();
  assert.equal(kate.printed(), '');
});

test('the external tools: the table in a pane, and on the clipboard', async (t) => {
  const file = 'geometry.cpp';
  const cwd = folderWith(t, file);
  const { status, stdout } = await run([join(cwd, file)], { cwd, env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });
  assert.equal(status, 0);
  const kate = await startKate(t, { cwd, file, server: 'clangd', proxy: true });
  await kate.tool(shortcuts.show);
  await kate.until(() => kate.printed() === stdout, 'the table that Kate had printed');

  await kate.tool(shortcuts.copy);
  // What the clipboard holds shows where it is pasted and saved, in place of Kate's text.
  const copied = () => readFileSync(join(cwd, file), 'utf8').trimEnd() === stdout.trimEnd();
  await kate.until(async () => {
    await kate.focus();
    await kate.key('ctrl+a', 'ctrl+v', 'ctrl+s');
    return kate.until(copied, 'the table', 2000).catch(() => {});
  }, 'the table, pasted and saved');
  await kate.quit();
});

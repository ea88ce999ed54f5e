// cclsp, which believes nothing but LSP's own forms, on real servers: with `symbols proxy --format standard` between them it
// tells its agent what it tells without. Its own mistake with non-ASCII text is mended by --ascii.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCclsp } from './cclsp.mjs';
import { languageServers } from './language_servers.mjs';
import { fixture, folder, proxied } from './program.mjs';
import { startSession, uriOf } from './vscode_jsonrpc.mjs';

const sources = {
  cpp: {
    'geometry.cpp': readFileSync(fixture('geometry.cpp'), 'utf8'),
    'broken.cpp': 'int twice(int number) { return number * factor; }\n',
  },
  ts: {
    'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8'),
    'broken.ts': 'export const twice = (number: number): string => number * 2;\n',
    'tsconfig.json': '{"compilerOptions": {"strict": true, "types": []}}',
  },
};

async function start(t, server, cwd, proxy) {
  const { command, args, initializationOptions } = languageServers[server];
  const direct = [command, ...args];
  return startCclsp(t, {
    command: proxy ? proxied(proxy, direct) : direct, extensions: ['cpp', 'ts'], cwd, initializationOptions,
  });
}

/** The end of a session; behind the proxy nothing of it may be left. */
async function end(session, proxy) {
  await session.close();
  if (proxy) await session.noneLeft();
}

const cpp = [
  ['find_definition', { file_path: 'geometry.cpp', symbol_name: 'area' }, 'geometry.cpp:25:10'],
  ['find_references', { file_path: 'geometry.cpp', symbol_name: 'calculate_area', symbol_kind: 'function' }, 'geometry.cpp:36:36'],
  ['get_hover', { file_path: 'geometry.cpp', line: 12, character: 8 }, 'struct Point'],
  // cclsp waits 300 ms for diagnostics; clangd has published them before it answers this.
  ['find_definition', { file_path: 'broken.cpp', symbol_name: 'twice' }, 'broken.cpp:1:5'],
  ['get_diagnostics', { file_path: 'broken.cpp' }, "undeclared identifier 'factor'"],
  ['find_workspace_symbols', { query: 'Circle' }, 'Circle (class)'],
  ['rename_symbol', { file_path: 'geometry.cpp', symbol_name: 'radius_', new_name: 'extent_', dry_run: true }, 'extent_'],
  ['get_incoming_calls', { file_path: 'geometry.cpp', line: 10, character: 10 }, 'main'],
];
const ts = [
  ['find_definition', { file_path: 'geometry.ts', symbol_name: 'totalArea' }, 'geometry.ts:'],
  ['find_references', { file_path: 'geometry.ts', symbol_name: 'Named' }, 'geometry.ts:'],
  ['get_hover', { file_path: 'broken.ts', line: 1, character: 15 }, 'const twice'],
  ['find_workspace_symbols', { query: 'Circle' }, 'Circle'],
  ['rename_symbol', { file_path: 'broken.ts', symbol_name: 'twice', new_name: 'doubled', dry_run: true }, 'doubled'],
];
for (const [server, language, calls] of [['clangd', 'cpp', cpp], ['typescript-language-server', 'ts', ts]]) {
  for (const proxy of [['--format', 'standard'], ['--format', 'standard', '--ascii']]) {
    test(`${server}: the same answers behind ${proxy.join(' ')}`, async (t) => {
      const cwd = folder(t, sources[language]);
      const ask = async (options) => {
        const session = await start(t, server, cwd, options);
        const answers = [];
        for (const [tool, args] of calls) answers.push(await session.call(tool, args));
        await end(session, options);
        return answers;
      };
      const [direct, behind] = await Promise.all([ask(undefined), ask(proxy)]);
      calls.forEach(([tool, , expected], i) => {
        assert.ok(direct[i].includes(expected), `${tool}: ${direct[i]}`);
        // Two sessions of a server need not find things in the same order.
        assert.deepEqual(behind[i].split('\n').sort(), direct[i].split('\n').sort(), tool);
      });
    });
  }
}

// TypeScript 7 waits for an answer to its client/registerCapability, which cclsp never gives, and logs durations in µs, which
// cclsp's framing does not survive.
test('TypeScript 7 hangs with cclsp; behind --answer and --ascii it works', async (t) => {
  const cwd = folder(t, sources.ts);
  const proxy = ['--format', 'standard', '--ascii', '--answer', 'registerCapability'];
  const [direct, behind] = await Promise.all([start(t, 'TypeScript 7', cwd), start(t, 'TypeScript 7', cwd, proxy)]);
  const [[tool, args]] = ts;
  const hangs = assert.rejects(direct.call(tool, args, 8000), /timed out/);
  const diagnostics = ['get_diagnostics', { file_path: 'broken.ts' }, "Type 'number' is not assignable to type 'string'"];
  for (const [tool, args, expected] of [...ts, diagnostics]) {
    const answer = await behind.call(tool, args);
    assert.ok(answer.includes(expected), `${tool}: ${answer}`);
  }
  await hangs;
  await direct.close();
  await end(behind, proxy);
});

test('clangd: a hover with text beyond ASCII wedges cclsp, behind --ascii it comes', async (t) => {
  const cwd = folder(t, sources.cpp);
  const calculateArea = { file_path: 'geometry.cpp', line: 10, character: 10 };

  const proxy = ['--format', 'standard', '--ascii'];
  const [direct, behind] = await Promise.all([start(t, 'clangd', cwd), start(t, 'clangd', cwd, proxy)]);
  await direct.call('find_definition', { file_path: 'geometry.cpp', symbol_name: 'area' });
  const wedged = assert.rejects(direct.call('get_hover', calculateArea, 5000), /timed out/);
  const text = await behind.call('get_hover', calculateArea);
  await end(behind, proxy);
  await wedged;
  await direct.close();

  // The same text that a client reads whose framing is right, and that says as little of its hovers.
  const session = await startSession(t, ['clangd-19'], { root: cwd, capabilities: {} });
  const file = join(cwd, 'geometry.cpp');
  await session.open(file, 'cpp');
  const hover = await session.request('textDocument/hover', { textDocument: { uri: uriOf(file) }, position: { line: 9, character: 9 } });
  await session.end();
  assert.match(hover.contents.value, /→ double/);
  assert.ok(text.includes(hover.contents.value), text);
});

// A real Kate with what editors/kate/ ships: its language client is answered through the proxy; its external tools show and copy
// the table.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { programFolder, serverSettings } from '../e2e/language_servers.mjs';
import { frameSplitter } from '../e2e/lsp_stream.mjs';
import { eventually, folder, folderWith, marked, printed, symbolsPath, wordsOf } from '../e2e/program.mjs';
import { typescriptOptions } from '../e2e/shipped.mjs';
import { shipped, waitLimit } from './editor_home.mjs';

const { servers } = JSON.parse(readFileSync(shipped('kate', 'settings.json'), 'utf8'));

/** Those of the external tools, in Kate's settings and as xdotool names them. */
const shortcuts = { show: 'Ctrl+F11', copy: 'Ctrl+F12' };

async function screen(env) {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1200x800x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  const failed = new Promise((_, reject) => server.on('error', reject));
  failed.catch(() => {});
  let number = '';
  server.stdio[3].on('data', (chunk) => { number += chunk; });
  await Promise.race([eventually(() => number.endsWith('\n'), waitLimit, 'a screen'), failed]);
  return `:${number.trim()}`;
}

const contents = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : '');

function messages(path) {
  const found = [];
  frameSplitter((_, body) => found.push(JSON.parse(body.toString('utf8'))))(Buffer.from(contents(path)));
  return found;
}

/**
 * Starts Kate on `file` in `cwd`, with the shipped settings, before a `symbols` that keeps what goes through it as a proxy, what else it prints, and how
 * often that was. What it gives is described where it is returned.
 */
async function startKate(t, { cwd, file }) {
  const { env: mark, pids, kill } = marked();
  // Whatever Kate and its bus have started, and nobody else's.
  t.after(kill);
  const [home, runtime, work] = [folder(t), folder(t), folder(t)];
  chmodSync(runtime, 0o700);
  const [client, server, print, runs] = ['client', 'server', 'printed', 'runs'].map((name) => join(work, name));
  const bin = join(folder(t, { 'bin/symbols': `#!/bin/sh
if [ "$1" = proxy ]; then tee '${client}' | '${symbolsPath}' "$@" | tee '${server}'; exit; fi
echo >>'${runs}'
'${symbolsPath}' "$@" | tee '${print}'
` }), 'bin');
  chmodSync(join(bin, 'symbols'), 0o755);
  const config = folder(t, {
    ...serverSettings,
    'kate/lspclient/settings.json': JSON.stringify({ servers: { ...servers, javascript: { ...servers.javascript, initializationOptions: typescriptOptions } } }),
    katerc: `[General]
Show welcome view for new window=false

[Kate Plugins]
externaltoolsplugin=true
lspclientplugin=true

[lspclient]
AllowedServerCommandLines=${[servers.c, servers.javascript].map(({ command: [program, ...rest] }) => [join(bin, program), ...rest].join(' ')).join(',')}
`,
    // At its first start the plugin takes the tools that come with it, and only then those in the folder.
    'kate-externaltoolspluginrc': `[Global]
firststart=false

[Shortcuts]
externaltool_SymbolTable=${shortcuts.show}
externaltool_CopySymbolTable=${shortcuts.copy}
`,
  });
  cpSync(shipped('kate', 'externaltools'), join(config, 'kate/externaltools'), { recursive: true });

  const env = {
    ...mark, HOME: home, XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache'), XDG_RUNTIME_DIR: runtime,
    LANG: 'C.UTF-8', PATH: [bin, programFolder(t, ['clangd', 'typescript-language-server']), process.env.PATH].join(':'), DISPLAY: await screen(mark),
  };
  const kate = spawn('dbus-run-session', ['kate', '--block', '--new', file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [kate.stdout, kate.stderr]) stream.on('data', (chunk) => { output += chunk; });
  kate.on('error', (error) => { output += error.message; });

  const until = (found, what, within = waitLimit) => eventually(found, within, () => `${what}\n${output}`);
  const xdotool = (...args) => promisify(execFile)('xdotool', args, { env, timeout: waitLimit });
  const requests = (method) => messages(client).filter((message) => message.method === method);
  /** The results that the requests of this method had so far. */
  const results = (method) => {
    const replies = messages(server);
    return requests(method).flatMap(({ id }) => replies.filter((reply) => reply.id === id && reply.method === undefined).map(({ result }) => result));
  };
  const key = (...names) => xdotool('key', '--clearmodifiers', ...names);
  const press = async (...names) => {
    await xdotool('search', '--sync', '--onlyvisible', '--class', 'kate', 'windowfocus', '--sync');
    await key(...names);
  };
  await until(() => results('textDocument/documentSymbol').length > 0, 'Kate asks for the symbols of the file that it opens');
  return {
    until, requests, results, press,
    printed: () => contents(print),
    point: (x, y) => xdotool('mousemove', x, y),
    /** Runs the external tool of that shortcut. Kate tells nobody that it has taken a key: it is pressed again until the tool runs. */
    async tool(shortcut) {
      const before = contents(runs);
      await until(async () => {
        await press(shortcut);
        return until(() => contents(runs) !== before, shortcut, 15_000).catch(() => {});
      }, `the tool at ${shortcut}`);
    },
    /** Ends Kate, which is to leave no server behind. */
    async quit() {
      await key('ctrl+q');
      await until(() => !pids().some((pid) => /\b(symbols|clangd|node)/.test(wordsOf(pid)[0])), 'the servers of a Kate that has ended');
    },
  };
}

for (const { file, line } of [{ file: 'geometry.cpp', line: 10 }, { file: 'geometry.ts', line: 8 }]) {
  test(`${file}: what Kate asks for by itself is answered through the proxy`, async (t) => {
    const kate = await startKate(t, { cwd: folderWith(t, file), file });
    const method = 'textDocument/hover';
    // Lines are 17 pixels high with the usual font; with another one something is met further down.
    for (const at of [line, ...Array.from({ length: 23 }, (_, i) => i + 1)]) {
      const before = kate.requests(method).length;
      await kate.point(200, 117 + 17 * at);
      await kate.until(() => kate.requests(method).length > before, 'a hover', 5000).catch(() => {});
      await kate.until(() => kate.results(method).length === kate.requests(method).length, 'the answers');
      if (kate.results(method).some(Boolean)) break;
    }
    assert.ok(kate.results(method).some(Boolean), 'a hover');
    const [{ capabilities }] = kate.results('initialize');
    assert.ok(capabilities.experimental.symbols.formats.includes('tree'));
    const [symbols] = kate.results('textDocument/documentSymbol');
    assert.match(JSON.stringify(symbols), /"name":"geometry"|"name":"Circle"/);
    await kate.quit();
  });
}

test('the external tools: a file whose name has quotes gives the program no options', async (t) => {
  const file = 'a" --version ".cpp';
  const kate = await startKate(t, { cwd: folder(t, { [file]: '' }), file });
  await kate.tool(shortcuts.show);
  await kate.quit();
  assert.equal(kate.printed(), '');
});

test('the external tools: the table in a pane, and on the clipboard', async (t) => {
  const file = 'geometry.cpp';
  const cwd = folderWith(t, file);
  const stdout = await printed([join(cwd, file)], { cwd, env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });
  const kate = await startKate(t, { cwd, file });
  await kate.tool(shortcuts.show);
  await kate.until(() => kate.printed() === stdout, 'the table that Kate had printed');

  await kate.tool(shortcuts.copy);
  // What the clipboard holds shows where it is pasted and saved, in place of Kate's text.
  const copied = () => readFileSync(join(cwd, file), 'utf8').trimEnd() === stdout.trimEnd();
  await kate.until(async () => {
    await kate.press('ctrl+a', 'ctrl+v', 'ctrl+s');
    return kate.until(copied, 'the table', 2000).catch(() => {});
  }, 'the table, pasted and saved');
  await kate.quit();
});

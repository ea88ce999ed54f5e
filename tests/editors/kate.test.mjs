// A real Kate with what editors/kate/ ships: its language client asks and is answered as without the proxy; its external tools
// show and copy the table.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { languageServers, serverSettings } from '../e2e/language_servers.mjs';
import { frameSplitter } from '../e2e/lsp_stream.mjs';
import { eventually, folder, folderWith, marked, printed, project, symbolsPath } from '../e2e/program.mjs';
import { typescriptOptions } from '../e2e/shipped.mjs';
import { waitLimit } from './editor_home.mjs';

const shipped = join(project, 'editors/kate');
const settings = JSON.parse(readFileSync(join(shipped, 'settings.json'), 'utf8'));

/** Those of the external tools, in Kate's settings and as xdotool names them. */
const shortcuts = { show: 'Ctrl+F11', copy: 'Ctrl+F12' };

const quote = (text) => `'${text.replaceAll("'", "'\\''")}'`;

async function screen(t, env) {
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1200x800x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'], env: { ...process.env, ...env } });
  const failed = new Promise((_, reject) => server.on('error', reject));
  failed.catch(() => {});
  let number = '';
  server.stdio[3].on('data', (chunk) => { number += chunk; });
  await Promise.race([eventually(() => number.endsWith('\n'), waitLimit, 'a screen'), failed]);
  return `:${number.trim()}`;
}

/**
 * Programs by the names that Kate starts them by. What goes through the one called `recorded` is kept, as is what `symbols` prints
 * when it is no proxy, and how often that was.
 */
function programs(t, recorded, record) {
  const bin = folder(t);
  const add = (name, command) => {
    const call = `${command.map(quote).join(' ')} "$@"`;
    const script = name === recorded ? `tee ${quote(record.client)} | ${call} | tee ${quote(record.server)}` : `exec ${call}`;
    writeFileSync(join(bin, name), `#!/bin/sh\n${name === 'symbols' ? `if [ "$1" != proxy ]; then echo >>${quote(record.runs)}; ${call} | tee ${quote(record.printed)}; exit; fi\n` : ''}${script}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  add('symbols', [symbolsPath]);
  for (const name of ['clangd', 'typescript-language-server']) add(name, [languageServers[name].command]);
  return bin;
}

function messages(file) {
  const found = [];
  if (existsSync(file)) frameSplitter((_, body) => found.push({ body: body.toString('utf8'), message: JSON.parse(body) }))(readFileSync(file));
  return found;
}

/**
 * Starts Kate on `file` in `cwd`, with the shipped settings or, where `proxy` is false, with its own. `server`: the name of the
 * language server's program; `home`: the HOME, which Kate takes for the root of a file that is in no project. What it gives is
 * described where it is returned.
 */
async function startKate(t, { cwd, file, server, proxy, home = folder(t) }) {
  const { env: mark, pids, kill } = marked();
  // Whatever Kate and its bus have started, and nobody else's.
  t.after(kill);
  const config = folder(t, serverSettings);
  const runtime = folder(t);
  chmodSync(runtime, 0o700);
  const work = folder(t);
  const record = { client: join(work, 'client'), server: join(work, 'server'), printed: join(work, 'printed'), runs: join(work, 'runs') };
  const bin = programs(t, proxy ? 'symbols' : server, record);
  mkdirSync(join(config, 'kate/lspclient'), { recursive: true });
  mkdirSync(join(config, 'kate/externaltools'), { recursive: true });
  let commands = [settings.servers.c, settings.servers.javascript].map(({ command }) => command);
  if (!proxy) commands = commands.map((command) => command.slice(command.indexOf('--') + 1));
  const servers = proxy ? settings.servers : {};
  writeFileSync(join(config, 'kate/lspclient/settings.json'),
    JSON.stringify({ servers: { ...servers, javascript: { ...servers.javascript, initializationOptions: typescriptOptions } } }));
  for (const tool of readdirSync(join(shipped, 'externaltools'))) {
    copyFileSync(join(shipped, 'externaltools', tool), join(config, 'kate/externaltools', tool));
  }
  writeFileSync(join(config, 'katerc'), `[General]
Show welcome view for new window=false

[Kate Plugins]
externaltoolsplugin=true
lspclientplugin=true

[lspclient]
AllowedServerCommandLines=${commands.map(([program, ...rest]) => [join(bin, program), ...rest].join(' ')).join(',')}
`);
  // At its first start the plugin takes the tools that come with it, and only then those in the folder.
  writeFileSync(join(config, 'kate-externaltoolspluginrc'), `[Global]
firststart=false

[Shortcuts]
externaltool_SymbolTable=${shortcuts.show}
externaltool_CopySymbolTable=${shortcuts.copy}
`);

  const env = {
    ...mark, HOME: home, XDG_CONFIG_HOME: config, XDG_DATA_HOME: join(home, 'data'), XDG_CACHE_HOME: join(home, 'cache'),
    XDG_RUNTIME_DIR: runtime, LANG: 'C.UTF-8', PATH: `${bin}:${process.env.PATH}`,
  };
  env.DISPLAY = await screen(t, mark);
  const kate = spawn('dbus-run-session', ['kate', '--block', '--new', file], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [kate.stdout, kate.stderr]) stream.on('data', (chunk) => { output += chunk; });
  const closed = new Promise((resolve, reject) => {
    kate.on('error', reject);
    kate.on('close', resolve);
  });
  closed.catch(() => {});

  const xdotool = (...args) => promisify(execFile)('xdotool', args, { env, timeout: waitLimit });
  const until = (found, what, within = waitLimit) => eventually(found, within, () => `${what}\n${output}`);
  /** The requests that were answered so far: { method, params, reply, body }, body being the reply's own text without its id. */
  const replies = () => {
    const answers = new Map(messages(record.server).filter(({ message }) => message.method === undefined).map((answer) => [answer.message.id, answer]));
    return messages(record.client).filter(({ message: { id, method } }) => method !== undefined && answers.has(id)).map(({ message: { id, method, params } }) => {
      const { message, body } = answers.get(id);
      return { method, params, reply: message, body: body.replace(new RegExp(`"id":\\s*${id}\\b`), '"id":') };
    });
  };
  const focus = () => xdotool('search', '--sync', '--onlyvisible', '--class', 'kate', 'windowfocus', '--sync');
  const key = (...names) => xdotool('key', '--clearmodifiers', ...names);
  const runs = () => (existsSync(record.runs) ? readFileSync(record.runs, 'utf8').length : 0);
  const replied = (method) => replies().find((reply) => reply.method === method);
  await until(() => replied('textDocument/documentSymbol'), 'Kate asks for the symbols of the file that it opens');

  return {
    replies,
    sent: (method) => messages(record.client).filter(({ message }) => message.method === method).length,
    printed: () => (existsSync(record.printed) ? readFileSync(record.printed, 'utf8') : ''),
    /** Runs the external tool of that shortcut. Kate tells nobody that it has taken a key: it is pressed again until the tool runs. */
    async tool(shortcut) {
      const before = runs();
      await until(async () => {
        await focus();
        await key(shortcut);
        return until(() => runs() > before, shortcut, 15_000).catch(() => {});
      }, `the tool at ${shortcut}`);
    },
    /** Waits until a function gives something: until(found, what, within = waitLimit). */
    until,
    /** Gives Kate the keyboard, presses keys, moves the pointer to a point of the screen. */
    focus, key,
    point: (x, y) => xdotool('mousemove', x, y),
    /** Ends Kate, which is to leave nothing behind. */
    async quit() {
      await key('ctrl+q');
      await until(() => !pids().some((pid) => /^(symbols|clangd|node)/.test(name(pid))), 'the servers of a Kate that has ended');
    },
  };
}

function name(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8');
  } catch {
    return '';  // it has ended meanwhile
  }
}

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
  const stdout = await printed([join(cwd, file)], { cwd, env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });
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

// Configuration for editors that cannot be run here (Sublime Text, Zed, Kakoune's kak-lsp), and for Helix: each file can be read, has only
// keys of the lists below, written by hand after the editors' documentation and source of November 2026, and every command in it is
// started: a real language server must answer, behind the proxy. And the lines that the READMEs of editors/ have for copying are those
// of the files that are shipped there.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { openInServer } from '../e2e/plain_client.mjs';
import { editorHome, limit, shipped } from './editor_home.mjs';
import { startKakoune } from './kakoune.mjs';

/**
 * TOML, as far as these files go: tables, and keys whose values are strings or arrays of strings, which are JSON as well.
 * Anything else is an error.
 */
function parseTables(text) {
  const tables = {};
  let table;
  for (const line of text.split('\n').map((each) => each.trim())) {
    const heading = /^\[([\w.-]+)\]$/.exec(line)?.[1];
    const [, key, value] = /^([\w-]+) = (.+)$/.exec(line) ?? [];
    if (line === '' || line.startsWith('#')) continue;
    if (heading) {
      assert.ok(!(heading in tables), `${heading} twice`);
      table = tables[heading] = {};
    } else if (key && table) {
      assert.ok(!(key in table), `${key} twice`);
      table[key] = JSON.parse(value);
    } else {
      assert.fail(`not a line of such a file: ${line}`);
    }
  }
  return tables;
}

/** The comments that Sublime Text allows in JSON. */
const withoutComments = (text) => text.replace(/^\s*\/\/.*$/gm, '');
const read = (...names) => readFileSync(shipped(...names), 'utf8');

const known = (object, ...keys) => {
  for (const key of Object.keys(object)) assert.ok(keys.includes(key), `there is no ${key}, but ${keys}`);
};

// Each gives the command lines in the file.
const files = {
  // https://docs.helix-editor.com/languages.html: "Language Server configuration".
  'helix/languages.toml': (t) => Object.entries(parseTables(read('helix', 'languages.toml'))).map(([name, server]) => {
    assert.match(name, /^language-server\.(clangd|typescript-language-server)$/);  // names of Helix's own languages.toml
    known(server, 'command', 'args', 'config', 'timeout', 'environment', 'required-root-patterns');
    return [server.command, ...server.args];
  }),
  // The schema in the package LSP's sublime-package.json: ClientConfig.
  'sublime/LSP.sublime-settings': () => {
    const settings = JSON.parse(withoutComments(read('sublime', 'LSP.sublime-settings')));
    known(settings, 'clients');
    return Object.values(settings.clients).map((client) => {
      known(client, 'enabled', 'command', 'selector');
      assert.equal(client.enabled, true);
      return client.command;
    });
  },
  'sublime/LanguageServers.sublime-settings': () => {
    const settings = JSON.parse(withoutComments(read('sublime', 'LanguageServers.sublime-settings')));
    // What newer versions of LSP read is what older ones have under "clients".
    assert.deepEqual(settings, JSON.parse(withoutComments(read('sublime', 'LSP.sublime-settings'))).clients);
    return Object.values(settings).map(({ command }) => command);
  },
  // https://zed.dev/docs/configuring-languages: "Configuring Language Servers".
  'zed/settings.json': () => {
    const settings = JSON.parse(read('zed', 'settings.json'));
    known(settings, 'lsp', 'languages');
    for (const [language, options] of Object.entries(settings.languages)) {
      assert.ok(['TypeScript', 'TSX', 'JavaScript'].includes(language), language);
      known(options, 'language_servers');
      assert.deepEqual(options.language_servers, ['typescript-language-server', '!vtsls', '...']);
    }
    return Object.entries(settings.lsp).map(([name, server]) => {
      assert.ok(['clangd', 'typescript-language-server'].includes(name), name);
      known(server, 'binary');
      known(server.binary, 'path', 'arguments');
      return [server.binary.path, ...server.binary.arguments];
    });
  },
  // Kakoune itself reads the file; what kak-lsp reads is the value of the option (its LanguageServerConfig).
  'kakoune/kak-lsp.kak': async (t) => {
    const kakoune = await startKakoune(t, {
      kakrc: `declare-option str lsp_servers
        hook -group lsp-filetype-c-family global BufSetOption filetype=cpp %{ echo -debug 'still there' }
        source ${shipped('kakoune', 'kak-lsp.kak')}`,
      files: { 'a.cpp': '', 'a.ts': '' }, file: 'a.cpp',
    });
    const commands = [];
    for (const [file, filetype] of [['a.cpp', 'cpp'], ['a.ts', 'typescript']]) {
      assert.equal(await kakoune.do(`edit ${file}; set-option buffer filetype ${filetype}`), '');
      for (const [name, server] of Object.entries(parseTables(await kakoune.option('lsp_servers')))) {
        known(server, 'command', 'args', 'root_globs', 'settings_section');
        if (!name.includes('.')) commands.push([server.command, ...server.args]);
      }
    }
    assert.doesNotMatch(await kakoune.debug(), /still there|error.*(?:kak-lsp|BufSetOption)/);
    return commands;
  },
};

for (const [name, commandsOf] of Object.entries(files)) {
  test(`${name}: can be read, and its servers answer behind the proxy`, limit, async (t) => {
    const commands = await commandsOf(t);
    assert.deepEqual(commands.map((command) => command.slice(0, 6).join(' ')).sort(),
      ['symbols proxy --format standard -- clangd', 'symbols proxy --format standard -- typescript-language-server']);
    for (const command of commands) {
      const { env, place } = editorHome(t, { files: { 'a.cpp': 'int one;\n', 'a.ts': 'const one = 1;\n' } });
      const [file, language] = command.includes('clangd') ? ['a.cpp', 'cpp'] : ['a.ts', 'typescript'];
      const variables = Object.entries(env).map(([variable, value]) => `${variable}=${value}`);
      const { uri, request, finish } = await openInServer('env', ['-i', ...variables, ...command], place(file), language);
      const argument = { textDocument: { uri }, format: 'table' };
      const { result } = await request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [argument] });
      assert.match(result.symbols, /^NAME \| .*\none \| 1[34] \| /);
      await finish();
    }
  });
}

/** Whether `part` is in `whole` with all that it has: an object with some of the members, an array of objects with some of these. */
function isPart(part, whole) {
  if (typeof part !== 'object' || part === null) return part === whole;
  if (typeof whole !== 'object' || whole === null || Array.isArray(part) !== Array.isArray(whole)) return false;
  if (!Array.isArray(part)) return Object.entries(part).every(([key, value]) => key in whole && isPart(value, whole[key]));
  if (part.every((element) => typeof element === 'object')) return part.every((element) => whole.some((other) => isPart(element, other)));
  return JSON.stringify(part) === JSON.stringify(whole);
}
const isSomewhereIn = (part, whole) =>
  isPart(part, whole) || (typeof whole === 'object' && whole !== null && Object.values(whole).some((value) => isSomewhereIn(part, value)));

/** The JSON in a README that starts our program, each as text; members without their object get one. */
const snippets = (name) => [...read(name, 'README.md').matchAll(/```json\n(.*?)```/gs)].map(([, text]) => text.trim())
  .filter((text) => /"proxy"|"mcp"\]/.test(text)).map((text) => JSON.parse(text.startsWith('"') ? `{${text}}` : text));
const shippedJson = (name) => readdirSync(shipped(name), { recursive: true }).filter((file) => file.endsWith('.json') && !/package|^setup|node_modules/.test(file))  // setup.json is filled in by symbols setup
  .map((file) => JSON.parse(read(name, file)));

test('the JSON that READMEs have for copying is in the files that are shipped', () => {
  const having = readdirSync(shipped()).filter((name) => snippets(name).length > 0);
  assert.deepEqual(having, ['claude-code', 'cli-lsp-client', 'copilot-cli', 'crush', 'cursor', 'gemini-cli', 'mcp-language-server', 'oh-my-opencode', 'opencode', 'qwen-code', 'vscode', 'zed']);
  for (const name of having) {
    for (const snippet of snippets(name)) {
      assert.ok(shippedJson(name).some((file) => isSomewhereIn(snippet, file)), `${name}/README.md: in no file: ${JSON.stringify(snippet)}`);
    }
  }
});

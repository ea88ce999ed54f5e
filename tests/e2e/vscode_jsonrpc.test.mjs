// Microsoft's vscode-jsonrpc as a client of `symbols proxy`: all forms of an answer, compared with what the same client gets
// from the server itself.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from './language_servers.mjs';
import { capabilities as fullCapabilities, inPreOrder, rangeText } from './plain_client.mjs';
import { cells, clientsFolder, folder, folderWith, marked, proxied, sourcesFolder } from './program.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal');
const zod = join(sourcesFolder, 'node_modules/zod/src/v3/types.ts');
const nlohmann = '/usr/include/nlohmann';

const rpc = createRequire(join(clientsFolder, 'package.json'))('vscode-jsonrpc/node');

const uriOf = (file) => pathToFileURL(file).href;

/**
 * An initialized session with this server in the folder `root`, behind the proxy with the options `proxy` unless these are undefined.
 * `.initialized` is its answer; `.request(method, params)` gives the result or rejects with a ResponseError; `.open(file, language)` opens
 * a file; `.end()` ends it as a client should, and nothing of it stays; `.drop()` just goes away.
 */
async function start(t, server, proxy, { root, capabilities = fullCapabilities }) {
  const { command, args, initializationOptions } = languageServers[server];
  const [program, ...words] = proxy ? proxied(proxy, [command, ...args]) : [command, ...args];
  const { env, pids, noneLeft } = marked();
  const settings = { XDG_CONFIG_HOME: folder(t, serverSettings) };
  const child = spawn(program, words, { cwd: root, env: { ...process.env, ...settings, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => { stderr += chunk; });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  t.after(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {});

  const connection = rpc.createMessageConnection(new rpc.StreamMessageReader(child.stdout), new rpc.StreamMessageWriter(child.stdin));
  t.after(() => connection.dispose());
  connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();

  // An `undefined` would be sent as [null], which TypeScript 7 refuses where no params belong.
  const given = (params) => (params === undefined ? [] : [params]);
  const request = (method, params) => connection.sendRequest(method, ...given(params));
  const notify = (method, params) => connection.sendNotification(method, ...given(params));
  const initialized = await request('initialize', {
    processId: process.pid, rootUri: uriOf(root), capabilities, initializationOptions,
    workspaceFolders: [{ uri: uriOf(root), name: 'root' }],
  });
  await notify('initialized', {});
  return {
    initialized, request, notify, pids, noneLeft,
    open: (file, languageId) => notify('textDocument/didOpen',
      { textDocument: { uri: uriOf(file), languageId, version: 1, text: readFileSync(file, 'utf8') } }),
    drop() {
      child.stdin.end();
      child.stdout.destroy();
    },
    async end() {
      assert.equal(await request('shutdown'), null);
      await notify('exit');
      const status = await ended;
      // TypeScript 7 itself ends now with 0, now with 1 ("context canceled").
      assert.ok(status === 0 || (status === 1 && stderr.includes('context canceled')), `status ${status}: ${stderr}`);
      await noneLeft();
    },
  };
}

const documentSymbol = (session, file, options = {}) =>
  session.request('textDocument/documentSymbol', { textDocument: { uri: uriOf(file) }, ...options });
const hoverAt = (session, file, { line, character }, options = {}) =>
  session.request('textDocument/hover', { textDocument: { uri: uriOf(file) }, position: { line, character }, ...options });

/** What became of a request, so that two can be compared: its result, or the error as it came. */
const outcome = (promise) => promise.then((result) => ({ result }), ({ code, message, data }) => ({ code, message, data }));

/**
 * A text, a hover or null, so that those of two sessions can be compared: TypeScript names the members of a union in the
 * order in which it first saw them.
 */
const inAnyOrder = (value) => (value?.contents
  ? { ...value, contents: { ...value.contents, value: inAnyOrder(value.contents.value) } }
  : value && value.split(/[\s|]+/).sort());

const columns = 'NAME | KIND | RANGE | SELECTION | PARENT';
const hoverColumns = `${columns} | HOVER_INFO | EOL`;
// Its row has all that clangd's hover says, which is left out there.
const namespace = '3';

/** The rows of an answer in the object form, after a check of all else in it. */
function rows(answer, header = hoverColumns) {
  assert.deepEqual(Object.keys(answer), ['success', 'format', 'symbols']);
  assert.deepEqual([answer.success, answer.format], [true, 'table']);
  assert.equal(answer.symbols.split('\n')[0], header);
  return cells(answer.symbols);
}

/** The rows without hovers that a DocumentSymbol[] of the server should become. */
const expectedRows = (symbols) =>
  inPreOrder(symbols).map(({ name, kind, range, selectionRange, parent }) =>
    [name, String(kind), rangeText(range), rangeText(selectionRange), parent]);
const topLevel = (symbols) => symbols.map(({ children, ...symbol }) => symbol);
const firstLevels = (symbols, levels) =>
  symbols.map(({ children, ...symbol }) =>
    (children && levels > 1 ? { ...symbol, children: firstLevels(children, levels - 1) } : symbol));

/** A folder of its own for a test, with the fixture. */
function project(t, name) {
  const root = folderWith(t, name);
  return { root, file: join(root, name) };
}

const cases = [
  { server: 'clangd', name: 'geometry.cpp', other: join(nlohmann, 'json.hpp') },
  { server: 'TypeScript 7', name: 'geometry.ts', other: zod },
  { server: 'typescript-language-server', name: 'geometry.ts', other: join(rxjs, 'Observable.ts') },
];

for (const { server, name, other } of cases) {
  const { language } = languageServers[server];

  test(`${server}, --format standard: every answer is the server's own`, async (t) => {
    const { root, file } = project(t, name);
    const ask = async (proxy) => {
      const session = await start(t, server, proxy, { root });
      await session.open(file, language);
      const { result: symbols } = await outcome(documentSymbol(session, file));
      const textDocument = { uri: uriOf(file) };
      const answers = [symbols];
      for (const { selectionRange: { start } } of inPreOrder(symbols)) {
        answers.push(inAnyOrder(await hoverAt(session, file, start)));
      }
      const { start: position } = symbols.at(-1).selectionRange;
      for (const [method, params] of [
        ['textDocument/definition', { textDocument, position }],
        ['textDocument/references', { textDocument, position, context: { includeDeclaration: true } }],
        ['textDocument/documentHighlight', { textDocument, position }],
        ['textDocument/foldingRange', { textDocument }],
        ['textDocument/noSuchThing', { textDocument }],
      ]) answers.push(await outcome(session.request(method, params)));
      await session.open(other, language);
      answers.push(await documentSymbol(session, other));
      await session.end();
      return { initialized: session.initialized, answers };
    };
    const direct = await ask(undefined);
    const behind = await ask(['--format', 'standard']);
    assert.ok(direct.answers[0].length > 0);
    assert.deepEqual(behind.answers, direct.answers);

    const { symbols, ...experimental } = behind.initialized.capabilities.experimental;
    assert.deepEqual(Object.keys(symbols).sort(), ['formats', 'options', 'version']);
    if (Object.keys(experimental).length > 0) behind.initialized.capabilities.experimental = experimental;
    else delete behind.initialized.capabilities.experimental;
    assert.deepEqual(behind.initialized, direct.initialized);
  });

  test(`${server}: tables, and what each request asks for`, async (t) => {
    const { root, file } = project(t, name);
    const own = await start(t, server, undefined, { root });
    await own.open(file, language);
    const tree = await documentSymbol(own, file);
    const session = await start(t, server, [], { root });
    await session.open(file, language);
    const ask = (options) => documentSymbol(session, file, options);

    const usual = rows(await ask());
    assert.deepEqual(usual.map((row) => row.slice(0, 5)), expectedRows(topLevel(tree)));
    assert.ok(usual.every(([, kind, , , , hover, end]) => (hover !== '' || kind === namespace) && end === '<<<'));

    const whole = rows(await ask({ return_children: 'yes' }));
    assert.deepEqual(whole.map((row) => row.slice(0, 5)), expectedRows(tree));
    assert.deepEqual(rows(await ask({ return_children: 'auto', format: 'table' })), whole);
    const bare = { include_hover: false };
    assert.deepEqual(rows(await ask({ ...bare, return_children: 'yes' }), columns), expectedRows(tree));
    assert.deepEqual(rows(await ask({ ...bare, return_children: 'no' }), columns), expectedRows(topLevel(tree)));
    for (const levels of [1, 2]) {
      assert.deepEqual(rows(await ask({ ...bare, return_children: levels }), columns), expectedRows(firstLevels(tree, levels)));
    }

    assert.deepEqual(await ask({ format: 'standard' }), tree);
    const textDocument = { uri: uriOf(file) };
    assert.deepEqual(rows(await session.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [{ textDocument }] })), usual);

    // A file that this client never opened is opened for it.
    await own.open(other, language);
    const otherRows = expectedRows(await documentSymbol(own, other));
    const options = { return_children: 'yes', include_hover: false };
    assert.deepEqual(rows(await documentSymbol(session, other, options), columns), otherRows);
    await session.end();
    await own.end();
  });

  test(`${server}: hovers as a row, as text, as they are`, async (t) => {
    const { root, file } = project(t, name);
    const own = await start(t, server, undefined, { root });
    const session = await start(t, server, [], { root });
    for (const each of [own, session]) await each.open(file, language);
    const tree = await documentSymbol(own, file);
    const whole = rows(await documentSymbol(session, file, { return_children: 'yes', hover_chars: 0 }));
    const symbols = inPreOrder(tree);
    for (const [i, { name, selectionRange: { start: position } }] of symbols.entries()) {
      const direct = await hoverAt(own, file, position);
      const same = await hoverAt(session, file, position, { hover_reply: 'standard' });
      assert.deepEqual(inAnyOrder(same), inAnyOrder(direct), name);
      const tabular = await hoverAt(session, file, position);
      if (direct === null) {
        assert.equal(tabular, null, name);
        continue;
      }
      assert.deepEqual(tabular.range, direct.range, name);
      assert.equal(tabular.contents.kind, 'plaintext');
      const [header, row, ...rest] = tabular.contents.value.split('\n');
      assert.deepEqual([header, rest], [hoverColumns, []]);
      const [word, kind, place, selection, parent, hover, mark] = cells(`${header}\n${row}`)[0];
      assert.deepEqual([kind, place, selection, parent, mark], [...whole[i].slice(1, 5), '<<<'], name);
      // A server's union types come in an order that depends on what it was asked before.
      assert.deepEqual(inAnyOrder(hover), inAnyOrder(whole[i][5]), name);
      assert.ok(name.includes(word), `${word} of ${name}`);
      const text = await hoverAt(session, file, position, { hover_reply: 'text' });
      const alone = kind === namespace && hover === '' ? `namespace ${name} {}` : hover;
      assert.deepEqual(text, { ...tabular, contents: { kind: 'plaintext', value: alone } }, name);
      const short = await hoverAt(session, file, position, { hover_reply: 'text', hover_chars: 10 });
      assert.ok([...short.contents.value].length <= 10, name);
    }
    // Nothing is at the start of the empty second line of either fixture's second paragraph.
    const blank = { line: language === 'cpp' ? 2 : 1, character: 0 };
    assert.deepEqual(await hoverAt(session, file, blank), await hoverAt(own, file, blank));
    assert.equal(await hoverAt(own, file, blank), null);
    await session.end();
    await own.end();
  });
}

test('a client that goes away without a word leaves nothing', async (t) => {
  for (const server of Object.keys(languageServers)) {
    const session = await start(t, server, [], { root: folder(t) });
    assert.ok(session.pids().length >= 2);
    session.drop();
    await session.noneLeft();
  }
});

// Microsoft's vscode-jsonrpc as a client of `symbols proxy`: all forms of an answer, compared with what the same client gets
// from the server itself.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from './language_servers.mjs';
import { inPreOrder, rangeText } from './plain_client.mjs';
import { cells, folder, folderWith, proxied, run, sourcesFolder } from './program.mjs';
import { fullCapabilities, startSession, uriOf } from './vscode_jsonrpc.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal');
const nlohmann = '/usr/include/nlohmann';

/** A session with a server behind the proxy with these options, or without it where `proxy` is undefined. */
function start(t, server, proxy, { root, ...more }) {
  const { command, args, initializationOptions } = languageServers[server];
  const direct = [command, ...args];
  return startSession(t, proxy ? proxied(proxy, direct) : direct, { root, initializationOptions, ...more });
}

/** Ends a session as a client should, and looks that nothing of it stays. */
async function end(session) {
  const { shutdown, status, stderr } = await session.end();
  assert.equal(shutdown, null);
  // TypeScript 7 itself ends now with 0, now with 1 ("context canceled").
  assert.ok(status === 0 || (status === 1 && stderr.includes('context canceled')), `status ${status}: ${stderr}`);
  await session.noneLeft();
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
  { server: 'clangd', name: 'geometry.cpp', other: join(nlohmann, 'adl_serializer.hpp') },
  { server: 'TypeScript 7', name: 'geometry.ts', other: join(rxjs, 'Observable.ts') },
  { server: 'typescript-language-server', name: 'geometry.ts', other: join(rxjs, 'Observable.ts') },
];

for (const { server, name, other } of cases) {
  const { language } = languageServers[server];

  for (const format of server === 'clangd' ? ['standard', 'json'] : ['standard']) {
    test(`${server}, --format ${format}: every answer is the server's own`, async (t) => {
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
        await end(session);
        return { initialized: session.initialized, answers };
      };
      const direct = await ask(undefined);
      const behind = await ask(['--format', format]);
      assert.ok(direct.answers[0].length > 0);
      assert.deepEqual(behind.answers, direct.answers);

      const { symbols, ...experimental } = behind.initialized.capabilities.experimental;
      assert.deepEqual(Object.keys(symbols).sort(), ['formats', 'options', 'version']);
      if (Object.keys(experimental).length > 0) behind.initialized.capabilities.experimental = experimental;
      else delete behind.initialized.capabilities.experimental;
      assert.deepEqual(behind.initialized, direct.initialized);
    });
  }

  test(`${server}: tables, and what each request asks for`, async (t) => {
    const { root, file } = project(t, name);
    const own = await start(t, server, undefined, { root });
    await own.open(file, language);
    const tree = await documentSymbol(own, file);
    const session = await start(t, server, [], { root });
    const { capabilities } = session.initialized;
    assert.ok(capabilities.executeCommandProvider.commands.includes('symbols.documentSymbols'));
    for (const format of ['table', 'json']) assert.ok(capabilities.experimental.symbols.formats.includes(format));
    for (const option of ['format', 'include_hover', 'return_children', 'hover_chars', 'hover_reply', 'carrier', 'timeout_ms']) {
      assert.ok(capabilities.experimental.symbols.options.includes(option), option);
    }
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

    const short = rows(await ask({ return_children: 'yes', hover_chars: 12 }));
    short.forEach(([name, , , , , hover], i) => {
      const long = [...whole[i][5]];
      assert.equal(hover, long.length <= 12 ? whole[i][5] : `${long.slice(0, 11).join('')}…`, name);
    });

    for (const format of ['standard', 'json']) assert.deepEqual(await ask({ format }), tree);
    // Asked for levels, it is built anew.
    const plain = (symbols) => symbols.map(({ name, kind, range, selectionRange, children = [] }) =>
      ({ name, kind, range, selectionRange, children: plain(children) }));
    assert.deepEqual(plain(await ask({ format: 'standard', return_children: 'yes' })), plain(tree));
    assert.deepEqual(plain(await ask({ format: 'standard', return_children: 1 })), plain(topLevel(tree)));
    const detailed = inPreOrder(await ask({ format: 'json', include_hover: true, return_children: 'yes' }));
    assert.deepEqual(detailed.map(({ name, detail = '' }) => [name, detail]), whole.map(([name, , , , , hover]) => [name, hover]));

    const [carrier, ...more] = await ask({ carrier: 'symbol' });
    assert.deepEqual(more, []);
    assert.equal(carrier.name, (await ask()).symbols);
    assert.deepEqual([carrier.kind, carrier.children, carrier.range.start], [1, [], { line: 0, character: 0 }]);
    assert.ok(carrier.range.end.line >= Math.max(...tree.map(({ range }) => range.end.line)));

    for (const [options, value] of [
      [{ format: 'xml' }, 'xml'], [{ format: 7 }, '7'], [{ include_hover: 'often' }, 'often'], [{ return_children: -1 }, '-1'],
      [{ hover_chars: 1.5 }, '1.5'], [{ hover_reply: 'shout' }, 'shout'], [{ carrier: 'pigeon' }, 'pigeon'], [{ timeout_ms: 'soon' }, 'soon'],
    ]) {
      const [option] = Object.keys(options);
      const { code, message } = await outcome(ask(options));
      assert.equal(code, -32602, message);
      assert.ok(message.includes(option) && message.includes(value), message);
    }
    // An option that is none is the server's affair.
    assert.deepEqual(rows(await ask({ no_such_option: 1 })), usual);

    const command = (argument) => session.request('workspace/executeCommand', { command: 'symbols.documentSymbols', arguments: [argument] });
    const textDocument = { uri: uriOf(file) };
    assert.deepEqual(rows(await command({ textDocument })), usual);
    assert.deepEqual(rows(await command({ textDocument, return_children: 'yes', include_hover: false }), columns), expectedRows(tree));
    assert.deepEqual(await command({ textDocument, format: 'standard' }), tree);

    // A file that this client never opened is opened for it.
    await own.open(other, language);
    const otherRows = expectedRows(await documentSymbol(own, other));
    const options = { return_children: 'yes', include_hover: false };
    assert.deepEqual(rows(await documentSymbol(session, other, options), columns), otherRows);
    const missing = uriOf(join(root, 'no such file'));
    const several = await command({ textDocuments: [textDocument, { uri: missing }, { uri: uriOf(other) }], ...options });
    assert.deepEqual(several.results.map(({ uri, result }) => [uri, rows(result, columns)]),
      [[textDocument.uri, expectedRows(tree)], [uriOf(other), otherRows]]);
    assert.deepEqual(several.errors.map(({ uri }) => uri), [missing]);
    await end(session);
    await end(own);
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
    await end(session);
    await end(own);
  });

  test(`${server}: initializationOptions.symbols before the command line, a request before both`, async (t) => {
    const { root, file } = project(t, name);
    const { initializationOptions } = languageServers[server];
    const session = await start(t, server, ['--children', 'no', '--format', 'table', '--hover'], {
      root, initializationOptions: { ...initializationOptions, symbols: { return_children: 'yes', include_hover: false } },
    });
    await session.open(file, language);
    const all = rows(await documentSymbol(session, file), columns);
    const tree = await documentSymbol(session, file, { format: 'standard', return_children: 'yes' });
    assert.deepEqual(all, expectedRows(tree));
    assert.deepEqual(rows(await documentSymbol(session, file, { return_children: 'no' }), columns), expectedRows(topLevel(tree)));
    await end(session);

    const { code, message } = await outcome(start(t, server, [], { root, initializationOptions: { symbols: { return_children: 'maybe' } } }));
    assert.equal(code, -32602, message);
    assert.match(message, /initializationOptions\.symbols.*return_children.*maybe/);
  });

  test(`${server}: a client without the hierarchy gets SymbolInformation[] where it asks for standard`, async (t) => {
    const { root, file } = project(t, name);
    const capabilities = {};
    const own = await start(t, server, undefined, { root, capabilities });
    const hierarchical = await start(t, server, undefined, { root });
    const session = await start(t, server, [], { root, capabilities });
    for (const each of [own, hierarchical, session]) await each.open(file, language);
    const flat = await documentSymbol(session, file, { format: 'standard' });
    const tree = inPreOrder(await documentSymbol(hierarchical, file));
    const uri = uriOf(file);
    assert.deepEqual(
      flat.map(({ name, kind, location, containerName = '' }) => ({ name, kind, location, containerName })),
      tree.map(({ name, kind, range, parent }) => ({ name, kind, location: { uri, range }, containerName: parent })));
    const places = (symbols) => symbols.map(({ name, location }) => `${name} ${rangeText(location.range)}`).sort();
    assert.deepEqual(places(flat), places(await documentSymbol(own, file)));
    assert.deepEqual(rows(await documentSymbol(session, file, { return_children: 'yes', include_hover: false }), columns), expectedRows(
      await documentSymbol(hierarchical, file)));
    for (const each of [own, hierarchical, session]) await end(each);
  });
}

test('clangd: what is cancelled ends at once with -32800, and what is asked next is answered', async (t) => {
  const session = await start(t, 'clangd', [], { root: nlohmann });
  const file = join(nlohmann, 'json.hpp');
  await session.open(file, 'cpp');
  // clangd needs a second and more before it has this file's symbols.
  const cancelled = documentSymbol(session, file, { return_children: 'yes' });
  const kept = documentSymbol(session, file, { return_children: 'yes', include_hover: false });
  const ended = [];
  cancelled.cancel();
  const refused = outcome(cancelled).then((answer) => (ended.push('cancelled'), answer));
  const answered = kept.then((answer) => (ended.push('kept'), answer));
  assert.equal((await refused).code, -32800);
  assert.equal(rows(await answered, columns).length, 320);
  assert.deepEqual(ended, ['cancelled', 'kept']);
  await end(session);
});

test('clangd: 30 requests at once, each gets its own answer', async (t) => {
  const session = await start(t, 'clangd', [], { root: nlohmann });
  const file = join(nlohmann, 'json.hpp');
  await session.open(file, 'cpp');
  const forms = [{ return_children: 'yes', include_hover: false }, { include_hover: false }, { format: 'standard' }];
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => documentSymbol(session, file, forms[i % 3])));
  answers.forEach((answer, i) => assert.deepEqual(answer, answers[i % 3]));
  assert.equal(rows(answers[0], columns).length, 320);
  assert.deepEqual(rows(answers[0], columns), expectedRows(answers[2]));
  assert.deepEqual(rows(answers[1], columns), expectedRows(topLevel(answers[2])));
  // over 100 rows: top level only
  assert.deepEqual(await documentSymbol(session, file, { return_children: 'auto', include_hover: false }), answers[1]);
  await end(session);
});

test('clangd: hovers that do not come in time are left out and counted', async (t) => {
  const session = await start(t, 'clangd', [], { root: nlohmann });
  const file = join(nlohmann, 'json.hpp');
  await session.open(file, 'cpp');
  const all = expectedRows(await documentSymbol(session, file, { format: 'standard' }));
  const { meta, ...answer } = await documentSymbol(session, file, { return_children: 'yes', timeout_ms: 1 });
  const late = rows(answer);
  assert.deepEqual(late.map((row) => row.slice(0, 5)), all);
  const empty = late.filter(([, , , , , hover]) => hover === '').length;
  assert.ok(empty > 0 && meta.hovers_missing > 0 && meta.hovers_missing <= empty, `${meta.hovers_missing} of ${empty}`);
  await end(session);
});

test('the answers of the command are those of the proxy', async (t) => {
  for (const { server, name } of cases) {
    const { root, file } = project(t, name);
    const session = await start(t, server, [], { root });
    await session.open(file, languageServers[server].language);
    const { symbols } = await documentSymbol(session, file, { return_children: 'yes' });
    const { command, args } = languageServers[server];
    const { stdout } = await run(['--root', root, '--server', [command, ...args].join(' '), file]);
    assert.equal(symbols.split('\n').length, stdout.split('\n').length - 1);
    symbols.split('\n').forEach((row, i) => assert.deepEqual(inAnyOrder(row), inAnyOrder(stdout.split('\n')[i])));
    await end(session);
  }
});

test('a client that goes away without a word leaves nothing', async (t) => {
  for (const server of Object.keys(languageServers)) {
    const session = await start(t, server, [], { root: folder(t), capabilities: fullCapabilities });
    assert.ok(session.pids().length >= 2);
    session.drop();
    await session.noneLeft();
  }
});

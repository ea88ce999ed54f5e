// How the VS Code extension asks: its module for that, built as for the extension and run in Node.js, with the real program. Real
// servers answer, and a scripted one where a server must hang, or dawdle, on command.
import assert from 'node:assert/strict';
import { chmodSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { CancellationTokenSource, documentOf, loadModule } from './vscode_api.mjs';
import { serverSettings } from '../e2e/language_servers.mjs';
import { eventually, fixture, folder, marked, project, run, serversFolder, symbolsPath, timeFactor, wordsOf } from '../e2e/program.mjs';

const limit = { timeout: 120_000 * timeFactor };
const clangd = [{ languages: ['cpp'], command: ['/usr/bin/clangd-19'] }];
const fakeServer = join(project, 'tests', 'e2e', 'fake_server.mjs');
/** The scripted server for files of the language `x`. */
const scripted = (scenario) => [{ languages: ['x'], command: [process.execPath, fakeServer, scenario] }];

/** The program itself, at a path of its own, which writes the first word of its arguments into the file `starts`, a line for each start. */
function recordingProgram(t, starts) {
  const program = join(folder(t, { symbols: `#!/bin/sh\necho "$1" >>'${starts}'\nexec '${symbolsPath}' "$@"\n` }), 'symbols');
  chmodSync(program, 0o755);
  return program;
}
const files = Object.fromEntries(['geometry.cpp', 'geometry.ts'].map((name) => [name, readFileSync(fixture(name), 'utf8')]));
process.env.SYMBOLS_SERVERS_DIR = serversFolder;

// Of what a failed test leaves running.
const mark = marked();
Object.assign(process.env, mark.env);
after(mark.kill);

/** What asks, in a folder with these files; all that it has started ends with the test. */
async function start(t, { settings, files: own = files, ...options }) {
  const cwd = realpathSync(folder(t, own));
  process.env.XDG_CONFIG_HOME = folder(t, serverSettings);
  const loaded = loadModule(t, 'answers', { cwd, settings: { 'symbols.path': symbolsPath, ...settings } });
  const answers = new loaded.Answers(loaded.channel, options);
  t.after(() => answers.restart());
  const table = (document, token) => answers.table(document, answers.form(document, 'prompt'), token);
  return { ...loaded, answers, table, cwd, open: (name, language, text) => documentOf(join(cwd, name), language, text) };
}

for (const format of ['table', 'tree', 'json']) {
  test(`a symbol and its context is answered whatever the format of tables: ${format}`, limit, async (t) => {
    const { answers, cwd, open } = await start(t, { settings: { 'symbols.format': format, 'symbols.servers': clangd } });
    const printed = await run(['context', '--format', 'table', 'geometry.cpp:10:10'], { cwd, env: { XDG_CONFIG_HOME: process.env.XDG_CONFIG_HOME } });
    const answer = await answers.context(open('geometry.cpp', 'cpp'), { line: 9, character: 9 });
    assert.equal(`${answer}\n`, printed.stdout);
  });
}

test('a server that ends after its successor was started takes nothing from it', limit, async (t) => {
  const starts = join(folder(t), 'starts');
  const settings = { 'symbols.path': recordingProgram(t, starts), 'symbols.servers': scripted('plain') };
  const { answers, table, open } = await start(t, { settings, files: { 'a.x': 'alpha\n' } });
  const document = open('a.x', 'x');
  const ask = async () => assert.match(await table(document), /^alpha \| 12 /m);
  await ask();
  const [first] = mark.pids().filter((pid) => wordsOf(pid)[1] === fakeServer);
  process.kill(first, 'SIGSTOP');
  const ended = answers.restart();
  await ask();  // while the first one still has to answer `shutdown`
  try {
    process.kill(first, 'SIGCONT');
  } catch {}  // it was waited for no longer
  await ended;
  await ask();
  assert.equal(readFileSync(starts, 'utf8'), 'proxy\nproxy\n');
});

const hanging = { settings: { 'symbols.servers': scripted('silent-at-once') }, files: { 'a.x': 'alpha\n' } };
// What ends the wait for a server that never answers `initialize`, by itself or by a person; and what the one who asked is told.
for (const { name, startLimit, end, says } of [
  { name: 'a time limit', startLimit: 500, end: () => {}, says: /has not answered 'initialize' within 0\.5 s and was ended/ },
  { name: 'Restart', end: async ({ answers }) => {
    await eventually(() => mark.pids().length === 2, 30_000 * timeFactor);  // symbols, and the server
    await answers.restart();
  }, says: /was ended before it had answered/ },
]) {
  test(`the wait for a server that never starts is ended by ${name}, and so is the server`, limit, async (t) => {
    const started = await start(t, { ...hanging, startLimit });
    const asked = assert.rejects(started.table(started.open('a.x', 'x')), says);
    await end(started);
    await asked;
    await eventually(() => mark.pids().length === 0, 20_000 * timeFactor);
  });
}

test('the wait for a server that never starts can be cancelled; the others wait on', limit, async (t) => {
  const { answers, table, open, vscode } = await start(t, hanging);
  const document = open('a.x', 'x');
  const source = new CancellationTokenSource();
  const patient = assert.rejects(table(document), /was ended/);
  const cancelled = assert.rejects(table(document, source.token), vscode.CancellationError);
  await eventually(() => mark.pids().length === 2, 30_000 * timeFactor);
  source.cancel();
  await cancelled;
  assert.equal(mark.pids().length, 2);
  await answers.restart();
  await patient;
  await eventually(() => mark.pids().length === 0, 20_000 * timeFactor);
});

test('a server that refuses to start is ended', limit, async (t) => {
  const { table, open } = await start(t, { ...hanging, settings: { 'symbols.servers': scripted('initialize-refused') } });
  await assert.rejects(table(open('a.x', 'x')), /licence expired/);
  await eventually(() => mark.pids().length === 0, 20_000 * timeFactor);
});

// Without an entry in symbols.servers: `symbols FILE` answers.
async function printed(args, cwd) {
  const { status, stdout, stderr } = await run(args, { cwd });
  assert.equal(status, 0, stderr);
  return stdout.replace(/\n$/, '');
}

test('a file without a running server is answered with its own options, not with those of the proxy', limit, async (t) => {
  const { table, cwd, open } = await start(t, { settings: {
    'symbols.servers': [], 'symbols.arguments': ['--ascii'], 'symbols.fileArguments': ['--no-hover', '--children', 'no'], 'symbols.format': 'tree',
  } });
  assert.equal(await table(open('geometry.ts', 'typescript')),
    await printed(['--format', 'tree', '--no-hover', '--children', 'no', 'geometry.ts'], cwd));
});

test('the options of the proxy are told to it', limit, async (t) => {
  const { table, open } = await start(t, { settings: {
    'symbols.servers': clangd, 'symbols.arguments': ['--no-hover'], 'symbols.fileArguments': ['--nonsense'] } });
  assert.match(await table(open('geometry.cpp', 'cpp')), /^NAME \| KIND \| RANGE \| SELECTION \| PARENT\n/);
});

test('unless a format is set, a person is shown the outline with kinds as words, and a prompt gets the table', limit, async (t) => {
  for (const servers of [clangd, []]) {
    const { answers, table, cwd, open } = await start(t, { settings: { 'symbols.servers': servers } });
    const document = open('geometry.cpp', 'cpp');
    const shown = await answers.table(document, { ...answers.form(document, 'person'), positions: true });
    assert.equal(shown, await printed(['--format', 'outline', '--kind-names', '--positions', 'geometry.cpp'], cwd));
    assert.equal(await table(document), await printed(['geometry.cpp'], cwd));
  }
});

test('unsaved text without a running server is refused: only the saved file could be answered', limit, async (t) => {
  const { answers, table, open } = await start(t, { settings: { 'symbols.servers': clangd } });
  const says = /'geometry\.ts' has changes that are not saved.*save the file first.*'typescript'.*symbols\.servers/;
  const document = open('geometry.ts', 'typescript', `\n${files['geometry.ts']}`);
  await assert.rejects(table(document), says);
  await assert.rejects(answers.context(document, { line: 1, character: 0 }), says);
  // With one it is seen.
  assert.match(await table(open('geometry.cpp', 'cpp', 'int not_saved;\n')), /^not_saved \| 13 \| /m);
});

const manyFiles = {
  ...files, 'b.ts': 'const b = 1;\n', 'c\\|\t.ts': 'const c = 1;\n', 'notes.txt': 'No server knows this.\n', 'not_saved.ts': 'const d = 1;\n' };
for (const format of ['table', 'tree', 'outline', 'tsv', 'toon', 'packed', 'json']) {
  test(`several files: one run for all that have no running server, each with its own answer or failure: ${format}`, limit, async (t) => {
    const starts = join(folder(t), 'starts');
    const { answers, cwd, open } = await start(t, {
      settings: { 'symbols.path': recordingProgram(t, starts), 'symbols.servers': clangd, 'symbols.format': format }, files: manyFiles });
    const documents = [
      open('geometry.ts', 'typescript'), open('notes.txt', 'plaintext'), open('geometry.cpp', 'cpp'), open('b.ts', 'typescript'),
      open('not_saved.ts', 'typescript', 'let d;\n'), open('c\\|\t.ts', 'typescript'),
    ];
    const results = (await answers.tables(documents)).map(({ value, reason }) => value ?? reason.message);
    assert.deepEqual(readFileSync(starts, 'utf8').trim().split('\n').sort(), ['--format', 'proxy']);
    const [geometry, notes, cpp, b, notSaved, c] = results;
    for (const [name, answer] of [['geometry.ts', geometry], ['b.ts', b], ['c\\|\t.ts', c]]) {
      assert.equal(answer, await printed(['--format', format, name], cwd), name);
    }
    assert.match(notes, /^cannot answer for .*notes\.txt: no language server is known for such files[^;]*;[^;]*$/);
    assert.match(cpp, /\bcalculate_area\b/);
    assert.match(notSaved, /save the file first/);
  });
}

test('several files: a run that fails altogether is the reason for each', limit, async (t) => {
  const { answers, open } = await start(t, {
    settings: { 'symbols.servers': [], 'symbols.fileArguments': ['--nonsense'] }, files: manyFiles });
  const results = await answers.tables([open('b.ts', 'typescript'), open('geometry.ts', 'typescript')]);
  for (const { reason } of results) assert.match(reason.message, /--nonsense/);
  assert.equal(results.length, 2);
});

test('open editors: each file once, in the order of the tabs; what is no file is named, tables and other views are not', limit, async (t) => {
  const { openDocuments, vscode } = loadModule(t, 'open_editors', { cwd: '/p' });
  const text = (uri, label) => ({ label, input: new vscode.TabInputText(new vscode.Uri(uri)) });
  vscode.window.tabGroups = { all: [
    { tabs: [text('file:///p/b.ts', 'b.ts'), text('untitled:Untitled-1', 'Untitled-1'), { label: 'Settings', input: undefined }] },
    { tabs: [text('file:///p/gone.ts', 'gone.ts'), text('symbols:/p/b.ts.symbols', 'b.ts.symbols'), text('git:/p/a.ts', 'a.ts (HEAD)'),
      { label: 'a.ts ↔ b.ts', input: new vscode.TabInputTextDiff() }, text('file:///p/b.ts', 'b.ts'), text('file:///p/a.ts', 'a.ts')] },
  ] };
  vscode.workspace.openTextDocument = async (uri) => {
    if (uri.path === '/p/gone.ts') throw new Error('no such file');
    return uri.path;
  };
  assert.deepEqual(await openDocuments(), {
    documents: ['/p/b.ts', '/p/a.ts'], failures: ['gone.ts: no such file'],
    leftOut: ['Untitled-1 (never saved)', 'a.ts (HEAD) (no file on the disk)', 'a.ts ↔ b.ts (a comparison)'],
  });
});

for (const [trace, expected] of [
  ['off', /^(?!.*\[trace\])/s],
  ['messages', /^\[trace\] Sending request 'initialize.*^\[trace\] Received response 'workspace\/executeCommand/ms],
  ['verbose', /^\[trace\] Sending request 'initialize.*clientInfo/ms],
]) {
  test(`the output channel says what was started, and with symbols.trace ${trace} what it should`, limit, async (t) => {
    const { table, open, output, cwd } = await start(t, { settings: { 'symbols.servers': clangd, 'symbols.trace': trace } });
    await table(open('geometry.cpp', 'cpp'));
    assert.equal(output[0], `starting: ${symbolsPath} proxy --format standard -- /usr/bin/clangd-19 (in ${cwd})`);
    assert.match(output.join('\n'), expected);
  });
}

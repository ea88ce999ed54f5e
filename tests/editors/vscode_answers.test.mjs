// How the VS Code extension asks: its module for that, built as for the extension and run in Node.js, with the real program. Real
// servers answer, and a scripted one where a server must hang, or dawdle, on command.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { serverSettings } from '../e2e/language_servers.mjs';
import { eventually, fixture, folder, marked, printed as print, project, serversFolder, symbolsPath, timeFactor } from '../e2e/program.mjs';

const extension = join(project, 'editors', 'vscode');
const fromExtension = createRequire(join(extension, 'package.json'));
const { properties } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')).contributes.configuration;
const { CancellationTokenSource } = fromExtension('vscode-jsonrpc/node');

class Uri {
  constructor(text) { this.text = text; }
  static file(path) { return new Uri(pathToFileURL(path).href); }
  static joinPath(uri, ...names) { return Uri.file(join(uri.fsPath, ...names)); }
  get scheme() { return new URL(this.text).protocol.slice(0, -1); }
  get path() { return decodeURIComponent(new URL(this.text).pathname); }
  get fsPath() { return this.scheme === 'file' ? fileURLToPath(this.text) : this.path; }
  toString() { return this.text; }
}

/** The API for one test: with these settings, over those that package.json gives, and with `cwd` as the folder that is open. */
function api({ cwd, settings }) {
  const tell = async () => {};
  const nothing = { dispose() {} };
  return {
    Uri,
    CancellationError: class CancellationError extends Error {},
    workspace: {
      getConfiguration: (section) => ({
        get: (name) => settings[`${section}.${name}`] ?? properties[`${section}.${name}`].default,
      }),
      getWorkspaceFolder: () => ({ uri: Uri.file(cwd) }),
      asRelativePath: (uri) => relative(cwd, uri.fsPath),
      onDidSaveTextDocument: () => nothing,
      onDidCloseTextDocument: () => nothing,
    },
    window: { setStatusBarMessage: tell, showErrorMessage: tell, showWarningMessage: tell },
    commands: {},
  };
}

/** The file of this path as a document in an editor; `text` where it is not the saved one. */
function documentOf(path, languageId, text) {
  return {
    uri: Uri.file(path), fileName: path, languageId, version: text === undefined ? 1 : 2, isDirty: text !== undefined,
    getText: () => text ?? readFileSync(path, 'utf8'),
  };
}

/** A module of the extension, as it is built, and the API that it then has. */
function loadModule(t, name, { cwd, settings = {} }) {
  const vscode = api({ cwd, settings });
  const file = join(folder(t), `${basename(name)}.cjs`);
  const banner = `const outer = require; require = (name) => (name === 'vscode' ? globalThis[${JSON.stringify(dirname(file))}] : outer(name));`;
  execFileSync(join(extension, 'node_modules', '.bin', 'esbuild'), [
    join(extension, 'src', `${name}.ts`), `--outfile=${file}`, '--bundle', '--platform=node', '--target=node16', '--format=cjs',
    '--external:vscode', `--banner:js=${banner}`, '--log-level=warning',
  ]);
  globalThis[dirname(file)] = vscode;
  t.after(() => { delete globalThis[dirname(file)]; });
  return { ...createRequire(file)(file), vscode, channel: { appendLine() {}, show() {} } };
}

const limit = { timeout: 120_000 * timeFactor };
const clangd = [{ languages: ['cpp'], command: ['/usr/bin/clangd-19'] }];
const fakeServer = join(project, 'tests', 'e2e', 'fake_server.mjs');
/** The scripted server for files of the language `x`. */
const scripted = (scenario) => [{ languages: ['x'], command: [process.execPath, fakeServer, scenario] }];

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

const hanging = { settings: { 'symbols.servers': scripted('silent-at-once') }, files: { 'a.x': 'alpha\n' } };
// What ends the wait for a server that does not start, by itself or by a person; and what the one who asked is told.
for (const { name, scenario = 'silent-at-once', startLimit, end = () => {}, says } of [
  { name: 'a time limit', startLimit: 500, says: /has not answered 'initialize' within 0\.5 s and was ended/ },
  { name: 'its refusal', scenario: 'initialize-refused', says: /licence expired/ },
  { name: 'Restart', end: async ({ answers }) => {
    await eventually(() => mark.pids().length === 2, 30_000 * timeFactor);  // symbols, and the server
    await answers.restart();
  }, says: /was ended before it had answered/ },
]) {
  test(`the wait for a server that does not start is ended by ${name}, and so is the server`, limit, async (t) => {
    const started = await start(t, { ...hanging, settings: { 'symbols.servers': scripted(scenario) }, startLimit });
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

// Without an entry in symbols.servers: `symbols FILE` answers.
const printed = async (args, cwd) => (await print(args, { cwd })).replace(/\n$/, '');

test('a file without a running server is answered with its own options, others with those of the proxy', limit, async (t) => {
  const { table, cwd, open } = await start(t, { settings: {
    'symbols.servers': clangd, 'symbols.arguments': ['--no-hover'], 'symbols.fileArguments': ['--children', 'no'], 'symbols.format': 'tree',
  } });
  assert.equal(await table(open('geometry.ts', 'typescript')), await printed(['--format', 'tree', '--children', 'no', 'geometry.ts'], cwd));
  assert.equal(await table(open('geometry.cpp', 'cpp')), await printed(['--format', 'tree', '--no-hover', 'geometry.cpp'], cwd));
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

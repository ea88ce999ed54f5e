// What the extension's modules use of the `vscode` API, for tests of them in Node.js that would be slow in VS Code: settings,
// documents, messages. Everything else in these tests is real; tests/editors/vscode.test.mjs runs the extension in VS Code itself.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { folder, project } from '../e2e/program.mjs';

const extension = join(project, 'editors', 'vscode');
const fromExtension = createRequire(join(extension, 'package.json'));
const { properties } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8')).contributes.configuration;
export const { CancellationTokenSource } = fromExtension('vscode-jsonrpc/node');

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
export function documentOf(path, languageId, text) {
  return {
    uri: Uri.file(path), fileName: path, languageId, version: text === undefined ? 1 : 2, isDirty: text !== undefined,
    getText: () => text ?? readFileSync(path, 'utf8'),
  };
}

/** A module of the extension, as it is built, and the API that it then has. */
export function loadModule(t, name, { cwd, settings = {} }) {
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

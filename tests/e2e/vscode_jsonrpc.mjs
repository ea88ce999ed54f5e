// A session with a language server over Microsoft's vscode-jsonrpc, which VS Code's own language clients stand on.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { serverSettings } from './language_servers.mjs';
import { clientsFolder, folder, marked, timeFactor } from './program.mjs';

const rpc = createRequire(join(clientsFolder, 'package.json'))('vscode-jsonrpc/node');

const kinds = Array.from({ length: 26 }, (_, i) => i + 1);
/** What a client says that can do all that the tests look at. */
export const fullCapabilities = {
  textDocument: {
    documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: kinds } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
  },
  workspace: { symbol: { symbolKind: { valueSet: kinds } } },
};

export const uriOf = (file) => pathToFileURL(file).href;

/**
 * Starts `command` (an array) in the folder `root` and initializes it. `.initialized` is its answer; `.request(method,
 * params)` gives a promise of the result, which rejects with a ResponseError, and has `.cancel()`; `.open(file, language)`
 * opens a file; `.end()` shuts the server down and gives its exit status, `.drop()` just goes away; `.pids()` are the
 * processes that still run.
 */
export async function startSession(t, command, { root, capabilities = fullCapabilities, initializationOptions }) {
  const { env, pids, noneLeft } = marked();
  const settings = { XDG_CONFIG_HOME: folder(t, serverSettings) };
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: root, env: { ...process.env, ...settings, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.on('data', (chunk) => { stderr += chunk; });
  const ended = new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status, signal) => resolve({ status, signal, stderr }));
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
  const request = (method, params) => {
    const source = new rpc.CancellationTokenSource();
    const promise = connection.sendRequest(method, ...given(params), source.token);
    promise.cancel = () => source.cancel();
    return promise;
  };
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
      const answer = await request('shutdown');
      await notify('exit');
      const late = setTimeout(() => child.kill('SIGKILL'), 60_000 * timeFactor);
      ended.then(() => clearTimeout(late));
      return { shutdown: answer, ...await ended };
    },
  };
}

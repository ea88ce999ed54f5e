// Records a session with a real server for fixtures/sessions/, by way of a client that asks for about everything that editors
// ask for. The folder that it works in, and so the paths in the record, are the same on every machine.
//
//   node record_session.mjs clangd|typescript7|typescript-language-server > fixtures/sessions/NAME.txt
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { frameSplitter, writeMessage } from './lsp_stream.mjs';
import { fixture, serversFolder } from './program.mjs';
import { writeTranscript } from './transcript.mjs';

const folder = '/tmp/symbols-session';
const modules = join(serversFolder, 'node_modules');
const native = () => join(modules, '@typescript', readdirSync(join(modules, '@typescript')).find((name) => name.startsWith('typescript-')), 'lib', 'tsc');

const cpp = {
  language: 'cpp',
  files: {
    'geometry.cpp': readFileSync(fixture('geometry.cpp'), 'utf8'),
    'größe.cpp': '/// Grüße an die Welt 💥 – „漢字“.\nconst char* grüße = "💥 ü";\nint länge() { return grüße[0] + undeclared; }\n',
  },
  member: { after: 'return circle.', text: '\nint more() { geometry::Circle<double> c(1); return c.' },
  name: 'calculate_area',
};
const typescript = {
  language: 'typescript',
  files: {
    'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8'),
    'größe.ts': '/** Grüße an die Welt 💥 – „漢字“. */\nexport const grüße = "💥 ü";\nexport const länge = (): number => grüße.length + undeclared;\n',
    'tsconfig.json': '{"compilerOptions": {"strict": true, "lib": ["es5"], "types": []}}',
  },
  member: { text: '\nnew Circle(1).' },
  name: 'calculateArea',
};
const servers = {
  clangd: { ...cpp, command: 'clangd-19', args: ['--limit-results=20', '--log=error'] },
  typescript7: { ...typescript, command: native(), args: ['--lsp', '--stdio'] },
  'typescript-language-server': {
    ...typescript,
    command: join(modules, '.bin', 'typescript-language-server'),
    args: ['--stdio'],
    initializationOptions: {
      disableAutomaticTypingAcquisition: true,
      tsserver: { path: join(modules, 'typescript/lib/tsserver.js'), useSyntaxServer: 'never' },
    },
  },
};

const dynamic = { dynamicRegistration: true };
const kinds = Array.from({ length: 26 }, (_, i) => i + 1);
const capabilities = {
  workspace: {
    applyEdit: true, configuration: true, workspaceFolders: true, didChangeConfiguration: dynamic, didChangeWatchedFiles: dynamic,
    symbol: { symbolKind: { valueSet: kinds } }, semanticTokens: { refreshSupport: true }, inlayHint: { refreshSupport: true }, diagnostics: { refreshSupport: true },
  },
  textDocument: {
    synchronization: { didSave: true }, publishDiagnostics: { relatedInformation: true, versionSupport: true }, diagnostic: dynamic,
    completion: { completionItem: { snippetSupport: true, documentationFormat: ['markdown'] } }, hover: { contentFormat: ['markdown', 'plaintext'] },
    definition: { linkSupport: true }, documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: kinds } },
    semanticTokens: { requests: { full: true }, tokenTypes: ['class', 'function', 'variable'], tokenModifiers: ['static'], formats: ['relative'] },
    codeAction: { codeActionLiteralSupport: { codeActionKind: { valueSet: ['quickfix', 'refactor'] } } }, rename: { prepareSupport: true }, inlayHint: {},
  },
  window: { workDoneProgress: true, showMessage: {} },
};

const which = process.argv[2];
const { command, args, files, language, member, name, initializationOptions } = servers[which];
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);

const messages = [];
const server = spawn(command, args, { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
const pending = new Map();
let diagnostics = 0;
let last = 0;

function send(message) {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  messages.push({ from: 'client', body });
  writeMessage(server.stdin, body);
}
const notify = (method, params) => send({ method, params });
function request(method, params, id = ++last) {
  send({ id, method, params });
  return new Promise((resolve) => pending.set(id, resolve));
}
server.stdout.on('data', frameSplitter((header, bytes) => {
  const body = bytes.toString('utf8');
  messages.push({ from: 'server', body });
  const message = JSON.parse(body);
  if (message.method === undefined) {
    pending.get(message.id)?.(message);
  } else if (message.id !== undefined) {
    send({ id: message.id, result: message.method === 'workspace/configuration' ? message.params.items.map(() => null) : null });
  } else if (message.method === 'textDocument/publishDiagnostics') {
    ++diagnostics;
  }
}));

const uri = (file) => pathToFileURL(join(folder, file)).href;
const [main, umlauts] = Object.keys(files);
const textDocument = { uri: uri(main) };
/** The position of `text` in the main file. */
function place(text) {
  const before = files[main].slice(0, files[main].indexOf(text)).split('\n');
  return { line: before.length - 1, character: before.at(-1).length };
}
const position = place(name);
const at = { textDocument, position };
const end = { line: files[main].split('\n').length - 1, character: 0 };
const whole = { start: { line: 0, character: 0 }, end };
const quiet = () => new Promise((resolve) => setTimeout(resolve, 1500));

await request('initialize', {
  processId: null, clientInfo: { name: 'recorder', version: '1.0' }, locale: 'de', rootUri: pathToFileURL(folder).href, capabilities,
  ...(initializationOptions && { initializationOptions }), trace: 'off', workspaceFolders: [{ uri: pathToFileURL(folder).href, name: 'größe' }],
});
notify('initialized', {});
notify('workspace/didChangeConfiguration', { settings: {} });
for (const file of [main, umlauts]) notify('textDocument/didOpen', { textDocument: { uri: uri(file), languageId: language, version: 1, text: files[file] } });
await request('textDocument/documentSymbol', { textDocument });
await quiet();
await request('textDocument/documentSymbol', { textDocument: { uri: uri(umlauts) } }, 'string id ü');
await request('textDocument/hover', at);
await Promise.all([0, 1, 2, 3, 4].map((line) => request('textDocument/hover', { textDocument: { uri: uri(umlauts) }, position: { line, character: 14 } })));
await Promise.all(['definition', 'typeDefinition', 'implementation', 'documentHighlight', 'signatureHelp', 'prepareRename'].map((method) =>
  request(`textDocument/${method}`, at)));
await request('textDocument/references', { ...at, context: { includeDeclaration: true } });
await request('textDocument/semanticTokens/full', { textDocument });
await request('textDocument/foldingRange', { textDocument });
await request('textDocument/inlayHint', { textDocument, range: whole });
await request('textDocument/codeAction', { textDocument: { uri: uri(umlauts) }, range: { start: { line: 2, character: 0 }, end: { line: 2, character: 50 } }, context: { diagnostics: [] } });
await request('textDocument/rename', { ...at, newName: 'fläche' });
await request('textDocument/formatting', { textDocument, options: { tabSize: 2, insertSpaces: true } });
await request('textDocument/diagnostic', { textDocument: { uri: uri(umlauts) } });
await request('workspace/symbol', { query: 'Circle' });
notify('textDocument/didChange', { textDocument: { uri: textDocument.uri, version: 2 }, contentChanges: [{ range: { start: end, end }, text: member.text }] });
const lines = member.text.split('\n');
const completion = await request('textDocument/completion', {
  textDocument, position: { line: end.line + lines.length - 1, character: lines.at(-1).length }, context: { triggerKind: 2, triggerCharacter: '.' },
});
const items = completion.result?.items ?? completion.result;
if (items?.length) await request('completionItem/resolve', items[0]);
await request('workspace/unheardOf', { numbers: [1.5, 1e30] });
const cancelled = request('textDocument/references', { ...at, context: { includeDeclaration: false } }, 'to be cancelled');
notify('$/cancelRequest', { id: 'to be cancelled' });
await cancelled;
await quiet();
notify('textDocument/didSave', { textDocument });
await request('textDocument/documentSymbol', { textDocument });
notify('textDocument/didClose', { textDocument: { uri: uri(umlauts) } });
await request('shutdown');
notify('exit');
await new Promise((resolve) => server.on('close', resolve));

rmSync(folder, { recursive: true });
const title = `${which} on ${main} and ${umlauts}, recorded by tests/e2e/record_session.mjs`;
process.stdout.write(writeTranscript(title, messages).replaceAll(modules, '/opt/servers/node_modules'));
process.stderr.write(`${messages.length} messages, ${diagnostics} times diagnostics\n`);

// A conversation with one language server through `symbols proxy`, over the documents that were asked about. A plain
// client: what VS Code itself shows of these documents does not come from here.
import { ChildProcess, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import * as vscode from 'vscode';
import {
  createMessageConnection, Message, MessageConnection, StreamMessageReader, StreamMessageWriter, Trace,
} from 'vscode-jsonrpc/node';
import type { Form } from './answers';

export interface ServerCommand {
  command: string[];
  initializationOptions?: object;
}

export interface SessionOptions {
  program: string;    // symbols
  options: string[];  // of `symbols proxy`
  server: ServerCommand;
  root: vscode.Uri;
  trace: string;  // off, messages, verbose
  output: vscode.OutputChannel;
  startLimit: number;  // longest wait for the answer to `initialize`, in milliseconds
  onEnd: () => void;
}

// Longest wait for the server to say goodbye, in milliseconds; the proxy itself sees to it that the server ends.
const patience = 3000;

// A message to a process that has just ended is no error of its own: 'close' tells the end, to all who wait. The connection
// would throw this one where nobody can catch it.
class WriterUntilEnd extends StreamMessageWriter {
  override async write(message: Message): Promise<void> {
    await super.write(message).catch(() => {});
  }
}

export class ProxySession {
  // Settled when the server has answered `initialize`, or will not.
  readonly ready: Promise<void>;
  private readonly versions = new Map<string, number>();  // of the documents that the server has open
  private readonly child: ChildProcess;
  private readonly connection: MessageConnection;
  private readonly name: string;
  private readonly closed: Promise<void>;  // when the proxy has ended
  private readonly untilEnd: Promise<never>;  // rejects what would otherwise wait for ever
  private rejectWaiting: (reason: Error) => void = () => {};
  private initialized = false;
  private ended = false;
  private lastWords = '';

  // The program runs at once, so that it can be ended before its server has said a word.
  constructor(private readonly options: SessionOptions) {
    const { program, options: further, server, root, output } = options;
    const args = ['proxy', '--format', 'standard', ...further, '--', ...server.command];
    this.name = server.command[0]!;
    output.appendLine(`starting: ${program} ${args.join(' ')} (in ${root.fsPath})`);
    const child = spawn(program, args, { cwd: root.fsPath, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child = child;
    child.stderr.on('data', (chunk: Buffer) => {
      this.lastWords = chunk.toString('utf8').trim();
      output.appendLine(`${this.name}: ${this.lastWords}`);
    });
    child.stdin.on('error', () => {});  // its end is told by 'close'
    this.connection = createMessageConnection(new StreamMessageReader(child.stdout), new WriterUntilEnd(child.stdin));
    this.untilEnd = new Promise<never>((_resolve, reject) => { this.rejectWaiting = reject; });
    this.untilEnd.catch(() => {});
    this.closed = new Promise((resolve) => {
      child.on('error', (error) => {
        this.stop(`cannot be started through ${program}: ${error.message}`);
        resolve();
      });
      child.on('close', (status, signal) => {
        this.stop(`the language server has ended, ${signal ?? `status ${status}`}`);
        resolve();
      });
    });
    this.ready = this.initialize();
    this.ready.catch(() => {});
  }

  private async initialize(): Promise<void> {
    const { server, root, trace, output, startLimit } = this.options;
    const { connection } = this;
    const late = setTimeout(
      () => void this.kill(`the language server has not answered 'initialize' within ${startLimit / 1000} s and was ended`), startLimit);
    try {
      this.answerServer(root, output);
      if (trace !== 'off') {
        await connection.trace(trace === 'verbose' ? Trace.Verbose : Trace.Messages, {
          log: (message: string, data?: string) => output.appendLine(`[trace] ${message}${data ? `\n${data}` : ''}`),
        });
      }
      connection.listen();
      await this.request('initialize', {
        processId: process.pid,
        clientInfo: { name: 'symbols for VS Code' },
        rootUri: root.toString(),
        workspaceFolders: [{ uri: root.toString(), name: root.path.split('/').pop() ?? '' }],
        initializationOptions: server.initializationOptions,
        // What makes the servers' symbols whole: docs/proxy.md says what the proxy adds only with a text format as default.
        capabilities: {
          workspace: {
            configuration: true, workspaceFolders: true,
            symbol: { symbolKind: { valueSet: allKinds } },
          },
          textDocument: {
            synchronization: { didSave: true },
            documentSymbol: { hierarchicalDocumentSymbolSupport: true, symbolKind: { valueSet: allKinds } },
            hover: { contentFormat: ['markdown', 'plaintext'] },
            publishDiagnostics: { relatedInformation: true },
            callHierarchy: {},
            references: {},
          },
          window: { workDoneProgress: true },
        },
      });
      await connection.sendNotification('initialized', {});
      this.initialized = true;
    } catch (error) {
      // A server that refuses to start may well go on running.
      void this.kill(error instanceof Error ? error.message : String(error));
      throw error;
    } finally {
      clearTimeout(late);
    }
  }

  table(document: vscode.TextDocument, { format, kindNames, positions }: Form, token?: vscode.CancellationToken): Promise<string> {
    const options = { format, return_children: 'yes', ...(kindNames && { kind_names: true }), ...(positions && { positions }) };
    return this.execute('symbols.documentSymbols', document, options, token);
  }

  // There is one form of it, so no format is asked for.
  context(document: vscode.TextDocument, { line, character }: vscode.Position, token?: vscode.CancellationToken): Promise<string> {
    return this.execute('symbols.context', document, { position: { line, character } }, token);
  }

  didSave(document: vscode.TextDocument): void {
    if (!this.versions.has(document.uri.toString()) || this.ended) return;
    this.open(document);
    void this.connection.sendNotification('textDocument/didSave', { textDocument: { uri: document.uri.toString() } });
  }

  didClose(document: vscode.TextDocument): void {
    if (!this.versions.delete(document.uri.toString()) || this.ended) return;
    void this.connection.sendNotification('textDocument/didClose', { textDocument: { uri: document.uri.toString() } });
  }

  // Politely, where the server has come as far as to understand that.
  async end(): Promise<void> {
    if (this.initialized && !this.ended) {
      const late = after(patience);
      await Promise.race([this.request('shutdown', undefined).catch(() => {}), late]);
      if (!this.ended) {
        await this.connection.sendNotification('exit').catch(() => {});
        this.child.stdin?.end();
        await Promise.race([this.closed, late]);
      }
    }
    await this.kill('the language server was ended before it had answered');
  }

  // What waits is told why at once; the process is given some time to end its server.
  private async kill(why: string): Promise<void> {
    if (this.ended) return;
    this.stop(why);
    this.child.kill('SIGTERM');
    const late = after(patience).then(() => this.child.kill('SIGKILL'));
    await Promise.race([this.closed, late]);
  }

  private stop(why: string): void {
    if (this.ended) return;
    this.ended = true;
    this.options.onEnd();
    this.rejectWaiting(new Error(
      `${this.name}: ${why}${this.lastWords === '' ? '' : ` (${this.lastWords})`}; run "Symbols: Show Output" for all of it`));
    this.connection.dispose();
  }

  private request<Answer>(method: string, params: unknown, token?: vscode.CancellationToken): Promise<Answer> {
    const reply = token
      ? this.connection.sendRequest<Answer>(method, params, token)
      : this.connection.sendRequest<Answer>(method, params);
    return Promise.race([reply, this.untilEnd]);
  }

  // The answer's text. `json` comes as LSP's own array.
  private async execute(command: string, document: vscode.TextDocument, options: object, token?: vscode.CancellationToken) {
    this.open(document);
    // A person who waits sees that it lasts and may end it: an agent's ten seconds are not enough for a server that has just
    // been started.
    const given = this.options.options.some((option) => option.startsWith('--timeout'));
    const argument = { textDocument: { uri: document.uri.toString() }, ...options, ...(given ? {} : { timeout: 60_000 }) };
    const answer = await this.request<{ symbols?: unknown; meta?: object } | unknown[] | null>(
      'workspace/executeCommand', { command, arguments: [argument] }, token);
    const text = Array.isArray(answer) ? answer : answer?.symbols;
    if (answer && 'meta' in answer) {
      this.options.output.appendLine(`${this.name}: ${document.uri.fsPath}: ${JSON.stringify(answer.meta)}`);
    }
    if (text === undefined || text === null) {
      throw new Error(`${this.name}: an answer to ${command} that holds no symbols: ${JSON.stringify(answer)}`);
    }
    return typeof text === 'string' ? text : JSON.stringify(text);
  }

  // Tells the server of the document's present text.
  private open(document: vscode.TextDocument): void {
    const uri = document.uri.toString();
    const known = this.versions.get(uri);
    if (known === document.version) return;
    this.versions.set(uri, document.version);
    const text = document.getText();
    if (known === undefined) {
      const item = { uri, languageId: document.languageId, version: document.version, text };
      void this.connection.sendNotification('textDocument/didOpen', { textDocument: item });
    } else {
      // A change without a range is the whole text, which servers take whatever kind of change they asked for.
      void this.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: document.version }, contentChanges: [{ text }],
      });
    }
  }

  // A server that waits for an answer which never comes answers nothing either.
  private answerServer(root: vscode.Uri, output: vscode.OutputChannel): void {
    const { connection } = this;
    connection.onRequest('workspace/configuration', ({ items }: { items: unknown[] }) => items.map(() => null));
    connection.onRequest('workspace/workspaceFolders', () => [{ uri: root.toString(), name: root.path.split('/').pop() ?? '' }]);
    for (const method of ['client/registerCapability', 'client/unregisterCapability', 'window/workDoneProgress/create',
      'window/showMessageRequest']) {
      connection.onRequest(method, () => null);
    }
    for (const method of ['window/logMessage', 'window/showMessage']) {
      connection.onNotification(method, ({ message }: { message: string }) => output.appendLine(`${this.name}: ${message}`));
    }
    connection.onError(([error]) => output.appendLine(`${this.name}: ${error.message}`));
  }
}

const after = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds).unref());
const allKinds = Array.from({ length: 26 }, (_, i) => i + 1);

// A path with a slash as it is, a name as the PATH has it; nothing where there is no such program.
export function findProgram(name: string): string | undefined {
  const candidates = name.includes('/') ? [name] : (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
    .map((folder) => join(folder, name));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return statSync(path).isFile();
    } catch {
      return false;
    }
  });
}

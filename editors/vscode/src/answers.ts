// Answers about documents: from a session with the language's server where the settings name one, else from a run of the program.
import { join } from 'node:path';
import * as vscode from 'vscode';
import { ProgramMissing } from './failures';
import { runProgram, runToEnd } from './program_run';
import { findProgram, ProxySession, ServerCommand } from './proxy_session';
import { answersOf } from './several_files';

// The reader of an answer: with `auto`, the default of symbols.format, a person gets the outline and a prompt the table.
export type Reader = 'person' | 'prompt';

export interface Form {
  format: string;
  kindNames: boolean;   // kinds as words; else by the options in the settings
  positions?: boolean;  // lines start with the positions of their symbols
}

interface ServerSetting {
  languages: string[];
  command: string[];
  initializationOptions?: object;
}

export class Answers implements vscode.Disposable {
  private readonly sessions = new Map<string, ProxySession>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly startLimit: number;

  // `startLimit`: how long a server may take to start, in milliseconds.
  constructor(private readonly output: vscode.OutputChannel, { startLimit = 120_000 } = {}) {
    this.startLimit = startLimit;
    this.subscriptions = [
      vscode.workspace.onDidSaveTextDocument((document) => this.sessions.forEach((session) => session.didSave(document))),
      vscode.workspace.onDidCloseTextDocument((document) => this.sessions.forEach((session) => session.didClose(document))),
    ];
  }

  // All symbols of the document as it is in the editor.
  async table(document: vscode.TextDocument, form: Form, token?: vscode.CancellationToken): Promise<string> {
    const session = await this.session(document, token);
    if (session) return session.table(document, form, token);
    return this.run(document, [...this.fileOptions(form), document.uri.fsPath], token);
  }

  // The tables of several documents, for a prompt; each may fail by itself. One run of the program answers for all without a server
  // (one run for each format, which may differ between folders): separate runs would start as many servers at the same time.
  tables(documents: vscode.TextDocument[], token?: vscode.CancellationToken): Promise<PromiseSettledResult<string>[]> {
    const byFormat = new Map<string, vscode.TextDocument[]>();
    for (const document of documents.filter((each) => !each.isDirty && !this.serverOf(each))) {
      const { format } = this.form(document, 'prompt');
      byFormat.set(format, [...byFormat.get(format) ?? [], document]);
    }
    const answers = new Map<vscode.TextDocument, Promise<string>>();
    for (const [format, together] of byFormat) {
      if (together.length === 1) continue;
      const run = this.runAll(together, format, token);
      together.forEach((document, i) => answers.set(document, run.then((all) => {
        const answer = all[i]!;
        if (answer instanceof Error) throw answer;
        return answer;
      })));
    }
    return Promise.allSettled(documents.map((document) => answers.get(document) ?? this.table(document, this.form(document, 'prompt'), token)));
  }

  // The context of the symbol at the position.
  async context(document: vscode.TextDocument, position: vscode.Position, token?: vscode.CancellationToken): Promise<string> {
    const session = await this.session(document, token);
    if (session) return session.context(document, position, token);
    const place = `${document.uri.fsPath}:${position.line + 1}:${position.character + 1}`;
    return this.run(document, ['context', '--format', 'table', place], token);
  }

  // By the settings.
  form(document: vscode.TextDocument, reader: Reader): Form {
    const format = vscode.workspace.getConfiguration('symbols', document.uri).get('format', 'auto');
    if (format !== 'auto') return { format, kindNames: false };
    return reader === 'person' ? { format: 'outline', kindNames: true } : { format: 'table', kindNames: false };
  }

  // Ends every session with its server; the next request starts a new one.
  async restart(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map((session) => session.end()));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    void this.restart();
  }

  private run(document: vscode.TextDocument, args: string[], token?: vscode.CancellationToken): Promise<string> {
    // Positions in the saved file would be wrong in the editor's text.
    if (document.isDirty) {
      throw new Error(`'${vscode.workspace.asRelativePath(document.uri)}' has changes that are not saved, which only a running server ` +
        `sees: save the file first, or name a server for the language '${document.languageId}' in the setting symbols.servers`);
    }
    this.output.appendLine(`symbols ${args.join(' ')}`);
    return runProgram(this.program(), args, { token, warn: (line) => this.output.appendLine(line) });
  }

  private async runAll(documents: vscode.TextDocument[], format: string, token?: vscode.CancellationToken): Promise<(string | Error)[]> {
    const paths = documents.map(({ uri }) => uri.fsPath);
    const args = [...this.fileOptions({ format, kindNames: false }), ...paths];
    this.output.appendLine(`symbols ${args.join(' ')}`);
    return answersOf(await runToEnd(this.program(), args, { token, warn: (line) => this.output.appendLine(line) }), paths, format);
  }

  // The first installed server of the settings for the language.
  private serverOf(document: vscode.TextDocument): ServerCommand | undefined {
    return this.settings().get<ServerSetting[]>('servers', [])
      .find(({ languages, command }) => languages.includes(document.languageId) && findProgram(command[0]!) !== undefined);
  }

  // The session for the document's language and folder, started if needed; undefined if no server for the language is installed.
  private async session(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<ProxySession | undefined> {
    if (document.uri.scheme !== 'file') {
      throw new Error(`'${document.fileName}' is no file on the disk, which is what language servers read: save it first`);
    }
    const server = this.serverOf(document);
    if (!server) return undefined;
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri ?? vscode.Uri.joinPath(document.uri, '..');
    const key = JSON.stringify([server.command, root.toString()]);
    let session = this.sessions.get(key);
    if (!session) {
      session = this.start(server, root, () => {
        // Another session may have replaced it.
        if (this.sessions.get(key) === session) this.sessions.delete(key);
      });
      this.sessions.set(key, session);
    }
    await unlessCancelled(session.ready, token);
    return session;
  }

  private start(server: ServerCommand, root: vscode.Uri, onEnd: () => void): ProxySession {
    const settings = this.settings();
    return new ProxySession({
      program: this.program(),
      options: settings.get<string[]>('arguments', []),
      server,
      root,
      trace: settings.get('trace', 'off'),
      output: this.output,
      startLimit: this.startLimit,
      onEnd,
    });
  }

  // For `symbols FILE`, whose options differ from those of `symbols proxy`.
  private fileOptions({ format, kindNames, positions }: Form): string[] {
    return ['--format', format, ...(kindNames ? ['--kind-names'] : []), ...(positions ? ['--positions'] : []), ...this.settings().get<string[]>('fileArguments', [])];
  }

  private program(): string {
    const path = this.settings().get('path', 'symbols');
    // The extension may contain one, beside its folder dist.
    const program = (path === 'symbols' ? findProgram(join(__dirname, '..', 'bin', 'symbols')) : undefined) ?? findProgram(path);
    if (program === undefined) throw new ProgramMissing(path, path.includes('/') ? 'no such program' : 'not on the PATH');
    return program;
  }

  private settings(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration('symbols');
  }
}

// Rejects on cancellation; the result stays pending for others.
function unlessCancelled<Result>(result: Promise<Result>, token?: vscode.CancellationToken): Promise<Result> {
  if (!token) return result;
  return new Promise((resolve, reject) => {
    const cancelling = token.onCancellationRequested(() => reject(new vscode.CancellationError()));
    void result.then(resolve, reject).finally(() => cancelling.dispose());
  });
}

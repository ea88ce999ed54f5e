// Asks about documents: a session with the language's server where the settings name one, else one run of the program.
import * as vscode from 'vscode';
import { ProgramMissing } from './failures';
import { runProgram } from './program_run';
import { findProgram, ProxySession, ServerCommand } from './proxy_session';

interface ServerSetting {
  languages: string[];
  command: string[];
  initializationOptions?: object;
}

export class Answers implements vscode.Disposable {
  private readonly sessions = new Map<string, Promise<ProxySession>>();
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly output: vscode.OutputChannel) {
    const tell = (what: (session: ProxySession) => void) => {
      for (const session of this.sessions.values()) session.then(what, () => {});
    };
    this.subscriptions = [
      vscode.workspace.onDidSaveTextDocument((document) => tell((session) => session.didSave(document))),
      vscode.workspace.onDidCloseTextDocument((document) => tell((session) => session.didClose(document))),
    ];
  }

  // All symbols of the document as it is in the editor, in the format of the settings.
  async table(document: vscode.TextDocument, token?: vscode.CancellationToken): Promise<string> {
    const format = this.format(document);
    const session = await this.session(document);
    if (session) return session.table(document, format, token);
    return this.run(document, ['--format', format, ...this.settings().get<string[]>('arguments', []), document.uri.fsPath], token);
  }

  // Everything about the symbol at the position.
  async context(document: vscode.TextDocument, position: vscode.Position, token?: vscode.CancellationToken): Promise<string> {
    const session = await this.session(document);
    if (session) return session.context(document, position, token);
    const place = `${document.uri.fsPath}:${position.line + 1}:${position.character + 1}`;
    return this.run(document, ['context', place], token);
  }

  format(document: vscode.TextDocument): string {
    return vscode.workspace.getConfiguration('symbols', document.uri).get('format', 'table');
  }

  // The same rows in another format: asks no server.
  convert(text: string, from: string, to: string): Promise<string> {
    return runProgram(this.program(), ['convert', '--from', from, '--to', to], { input: text });
  }

  // Ends every session, and with it its server; the next question starts a new one.
  async restart(): Promise<void> {
    const sessions = [...this.sessions.values()];
    this.sessions.clear();
    await Promise.all(sessions.map((session) => session.then((started) => started.end(), () => {})));
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    void this.restart();
  }

  private run(document: vscode.TextDocument, args: string[], token?: vscode.CancellationToken): Promise<string> {
    if (document.isDirty) {
      vscode.window.setStatusBarMessage('Symbols: no running server for this language, so this is the saved file', 5000);
    }
    this.output.appendLine(`symbols ${args.join(' ')}`);
    return runProgram(this.program(), args, { token, warn: (line) => this.output.appendLine(line) });
  }

  // The session for the document's language and folder, started if need be; nothing where no server is named for the
  // language, or none of them is installed.
  private async session(document: vscode.TextDocument): Promise<ProxySession | undefined> {
    if (document.uri.scheme !== 'file') {
      throw new Error(`'${document.fileName}' is no file on the disk, which is what language servers read: save it first`);
    }
    const server = this.settings().get<ServerSetting[]>('servers', [])
      .find(({ languages, command }) => languages.includes(document.languageId) && findProgram(command[0]!) !== undefined);
    if (!server) return undefined;
    const root = vscode.workspace.getWorkspaceFolder(document.uri)?.uri ?? vscode.Uri.joinPath(document.uri, '..');
    const key = JSON.stringify([server.command, root.toString()]);
    let session = this.sessions.get(key);
    if (!session) {
      // An end may come late, when there is another session already.
      const forget = () => {
        if (this.sessions.get(key) === started) this.sessions.delete(key);
      };
      const started = this.start(server, root, forget);
      this.sessions.set(key, started);
      started.catch(forget);
      session = started;
    }
    return session;
  }

  private start(server: ServerCommand, root: vscode.Uri, onEnd: () => void): Promise<ProxySession> {
    const settings = this.settings();
    return ProxySession.start({
      program: this.program(),
      options: settings.get<string[]>('arguments', []),
      server,
      root,
      trace: settings.get('trace', 'off'),
      output: this.output,
      onEnd,
    });
  }

  private program(): string {
    const path = this.settings().get('path', 'symbols');
    const program = findProgram(path);
    if (program === undefined) throw new ProgramMissing(path, path.includes('/') ? 'no such program' : 'not on the PATH');
    return program;
  }

  private settings(): vscode.WorkspaceConfiguration {
    return vscode.workspace.getConfiguration('symbols');
  }
}

// The table beside its source: a read-only document whose rows lead to their symbols.
import * as vscode from 'vscode';
import { Answers } from './answers';

interface Shown {
  text: string;
  positions: (vscode.Position | undefined)[];  // of the first symbol of each line
  source: vscode.Uri;
  version: number;  // of the source
}

export const scheme = 'symbols';

export class TableView implements vscode.TextDocumentContentProvider, vscode.DefinitionProvider, vscode.Disposable {
  private readonly shown = new Map<string, Shown>();  // by the view's URI
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  readonly onDidChange = this.changed.event;

  constructor(private readonly answers: Answers) {
    this.subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      // F12 and Ctrl with a click, in tables only.
      vscode.languages.registerDefinitionProvider({ scheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
      this.changed,
    ];
  }

  // Opens or renews the table of this document, or of a table's source.
  async show(document: vscode.TextDocument): Promise<void> {
    const old = this.shown.get(document.uri.toString());
    const source = old ? await vscode.workspace.openTextDocument(old.source) : document;
    const uri = viewOf(source.uri);
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Symbols: ${vscode.workspace.asRelativePath(source.uri)}`, cancellable: true },
      async (_progress, token) => {
        const version = source.version;
        const text = await this.answers.table(source, { ...this.answers.form(source, 'person'), positions: true }, token);
        this.shown.set(uri.toString(), { ...withoutPositions(text), source: source.uri, version });
      });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn: old ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside, preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const shown = this.shown.get(uri.toString());
    // VS Code restores the tabs of its last session, but not their tables.
    return shown?.text ?? 'This table was made in an earlier session: close it, and run "Symbols: Show Symbols" in the file.';
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location | undefined> {
    const place = await this.placeOf(document.uri, position.line);
    return place && new vscode.Location(place.source, place.position);
  }

  async goToSymbol(view: vscode.Uri, line: number): Promise<void> {
    const place = await this.placeOf(view, line);
    if (!place) throw new Error('there is no symbol in this line (the formats packed and json have none): go to a row and try again');
    const source = await vscode.workspace.openTextDocument(place.source);
    const visible = vscode.window.visibleTextEditors.find((editor) => editor.document === source);
    await vscode.window.showTextDocument(source, {
      viewColumn: visible?.viewColumn ?? vscode.ViewColumn.Beside,
      selection: new vscode.Range(place.position, place.position),
    });
    if (place.stale) {
      vscode.window.setStatusBarMessage('Symbols: the file has changed since its table was made; run "Symbols: Show Symbols" again', 8000);
    }
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  private async placeOf(view: vscode.Uri, line: number) {
    const shown = this.shown.get(view.toString());
    if (!shown) throw new Error('this table was made in an earlier session: close it, and run "Symbols: Show Symbols" in the file');
    const position = shown.positions[line];
    if (!position) return undefined;
    const source = await vscode.workspace.openTextDocument(shown.source);
    return { source: shown.source, position, stale: source.version !== shown.version };
  }
}

// Removes the positions from an answer that was requested with them.
function withoutPositions(text: string): Pick<Shown, 'text' | 'positions'> {
  const positions = text.split('\n').map((line) => {
    const start = /^(\d+):(\d+)\t/.exec(line);
    return start ? new vscode.Position(Number(start[1]), Number(start[2])) : undefined;
  });
  return { text: text.replace(/^\d+:\d+\t/gm, ''), positions };
}

// The view's URI contains the source's, so a file has one table.
function viewOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${source.path}.symbols`, query: source.toString() });
}

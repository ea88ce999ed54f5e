// The table beside its source: a read-only document from which each row leads to its symbol.
import * as vscode from 'vscode';
import { Answers } from './answers';
import { NamedLine, symbolPositions } from './row_positions';

interface Shown {
  text: string;
  format: string;
  source: vscode.Uri;
  version: number;  // of the source that the table was made from
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
      // F12, and a click with Ctrl: of rows only, never of source files.
      vscode.languages.registerDefinitionProvider({ scheme }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.shown.delete(uri.toString())),
      this.changed,
    ];
  }

  // Opens, or renews, the table of this document; of a table, that of its source.
  async show(document: vscode.TextDocument): Promise<void> {
    const old = this.shown.get(document.uri.toString());
    const source = old ? await vscode.workspace.openTextDocument(old.source) : document;
    const uri = viewOf(source.uri);
    await vscode.window.withProgress(
      { location: vscode.ProgressLocation.Notification, title: `Symbols: ${vscode.workspace.asRelativePath(source.uri)}`, cancellable: true },
      async (_progress, token) => {
        const version = source.version;
        const form = this.answers.form(source, 'person');
        const text = await this.answers.table(source, form, token);
        this.shown.set(uri.toString(), { text, format: form.format, source: source.uri, version });
      });
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { viewColumn: old ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside, preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const shown = this.shown.get(uri.toString());
    // VS Code opens the tabs of its last session again, whose tables are gone with it.
    return shown?.text ?? 'This table was made in an earlier session: close it, and run "Symbols: Show Symbols" in the file.';
  }

  async provideDefinition(document: vscode.TextDocument, position: vscode.Position): Promise<vscode.Location | undefined> {
    const place = await this.placeOf(document.uri, position.line);
    return place && new vscode.Location(place.source, place.position);
  }

  async goToSymbol(view: vscode.Uri, line: number): Promise<void> {
    const place = await this.placeOf(view, line);
    if (!place) throw new Error('there is no symbol in this line: go to a row and try again');
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
    const place = await symbolPositions(shown.text, shown.format, (text, from) => this.answers.convert(text, from, 'packed'))
      .then((positions) => positions.get(line));
    if (!place) return undefined;
    const source = await vscode.workspace.openTextDocument(shown.source);
    const position = place instanceof vscode.Position ? place : nameIn(source, place);
    return { source: shown.source, position, stale: source.version !== shown.version };
  }
}

// Where the name stands in its line; the line's start if it does not, such as in a text that has changed.
function nameIn(source: vscode.TextDocument, { line, name }: NamedLine): vscode.Position {
  const text = line < source.lineCount ? source.lineAt(line).text : '';
  return new vscode.Position(line, Math.max(text.indexOf(name), 0));
}

// A view's URI names its source, so that a file has one table.
function viewOf(source: vscode.Uri): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `${source.path}.symbols`, query: source.toString() });
}

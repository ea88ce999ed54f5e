// The extension's commands. It adds no provider for source files: hovers, the outline and all else stay those of the
// extensions that the user has for a language.
import * as vscode from 'vscode';
import { Answers } from './answers';
import { openDocuments } from './open_editors';
import { explain } from './failures';
import { TableView } from './table_view';

let answers: Answers | undefined;

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel('Symbols');
  answers = new Answers(output);
  const view = new TableView(answers);

  // Runs one command, and says what went wrong in a message and in the output channel.
  const register = (name: string, run: () => Promise<void> | void) =>
    vscode.commands.registerCommand(name, async () => {
      try {
        await run();
      } catch (error) {
        await explain(error, output);
      }
    });

  context.subscriptions.push(
    output,
    answers,
    view,
    register('symbols.show', async () => view.show(sourceEditor().document)),
    register('symbols.copy', async () => {
      const { document } = sourceEditor();
      const text = await asking(document, (token) => answers!.table(document, answers!.form(document, 'prompt'), token));
      await copy(text, `symbol table of ${vscode.workspace.asRelativePath(document.uri)}`);
    }),
    register('symbols.copyContext', async () => {
      const { document, selection } = sourceEditor();
      const text = await asking(document, (token) => answers!.context(document, selection.active, token));
      await copy(text, 'symbol and its context');
    }),
    register('symbols.copyAll', copyAll),
    register('symbols.goToSymbol', async () => {
      const editor = vscode.window.activeTextEditor;
      if (editor) await view.goToSymbol(editor.document.uri, editor.selection.active.line);
    }),
    register('symbols.restart', async () => {
      await answers!.restart();
      vscode.window.setStatusBarMessage('Symbols: language servers ended; the next command starts them anew', 5000);
    }),
    register('symbols.showOutput', () => output.show(true)),
    vscode.workspace.onDidChangeConfiguration((change) => {
      // What runs was started with the settings of before.
      if (['path', 'arguments', 'servers', 'trace'].some((name) => change.affectsConfiguration(`symbols.${name}`)))
        void answers!.restart();
    }),
  );
}

export async function deactivate(): Promise<void> {
  await answers?.restart();
}

function sourceEditor(): vscode.TextEditor {
  const editor = vscode.window.activeTextEditor;
  if (!editor) throw new Error('no file is open in the active editor: open a source file and try again');
  return editor;
}

// Each file's table under a line with its path. A file that could not be answered costs the others nothing.
async function copyAll(): Promise<void> {
  const { documents, failures, leftOut } = await openDocuments();
  const note = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`;
  if (documents.length + failures.length === 0) throw new Error(`no source file is open in any editor: open one and try again${note}`);
  const results = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Symbols: ${documents.length} open editors`, cancellable: true },
    async (_progress, token) => {
      const all = await answers!.tables(documents, token);
      if (token.isCancellationRequested) throw new vscode.CancellationError();
      return all;
    });

  const parts: string[] = [];
  let firstFailure: unknown;
  results.forEach((result, i) => {
    const path = vscode.workspace.asRelativePath(documents[i]!.uri);
    if (result.status === 'fulfilled') {
      parts.push(`==> ${path} <==\n${result.value}`);
    } else {
      firstFailure ??= result.reason;
      failures.push(`${path}: ${result.reason instanceof Error ? result.reason.message : result.reason}`);
    }
  });
  if (parts.length === 0 && firstFailure !== undefined) throw firstFailure;
  if (parts.length > 0) await copy(`${parts.join('\n')}\n`, `${parts.length} symbol tables`);
  if (failures.length > 0) throw new Error(`${failures.length} of the open editors could not be answered: ${failures.join('; ')}${note}`);
  if (leftOut.length > 0) void vscode.window.showInformationMessage(`Symbols: copied ${parts.length} symbol tables${note}`);
}

// A language server that has just been started may take long: the wait is shown, and can be ended.
function asking<Answer>(document: vscode.TextDocument, ask: (token: vscode.CancellationToken) => Promise<Answer>) {
  const title = `Symbols: ${vscode.workspace.asRelativePath(document.uri)}`;
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true }, (_progress, token) => ask(token));
}

async function copy(text: string, what: string): Promise<void> {
  await vscode.env.clipboard.writeText(text);
  vscode.window.setStatusBarMessage(`Symbols: copied ${what}`, 5000);
}

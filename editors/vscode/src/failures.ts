// What can go wrong with a command, as a message that says what to do, with a button that does it.
import * as vscode from 'vscode';

// The program `symbols` is not there, or cannot be run.
export class ProgramMissing extends Error {
  constructor(readonly path: string, reason: string) {
    super(`cannot start the program '${path}' (${reason}): install symbols and put it on the PATH, ` +
      'or name its place in the setting symbols.path');
  }
}

export async function explain(error: unknown, output: vscode.OutputChannel): Promise<void> {
  if (error instanceof vscode.CancellationError || isCancellation(error)) return;
  const message = error instanceof Error ? error.message : String(error);
  output.appendLine(`error: ${message}`);
  const openSetting = 'Open Setting';
  const showOutput = 'Show Output';
  const buttons = error instanceof ProgramMissing ? [openSetting, showOutput] : [showOutput];
  // Not awaited by the command: it has ended, whenever somebody reads this.
  void vscode.window.showErrorMessage(`Symbols: ${message}`, ...buttons).then((chosen) => {
    if (chosen === openSetting) void vscode.commands.executeCommand('workbench.action.openSettings', 'symbols.path');
    if (chosen === showOutput) output.show(true);
  });
}

// LSP's RequestCancelled.
function isCancellation(error: unknown): boolean {
  return error instanceof Error && (error as { code?: unknown }).code === -32800;
}

// The files that are open in editors, whether or not their tab is the one in front.
import * as vscode from 'vscode';

export interface OpenDocuments {
  documents: vscode.TextDocument[];
  failures: string[];  // of those that could not be read, with the reason
  leftOut: string[];   // of texts that are no file on the disk, with the reason
}

// In the order of the tabs, each file once.
export async function openDocuments(): Promise<OpenDocuments> {
  const uris = new Map<string, vscode.Uri>();
  const result: OpenDocuments = { documents: [], failures: [], leftOut: [] };
  for (const { input, label } of vscode.window.tabGroups.all.flatMap((group) => group.tabs)) {
    if (input instanceof vscode.TabInputTextDiff) {
      result.leftOut.push(`${label} (a comparison)`);
    } else if (input instanceof vscode.TabInputText) {
      const { scheme } = input.uri;
      if (scheme === 'file') uris.set(input.uri.toString(), input.uri);
      // Not of our own tables, which are no sources.
      else if (scheme !== 'symbols') result.leftOut.push(`${label} (${scheme === 'untitled' ? 'never saved' : 'no file on the disk'})`);
    }
  }
  for (const uri of uris.values()) {
    try {
      result.documents.push(await vscode.workspace.openTextDocument(uri));
    } catch (error) {
      result.failures.push(`${vscode.workspace.asRelativePath(uri)}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return result;
}

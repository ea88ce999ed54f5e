// The files that are open in editors, whether or not their tab is the one in front.
import * as vscode from 'vscode';

export interface OpenDocuments {
  documents: vscode.TextDocument[];
  failures: string[];  // of those that could not be read, with the reason
}

// In the order of the tabs, each file once.
export async function openDocuments(): Promise<OpenDocuments> {
  const uris = new Map<string, vscode.Uri>();
  for (const group of vscode.window.tabGroups.all) {
    for (const { input } of group.tabs) {
      if (input instanceof vscode.TabInputText && input.uri.scheme === 'file') uris.set(input.uri.toString(), input.uri);
    }
  }
  const result: OpenDocuments = { documents: [], failures: [] };
  for (const uri of uris.values()) {
    try {
      result.documents.push(await vscode.workspace.openTextDocument(uri));
    } catch (error) {
      result.failures.push(`${vscode.workspace.asRelativePath(uri)}: ${error instanceof Error ? error.message : error}`);
    }
  }
  return result;
}

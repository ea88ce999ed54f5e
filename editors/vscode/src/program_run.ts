// One run of the program `symbols`: for languages without a server that is kept running, and to convert.
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { ProgramMissing } from './failures';

export interface RunOptions {
  input?: string;                    // for its standard input
  token?: vscode.CancellationToken;  // ends it
  warn?: (line: string) => void;     // is told what it says on standard error
}

// What it printed. Rejects with what it said on standard error where it printed nothing and failed.
export function runProgram(program: string, args: string[], { input = '', token, warn }: RunOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.stdin.on('error', () => {});  // it may end without having read all
    child.stdin.end(input);
    const cancelling = token?.onCancellationRequested(() => child.kill('SIGTERM'));
    child.on('error', (error) => reject(new ProgramMissing(program, error.message)));
    child.on('close', (status, signal) => {
      cancelling?.dispose();
      if (token?.isCancellationRequested) return reject(new vscode.CancellationError());
      const said = Buffer.concat(stderr).toString('utf8').trim();
      if (said !== '') warn?.(said);
      if (status === 0) return resolve(Buffer.concat(stdout).toString('utf8').replace(/\n$/, ''));
      return reject(new Error(said.replace(/^symbols: /, '') || `symbols ended with ${signal ?? `status ${status}`}`));
    });
  });
}

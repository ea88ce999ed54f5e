// One run of the program `symbols`: for languages without a server that is kept running, and to convert.
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { ProgramMissing } from './failures';

export interface RunOptions {
  input?: string;                    // for its standard input
  token?: vscode.CancellationToken;  // ends it
  warn?: (line: string) => void;     // is told what it says on standard error
}

export interface RunResult {
  stdout: string;
  stderr: string;
  ended: string;  // '' where it ended with status 0
}

// What it printed. Rejects with what it said on standard error where it failed.
export async function runProgram(program: string, args: string[], options: RunOptions): Promise<string> {
  const { stdout, stderr, ended } = await runToEnd(program, args, options);
  if (ended !== '') throw new Error(stderr.replace(/^symbols: /, '') || `symbols ended with ${ended}`);
  return stdout;
}

// The same where a failure may have cost only a part of what was asked for. Without the line break that ends the output.
export function runToEnd(program: string, args: string[], { input = '', token, warn }: RunOptions): Promise<RunResult> {
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
      return resolve({
        stdout: Buffer.concat(stdout).toString('utf8').replace(/\n$/, ''),
        stderr: said,
        ended: status === 0 ? '' : signal ?? `status ${status}`,
      });
    });
  });
}

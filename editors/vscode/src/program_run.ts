// One run of the program `symbols`, for languages without a session.
import { spawn } from 'node:child_process';
import * as vscode from 'vscode';
import { ProgramMissing } from './failures';

export interface RunOptions {
  token?: vscode.CancellationToken;  // ends the run
  warn?: (line: string) => void;     // gets the text of standard error
}

export interface RunResult {
  stdout: string;
  stderr: string;
  ended: string;  // '' for status 0
}

// Returns standard output; rejects with the text of standard error if the run failed.
export async function runProgram(program: string, args: string[], options: RunOptions): Promise<string> {
  const { stdout, stderr, ended } = await runToEnd(program, args, options);
  if (ended !== '') throw new Error(stderr.replace(/^symbols: /, '') || `symbols ended with ${ended}`);
  return stdout;
}

// The same for runs that may fail in part. Without the final line break.
export function runToEnd(program: string, args: string[], { token, warn }: RunOptions): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
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

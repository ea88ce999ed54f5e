// One run of `symbols FILE…` about several files, taken apart again: each file's answer, or why there is none.
import { RunResult } from './program_run';

// In the order of `paths`, absolute ones.
export function answersOf({ stdout, stderr }: RunResult, paths: string[], format: string): (string | Error)[] {
  const answers = format === 'json' || format === 'packed' ? ofObject(stdout) : ofText(stdout);
  return paths.map((path) => answers.get(path) ?? new Error(reason(stderr, path)));
}

// {"results":[{"path":…,"symbols":…}],"errors":[…]}; a result that has more than its symbols is given as it is.
function ofObject(stdout: string): Map<string, string> {
  if (stdout.trim() === '') return new Map();
  const { results } = JSON.parse(stdout) as { results: { path: string; symbols: unknown }[] };
  return new Map(results.map(({ path, ...result }) => [path, JSON.stringify(Object.keys(result).length > 1 ? result : result.symbols)]));
}

// Each answer under a line `==> path <==`, which no line of an answer looks like: docs/spec.md, sections 2 and 6.
function ofText(stdout: string): Map<string, string> {
  const answers = new Map<string, string>();
  for (const part of stdout.split(/^==> /m).slice(1)) {
    const [, path, text] = /^(.*) <==\n?([^]*)$/.exec(part)!;
    answers.set(unescape(path!), text!.replace(/\n$/, ''));
  }
  return answers;
}

const unescape = (path: string) => path.replace(/\\(?:x([0-9A-F]{2})|u\{([0-9A-F]+)\}|(.))/g, (_all, byte, code, letter) =>
  letter === undefined ? String.fromCodePoint(parseInt(byte ?? code, 16)) : { n: '\n', r: '\r', t: '\t' }[letter as string] ?? letter);

// What was said on standard error about this file, else all that was said.
function reason(stderr: string, path: string): string {
  const lines = stderr.trim().split('\n');
  const own = lines.filter((line) => line.includes(path));
  return (own.length > 0 ? own : lines).map((line) => line.replace(/^symbols: /, '').replace(`${path}: `, '')).join('; ') || 'no answer';
}

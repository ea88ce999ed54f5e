// A small project that the tests of editors/ have harnesses ask about.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture, folder, run, sourcesFolder } from './program.mjs';

// Claude Code adds diagnostics to whatever it answers when they come, and this file's imports are not there.
const observable = '// @ts-nocheck\n' + readFileSync(join(sourcesFolder, 'node_modules/rxjs/src/internal/Observable.ts'), 'utf8');

/** One-based line and character of `word` in the first line that contains `text`. */
function placeOf(source, text, word) {
  const lines = source.split('\n');
  const line = lines.findIndex((one) => one.includes(text));
  return { line: line + 1, character: lines[line].indexOf(word) + 1 };
}

const geometry = readFileSync(fixture('geometry.cpp'), 'utf8');

/** By language: a file, a symbol in it that has documentation, one-based, and what a hover there must say. */
export const questions = {
  cpp: { file: 'geometry.cpp', name: 'calculate_area', ...placeOf(geometry, 'double calculate_area', 'calculate_area'), says: /double calculate_area\(double width, double height\)/ },
  ts: { file: 'Observable.ts', name: 'forEach', ...placeOf(observable, 'forEach(next: (value: T) => void): Promise<void>;', 'forEach'), says: /Used as a NON-CANCELLABLE means of subscribing/ },
};

const serverOf = { 'geometry.cpp': 'clangd', 'Observable.ts': 'typescript-language-server --stdio' };

/** The tree that the command prints for a file of the project, without the newline at its end. `path`: the PATH. */
export async function treeOf(file, verbosity, { cwd, path }) {
  const { status, stdout, stderr } = await run(
    ['--format', 'tree', '--verbosity', verbosity, '--server', serverOf[file], file], { cwd, env: { PATH: path } });
  assert.deepEqual([status, stderr], [0, '']);
  return stdout.trimEnd();
}

export const shippedProject = (t) => folder(t, {
  'geometry.cpp': geometry,
  'Observable.ts': observable,
  // Nothing that takes tsserver time and that nobody asks about: the DOM's types, and an npm that looks for others.
  'tsconfig.json': '{"compilerOptions": {"strict": true, "types": [], "lib": ["es2020"]}, "typeAcquisition": {"enable": false}}',
});

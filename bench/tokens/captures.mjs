// The recorded replies that are counted, the program that turns them into our formats, and the tokenizer.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { needsPrograms, project } from '../arguments.mjs';

export { project };
const here = dirname(fileURLToPath(import.meta.url));
export const program = process.env.SYMBOLS ?? join(project, 'build/symbols');

if (!process.env.SYMBOLS) needsPrograms('symbols');

/** Runs a program to its end; gives its standard output. */
export function output(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 2 ** 30, ...options });
  if (error || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr.trim()}`);
  return stdout;
}

// This folder's packages, installed where they are not: nothing else needs them.
if (!existsSync(join(here, 'node_modules/.package-lock.json'))) {
  console.error('bench/tokens: installing npm packages');
  output('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: here });
}
const tokenizer = await import('gpt-tokenizer/encoding/o200k_base');

/** Tokens of the vocabulary o200k_base; what looks like one of a model's own marks (<|endoftext|>) is text. */
export const countTokens = (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() });

/** `symbols convert`, without the newline at the end. */
export const convert = (args, input) => output(program, ['convert', ...args], { input }).replace(/\n$/, '');

const estimator = process.env.SYMBOLS_ESTIMATE_TOKENS ?? join(project, 'build/bench/estimate_tokens');
/** What table::estimate_tokens takes each of the texts for; `whose`: o200k or digits. */
export function estimates(texts, whose = 'o200k') {
  if (!process.env.SYMBOLS_ESTIMATE_TOKENS) needsPrograms('bench/estimate_tokens');
  const input = Buffer.concat(texts.flatMap((text) => [Buffer.from(`${Buffer.byteLength(text)}\n`), Buffer.from(text)]));
  return output(estimator, [whose], { input }).split('\n').slice(0, -1).map(Number);
}

const countSymbols = (symbols) => symbols.reduce((sum, { children }) => sum + 1 + countSymbols(children ?? []), 0);

const folder = join(project, 'fixtures/captures');
/** { name, reply: path, hovers: path or none, symbols: their number }, by server and file. */
export const captures = readdirSync(folder).sort().filter((server) => !server.includes('.')).flatMap((server) =>
  readdirSync(join(folder, server)).sort().filter((file) => file.endsWith('.symbols.json')).map((file) => {
    const reply = join(folder, server, file);
    const hovers = reply.replace('.symbols.json', '.hovers.json');
    return {
      name: `${server}/${file.replace('.symbols.json', '')}`,
      reply,
      hovers: existsSync(hovers) ? hovers : undefined,
      symbols: countSymbols(JSON.parse(readFileSync(reply, 'utf8'))),
    };
  }));

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const total = (values) => values.reduce((sum, value) => sum + value, 0);

// What a warm call costs: wall time of `symbols --warm FILE`, table with hovers, on a file that has not changed, beside
// ctags' JSON of it (without hovers), side by side in one run; then after an edit of one character, without --warm, and
// what a client takes that has the server running and the file open: didChange, documentSymbol, all hovers at once.
//
//   node bench/warm.mjs [--rounds N]
//     after: scripts/build; scripts/setup --tests; apt-get install universal-ctags
//
// Each round runs each program once. Medians.
import { spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inPreOrder, openInServer } from '../tests/e2e/plain_client.mjs';
import { argumentsOf, fail, median, needsPrograms, needsSources, project, temporaryFolder } from './arguments.mjs';
import { whatIsStarted } from './server_of_file.mjs';

const { values: { rounds } } = argumentsOf({ options: { rounds: { default: 21 } } });
needsPrograms('symbols');
const zod = join(project, 'tests/npm/node_modules/zod/src');
const vector = '/usr/include/c++/12/bits/stl_vector.h';
needsSources(zod, vector);
const symbols = join(project, 'build/symbols');

const folder = temporaryFolder();
const env = { ...process.env, XDG_RUNTIME_DIR: temporaryFolder(), XDG_CONFIG_HOME: '/nonexistent' };
cpSync(zod, join(folder, 'zod'), { recursive: true });
writeFileSync(join(folder, 'zod/tsconfig.json'), '{}');
copyFileSync(vector, join(folder, 'vector.cc'));
writeFileSync(join(folder, 'compile_flags.txt'), '-std=c++20\n');

/** Milliseconds. */
function time(program, args) {
  const start = process.hrtime.bigint();
  const { error, status, stderr } = spawnSync(program, args, { cwd: folder, env, maxBuffer: 1 << 28 });
  if (error || status !== 0) fail(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`);
  return Number(process.hrtime.bigint() - start) / 1e6;
}
const ms = (value) => `${value.toFixed(1)} ms`;

/** A running server that has the file open: gives what symbols and hovers of this new text take it, in milliseconds. */
async function openClient(file, language) {
  const { command, env: { ROOT, INITIALIZATION_OPTIONS } } = whatIsStarted(['--no-hover', join(folder, file)]);
  const client = await openInServer(command[0], command.slice(1), join(folder, file), language,
    INITIALIZATION_OPTIONS && JSON.parse(INITIALIZATION_OPTIONS), ROOT);
  const textDocument = { uri: client.uri };
  let version = 1;
  const edited = async (text) => {
    const start = process.hrtime.bigint();
    client.notify('textDocument/didChange', { textDocument: { ...textDocument, version: ++version }, contentChanges: [{ text }] });
    const { result } = await client.request('textDocument/documentSymbol', { textDocument });
    const places = new Set(inPreOrder(result).map(({ selectionRange }) => JSON.stringify(selectionRange.start)));
    await Promise.all([...places].map((position) => client.request('textDocument/hover', { textDocument, position: JSON.parse(position) })));
    return Number(process.hrtime.bigint() - start) / 1e6;
  };
  return { edited, finish: client.finish };
}

try {
  for (const [file, language] of [['zod/v4/mini/schemas.ts', 'typescript'], ['vector.cc', 'cpp']]) {
    time(symbols, ['--warm', file]);
    const [warm, ctags, edited, cold, direct] = [[], [], [], [], []];
    const text = readFileSync(join(folder, file), 'utf8');
    for (let round = 0; round < rounds; ++round) {
      warm.push(time(symbols, ['--warm', file]));
      ctags.push(time('ctags', ['--output-format=json', '-o', '-', file]));
    }
    const client = await openClient(file, language);
    await client.edited(text);
    for (let round = 0; round < rounds; ++round) {
      const changed = text + ' '.repeat(1 + (round % 2));
      writeFileSync(join(folder, file), changed);
      edited.push(time(symbols, ['--warm', file]));
      direct.push(await client.edited(changed));
      cold.push(time(symbols, [file]));
    }
    await client.finish();
    console.log(`${file}: warm ${ms(median(warm))}, ${(median(warm) / median(ctags)).toFixed(2)} of ctags' ${ms(median(ctags))}; `
      + `after an edit ${ms(median(edited))}, a client with the file open ${ms(median(direct))}; cold ${ms(median(cold))}`);
  }
} finally {
  spawnSync(symbols, ['warm', '--stop'], { env });
}

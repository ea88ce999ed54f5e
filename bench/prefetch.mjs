// What `symbols proxy --prefetch` gives a client that edits, pauses and asks for the table again: the time of the table, and
// of a definition that it asks for in the middle of the pause, with the option and without, in turn.
//
//   node bench/prefetch.mjs [--rounds N] [--pause MS] [--program PROGRAM]
//     after: scripts/build; scripts/setup --tests
//
// Medians.
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openInServer } from '../tests/e2e/plain_client.mjs';
import { argumentsOf, needsPrograms, needsSources, project } from './arguments.mjs';
import { whatIsStarted } from './server_of_file.mjs';

const { values: { rounds, pause, program } } = argumentsOf({
  options: { rounds: { default: 9 }, pause: { default: 3000 }, program: { type: 'string', default: join(project, 'build/symbols') } },
});
needsPrograms('symbols');
const zod = join(project, 'tests/npm/node_modules/zod/src');
const vector = '/usr/include/c++/12/bits/stl_vector.h';
needsSources(zod, vector);

const folder = mkdtempSync(join(tmpdir(), 'symbols-bench-'));
cpSync(zod, join(folder, 'zod'), { recursive: true });
writeFileSync(join(folder, 'zod/tsconfig.json'), '{}');
cpSync(vector, join(folder, 'vector.cc'));
writeFileSync(join(folder, 'compile_flags.txt'), '-std=c++20\n');
const sleep = (time) => new Promise((resolve) => setTimeout(resolve, time));
const median = (all) => [...all].sort((x, y) => x - y)[all.length >> 1].toFixed(1);
async function milliseconds(action) {
  const start = process.hrtime.bigint();
  await action();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

try {
  for (const [file, language] of [['zod/v4/mini/schemas.ts', 'typescript'], ['vector.cc', 'cpp']]) {
    const path = join(folder, file);
    const text = readFileSync(path, 'utf8');
    const { command, env: { ROOT, INITIALIZATION_OPTIONS } } = whatIsStarted(['--no-hover', path]);
    const ways = [];
    for (const options of [[], ['--prefetch']]) {
      const client = await openInServer(program, ['proxy', '--children', 'yes', '--timeout', '60s', ...options, '--', ...command], path, language,
        INITIALIZATION_OPTIONS && JSON.parse(INITIALIZATION_OPTIONS), ROOT);
      ways.push({ client, tables: [], definitions: [], version: 1 });
      await client.request('textDocument/documentSymbol', { textDocument: { uri: client.uri } });
    }
    for (let round = 0; round < rounds; ++round) {
      for (const way of ways) {
        const textDocument = { uri: way.client.uri };
        way.client.notify('textDocument/didChange', { textDocument: { ...textDocument, version: ++way.version }, contentChanges: [{ text: text + ' '.repeat(1 + (round % 2)) }] });
        await sleep(400);
        way.definitions.push(await milliseconds(() => way.client.request('textDocument/definition', { textDocument, position: { line: 100, character: 8 } })));
        await sleep(pause);
        way.tables.push(await milliseconds(() => way.client.request('textDocument/documentSymbol', { textDocument })));
      }
    }
    for (const { client } of ways) await client.finish();
    const [without, with_] = ways;
    console.log(`${file}: the table after an edit and ${(400 + pause) / 1000} s ${median(with_.tables)} ms, without --prefetch ${median(without.tables)} ms; `
      + `a definition asked for 0.4 s after the edit ${median(with_.definitions)} ms, without ${median(without.definitions)} ms`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

// docs/limits.md is true: its numbers are those of the sources, its messages and options exist, each limit has its test, and no limit
// of the sources is missing.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { constants } from './limit_constants.mjs';
import { project, run } from './program.mjs';

const page = readFileSync(join(project, 'docs', 'limits.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| what |')).map((line) => line.slice(2, -2).split(/ ?\| /)).filter((row) => row.length > 3)
  .map(([what, limit, beyond, reason, source, held]) => ({ what, limit, beyond, reason, source, held }));
const code = (text) => [...text.matchAll(/`([^`]+)`/g)].map(([, inside]) => inside);
const texts = (text) => [...text.matchAll(/"([^"]+)"/g)].map(([, inside]) => inside);

const all = constants();
/** The key in `all` of a constant that the page calls `FILE NAME`, the file by enough of its path. */
function keyOf(named) {
  const [file, name] = named.split(' ');
  const keys = [...all.keys()].filter((key) => `/${key}`.endsWith(`/${file} ${name}`));
  assert.equal(keys.length, 1, `${named} is ${keys.length} constants of the sources`);
  return keys[0];
}

/** How the page may write a value. */
function spellings({ value, isTime }) {
  const plain = value.toLocaleString('en-US');
  if (isTime) return [[1, 'ms'], [1000, 's'], [60_000, 'min'], [3_600_000, 'h']].filter(([unit]) => value % unit === 0).map(([unit, name]) => `${(value / unit).toLocaleString('en-US')} ${name}`);
  return [plain, ...['KiB', 'MiB', 'GiB'].flatMap((name, i) => (value % 1024 ** (i + 1) === 0 ? [`${value / 1024 ** (i + 1)} ${name}`] : [])),
    ...[[1000, 's'], [3_600_000, 'h']].flatMap(([unit, name]) => (value % unit === 0 ? [`${value / unit} ${name}`] : []))];
}

test('every row has all of its cells', () => {
  assert.ok(rows.length > 100, `${rows.length} rows`);
  for (const { what, limit, held } of rows) assert.ok(what && limit && held, what);
});

for (const { what, limit, beyond, source } of rows) {
  if (source?.trim()) {
    test(`the number: ${what}`, () => {
      for (const named of code(source)) {
        const value = all.get(keyOf(named));
        const said = `${limit} ${beyond}`;
        const is = (spelling) => new RegExp(`(^|[^\\d,.])${spelling.replace('.', '\\.')}(?![\\d,]*\\d| ?[KMG]iB)`).test(said) ||
          (spelling.endsWith('B') && said.includes(spelling));
        assert.ok(spellings(value).some(is), `${named} is ${spellings(value).join(' or ')}; the page says ${said}`);
      }
    });
  }
}

const sourceText = [...new Set([...all.keys()].map((key) => key.split(' ')[0]))];
test('every message is one of the program', () => {
  const everything = ['base', 'lsp', 'table', 'proxy'].flatMap(function files(folder) {
    return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(`${folder}/${entry.name}`) : /\.(cc|h)$/.test(entry.name) ? [`${folder}/${entry.name}`] : []));
  }).map((path) => readFileSync(join(project, path), 'utf8').replace(/"\s*\n\s*"/g, '').replace(/\\"/g, '"')).join('\n');
  assert.ok(sourceText.length > 50);
  for (const { what, beyond } of rows) {
    for (const message of texts(beyond)) {
      // Numbers are put into it.
      for (const part of message.split(/['\d.]+/).map((one) => one.trim()).filter((one) => one.length > 5)) {
        const stem = part.replace(/s$/, '');  // `{} minute{}`
        assert.ok(everything.includes(part) || everything.includes(stem), `${what}: no message has "${part}"`);
      }
    }
  }
});

test('every option and setting exists', async () => {
  const commands = ['', 'proxy', 'context', 'doctor', 'index', 'mcp', 'convert', 'find'];
  const help = (await Promise.all(commands.map((command) => run([command, '--help'].filter(Boolean))))).map(({ stdout }) => stdout).join('\n');
  const settings = readFileSync(join(project, 'docs', 'configuration.md'), 'utf8');
  for (const { what, limit } of rows) {
    for (const name of code(`${what} ${limit}`)) {
      if (name.startsWith('--')) assert.ok(help.includes(name.split(' ')[0]), `${what}: no option ${name}`);
      if (/^(warm|server)_/.test(name)) assert.ok(settings.includes(`\`${name}\``), `${what}: no setting ${name}`);
    }
  }
});

const testFiles = ['lsp', 'table', 'proxy', 'e2e'].flatMap(function files(folder) {
  return readdirSync(join(project, 'tests', folder), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? files(`${folder}/${entry.name}`) : [`${folder}/${entry.name}`]));
});
for (const { what, held } of rows) {
  if (held.startsWith('none')) continue;
  test(`the test: ${what}`, () => {
    const [file] = code(held);
    const [name] = texts(held.replaceAll('\\"', "'"));
    const paths = testFiles.filter((path) => basename(path) === file);
    assert.equal(paths.length, 1, `${file} is ${paths.length} files`);
    const text = readFileSync(join(project, 'tests', paths[0]), 'utf8');
    assert.ok(["'", '"', '`'].some((quote) => ['TEST_CASE(', 'SUBCASE(', 'test(', 'scenario(', 'restarting('].some((call) => text.includes(call + quote + name))),
      `${file} has no test that begins with ${name}`);
  });
}

// What is no limit of anything that waits, is queued, kept, read or started, though it is called like one.
const noLimits = {
  'how an answer or a message is written': [
    'table/context_part.cc longest_failure', 'table/context_text.cc longest_source_line',
    'table/context_text.cc most_call_ranges', 'table/escape.cc most_digits', 'table/escape.cc most_characters',
    'table/formats/toon_format.cc most_digits', 'table/formats/tree_signatures.cc longest_row', 'table/rows.cc automatic_limit',
    'table/signature_text.cc longest', 'table/signature_text.cc most', 'proxy/runs/context.cc most_candidates_told',
    'proxy/runs/context.cc most_others_told', 'proxy/indexing/project_index.cc most_failures_told', 'proxy/index/file_outline.cc longest_name',
    'proxy/index/index_place.cc most_of_name',
    'proxy/query/context_question.cc most_places_listed', 'proxy/query/context_symbol.cc most_told_apart', 'proxy/query/context_symbol.cc most_near',
    'proxy/query/source_errors.cc longest_message', 'proxy/index/named_symbols.cc longest_line',
    'proxy/index/symbol_search.cc most_near_names',
  ],
  'what is taken for a name, an import, a number, a comment': [
    'lsp/symbol_search.cc longest_compared', 'lsp/position_index.h longest_search', 'table/fold.cc longest_import',
    'table/hover/html_entity.cc longest_name', 'proxy/files/include_names.cc longest_comment', 'proxy/query/hover_query.cc longest_name',
    'proxy/options/nearest_name.cc longest', 'proxy/options/nearest_name.cc most_changes', 'proxy/settings/source_place.cc highest',
  ],
  'figures of calculations': [
    'table/hover/prose.cc lines_of_most_hovers', 'table/token_estimate.h largest_reserve',
    'proxy/warm/warm_daemon.cc most_look_interval',
  ],
  'set from another one, which is listed': ['proxy/batch/document_dispatcher.h documents_per_server'],
};
test('every limit of the sources is in a row', () => {
  const listed = new Set(rows.flatMap(({ source }) => code(source ?? '')).map(keyOf));
  const isLimit = (key) => /(^|_)(most|max|longest|largest|deepest|highest)(_|$)|_limit_?$|_grace$|_(at_once|at_a_time|in_flight|ahead|per_server|memory)$|patience/.test(key.split(' ')[1]);
  const others = new Set(Object.values(noLimits).flat());
  const missing = [...all.keys()].filter((key) => isLimit(key) && !listed.has(key) && !others.has(key));
  assert.deepEqual(missing, [], 'add a row to docs/limits.md, or say here why it is no limit');
  assert.deepEqual([...others].filter((key) => !all.has(key) || listed.has(key)), [], 'not in the sources, or listed');
});

// Compares `symbols check` after random edits with the difference of two full runs of an independent client, each by a server of its own
// that has all files of the project open (Go: of `gopls check`). Prints what either lacks, and the sums.
//
//   node bench/check.mjs [--count 50] [--seed 1] [--without FOLDER] [--symbols FILE] [--warm] typescript|python|go|cpp DIR
//
// DIR is a git work tree without changes, and is left as it was. An edit changes an identifier, deletes a line, or makes a number a text;
// every second one also inserts lines at the top. --without: a folder to leave out. C++ needs its
// compile_commands.json. Compared are file, line and code, as texts of messages depend on what was checked before (Go has no codes: messages).
//
// --warm measures instead: MCP's `diagnostics` since the last check, after two blank lines at the top of a file and after an edit. An independent
// client asks its own server about the same files, and about their old texts where it does not know what was wrong in them: a server that it keeps,
// with all files open (not clangd, which publishes), and for C++ and Go, whose servers `symbols` starts for each call, also a new one.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openInServer } from '../tests/e2e/plain_client.mjs';
import { argumentsOf, draws, fail, median, project } from './arguments.mjs';

const { values, positionals: [language, given] } = argumentsOf({
  options: { symbols: { type: 'string', default: `${project}/build/symbols` }, count: { default: 50 }, seed: { default: 1 }, without: { type: 'string', default: '\n' }, warm: { type: 'boolean', default: false } }, allowPositionals: true,
});
const languages = {
  typescript: { files: /\.[mc]?[tj]sx?$/, id: 'typescript', server: ['typescript', ['--lsp', '--stdio']] },
  python: { files: /\.pyi?$/, id: 'python', server: ['pyright', ['--stdio']], loaded: /^Found \d+ source file/ },
  go: { files: /\.go$/, id: 'go', server: ['gopls', []], options: { pullDiagnostics: true }, isStarted: true },
  cpp: { files: /\.(c|cc|cpp|h|hpp)$/, id: 'cpp', server: ['clangd', ['--log=error']], isStarted: true },
};
const of = languages[language];
if (!of || !given) fail(`give one of ${Object.keys(languages).join(', ')}, and a folder`);
const cwd = resolve(given);
const run = (program, ...args) => spawnSync(program, args, { cwd, encoding: 'utf8', maxBuffer: 1 << 28 });
if (run('git', 'status', '--porcelain', '-uno').stdout) fail(`${cwd} has changes`);
const files = run('git', 'ls-files').stdout.trim().split('\n').filter((path) => of.files.test(path) && !path.startsWith(values.without)).sort();
const program = run(values.symbols, 'servers').stdout.split('\n').map((row) => row.trim().split(/\s{2,}/)).find(([name]) => name === of.server[0])?.[2];
const uriOf = (path) => pathToFileURL(join(cwd, path)).href;
const idOf = (path) => (language !== 'typescript' ? of.id : path.endsWith('x') ? 'typescriptreact' : /\.[mc]?js$/.test(path) ? 'javascript' : 'typescript');
/** The first line, without the places in messages, which an edit moves. */
const said = (message) => message.split('\n')[0].replaceAll(/:\d+:\d+/g, '');

/** The errors and warnings of all files: [{ path, line, message }], lines from zero. */
async function fullRun() {
  if (language === 'go') {
    const { stdout } = run('gopls', 'check', ...files);
    return stdout.trim().split('\n').filter(Boolean).map((row) => row.match(/^(.*?):(\d+)(?::\d+)?(?:-[\d:]+)?: (.*)$/s))
      .filter(Boolean).map(([, path, line, message]) => ({ path: path.slice(cwd.length + 1), line: line - 1, message: said(message) }));
  }
  const asked = await openAll(files);
  const all = await asked.problems(files);
  await asked.finish();
  return all;
}

/** A server of its own that has these files open, and what it says of some of them. */
async function openAll(paths) {
  let loaded = !of.loaded;
  const published = new Map();
  const client = await openInServer(program, of.server[1], join(cwd, paths[0]), idOf(paths[0]), of.options, cwd, ({ method, params }) => {
    if (method === 'window/logMessage' && of.loaded?.test(params.message)) loaded = true;
    if (method === 'textDocument/publishDiagnostics') published.set(params.uri, params.diagnostics);
  });
  const versions = new Map([[paths[0], 1]]);
  const write = (path, text) => {
    const version = (versions.get(path) ?? 0) + 1;
    versions.set(path, version);
    if (version === 1) client.open(uriOf(path), text, idOf(path));
    else client.notify('textDocument/didChange', { textDocument: { uri: uriOf(path), version }, contentChanges: [{ text }] });
  };
  const until = async (holds) => { for (let i = 0; !holds() && i < 12000; ++i) await new Promise((done) => setTimeout(done, 10)); };
  for (const path of paths.slice(1)) write(path, readFileSync(join(cwd, path), 'utf8'));
  await until(() => loaded);
  const problems = async (asked) => {
    const lists = await Promise.all(asked.map(async (path) => {
      const uri = uriOf(path);
      if (language !== 'cpp') return (await client.request('textDocument/diagnostic', { textDocument: { uri } })).result.items;
      await until(() => published.has(uri));
      return published.get(uri);
    }));
    return asked.flatMap((path, i) => lists[i].filter(({ severity = 1 }) => severity <= 2).map(({ code, message, range }) => ({ path, line: range.start.line, message: String(code ?? said(message)) })));
  };
  return { write, problems, finish: client.finish };
}

const below = draws(values.seed);
/** Random edits of a text: the lines from `line` on, `removed` of them, become `added`; null where there is nothing to edit. */
function edit(lines) {
  const places = [];
  const kind = below(4);
  for (const [line, text] of lines.entries()) {
    if (/^\s*(\/\/|#|\*|\/\*|$)/.test(text)) continue;
    for (const { index, 0: word } of text.matchAll(kind === 3 ? /(?<![\w"'.])\d+(?![\w"'.])/g : /\b[A-Za-z_]\w{2,}\b/g)) places.push({ line, index, word });
  }
  if (places.length === 0) return null;
  const { line, index, word } = places[below(places.length)];
  const text = lines[line];
  return { line, removed: 1, added: kind === 2 ? [] : [text.slice(0, index) + (kind === 3 ? `"${word}"` : `${word}X`) + text.slice(index + word.length)] };
}

const key = ({ path, line, message }) => `${path}:${line}: ${message}`;
/** What is in `left` and not in `right`, by `key`, each as often as it is. */
function difference(left, right, keyOf = key) {
  const counts = new Map();
  for (const one of right) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return left.filter((one) => {
    const count = counts.get(keyOf(one)) ?? 0;
    if (count > 0) counts.set(keyOf(one), count - 1);
    return count === 0;
  });
}

async function measureWarm() {
  process.env.SYMBOLS = values.symbols;
  const { startMcp } = await import('../tests/e2e/mcp_session.mjs');
  const mcp = startMcp({ cwd });
  await mcp.initialize();
  const kept = language === 'cpp' ? null : await openAll(files);
  await kept?.problems(files);
  await mcp.call('diagnostics', { since: 'HEAD' });
  const timed = async (work) => { const start = process.hrtime.bigint(); const value = await work(); return [Number(process.hrtime.bigint() - start) / 1e6, value]; };
  // Processor time of the process itself; a tick has 10 ms.
  const processorTime = () => readFileSync(`/proc/${mcp.child.pid}/stat`, 'latin1').replace(/.*\) /, '').split(' ').slice(11, 13).reduce((sum, ticks) => sum + 10 * ticks, 0);
  const unknown = async (server, paths) => new Set((await server.problems(paths)).map((one) => one.path).filter((path) => !known.has(path)));
  const rows = [];
  let known = new Set();
  for (let i = 0; i < values.count; ++i) {
    const path = files[below(files.length)];
    const text = readFileSync(join(cwd, path), 'utf8');
    const lines = text.split('\n');
    const change = edit(lines);
    if (!change) { --i; continue; }
    const texts = [`\n\n${text}`, [...lines.slice(0, change.line), ...change.added, ...lines.slice(change.line + change.removed)].join('\n')];
    for (const edited of texts) {
      writeFileSync(join(cwd, path), edited);
      const ticks = processorTime();
      const [ours, answer] = await timed(() => mcp.call('diagnostics', { since: 'last' }));
      const own = processorTime() - ticks;
      const lookedAt = JSON.parse(run(values.symbols, 'check', path, '--format', 'json', '--server', 'false').stdout).looked_at.filter((one) => files.includes(one));
      const [keptTime] = kept ? await timed(async () => {
        kept.write(path, edited);
        const wrong = await unknown(kept, lookedAt);
        if (wrong.size > 0) {
          kept.write(path, text);
          await kept.problems([...wrong]);
        }
      }) : [NaN];
      const [fresh] = of.isStarted ? await timed(async () => {
        const server = await openAll(lookedAt);
        const wrong = await unknown(server, lookedAt);
        server.finish();
        if (wrong.size === 0) return;
        writeFileSync(join(cwd, path), text);
        const other = await openAll([...new Set([...wrong, path])]);
        await other.problems([...wrong]);
        other.finish();
      }) : [NaN];
      known = new Set(lookedAt);
      rows.push({ own, isEdit: edited === texts[1], ours, kept: keptTime, fresh, files: lookedAt.length });
      console.log(`${path}${edited === texts[1] ? '' : ' (blank lines)'}: ${ours.toFixed()} ms, kept server ${keptTime.toFixed()} ms, new server ${fresh.toFixed()} ms; ${answer.split('\n')[0]}`);
      writeFileSync(join(cwd, path), text);
      kept?.write(path, text);
      await mcp.call('diagnostics', { since: 'last' });
    }
  }
  await kept?.finish();
  await mcp.close();
  for (const isEdit of [false, true]) {
    const some = rows.filter((row) => row.isEdit === isEdit);
    const middle = (of) => (Number.isNaN(of(some[0])) ? '-' : `${median(some.map(of)).toFixed()} ms`);
    console.log(`${some.length} ${isEdit ? 'edits' : 'times blank lines'}, medians: ${median(some.map((row) => row.files))} files, symbols ${middle((row) => row.ours)}, its own processor time ${middle((row) => row.own)}; `
      + `kept server ${middle((row) => row.kept)}, above it ${middle((row) => row.ours - row.kept)}; new server ${middle((row) => row.fresh)}, above it ${middle((row) => row.ours - row.fresh)}`);
  }
}
if (values.warm) {
  await measureWarm();
  process.exit(0);
}

const before = await fullRun();
console.log(`${files.length} files, ${before.length} errors and warnings`);
const sums = { edits: 0, 'with new ones': 0, new: 0, lacking: 0, 'too many': 0, 'said to be incomplete': 0, 'lacking, not said': 0 };
const times = [];
for (; sums.edits < values.count; ++sums.edits) {
  let path;
  let change;
  let lines;
  do {
    path = files[below(files.length)];
    lines = readFileSync(join(cwd, path), 'utf8').split('\n');
    change = edit(lines);
  } while (!change);
  // A line of a comment in each of these languages would have to be another one: blank lines do for all.
  const top = sums.edits % 2 ? 2 : 0;
  const edited = [...Array(top).fill(''), ...lines.slice(0, change.line), ...change.added, ...lines.slice(change.line + change.removed)];
  writeFileSync(join(cwd, path), edited.join('\n'));
  const after = await fullRun();
  const start = Date.now();
  const { stdout, stderr, status } = run(values.symbols, 'check', '--format', 'json');
  times.push(Date.now() - start);
  run('git', 'checkout', '-q', '.');
  if (!stdout) fail(`check failed: ${stderr}`);
  const answer = JSON.parse(stdout);
  const shifted = before.map((one) => {
    if (one.path !== path || one.line < change.line) return one.path === path ? { ...one, line: one.line + top } : one;
    // In the edited line only the message counts.
    if (one.line < change.line + change.removed) return { ...one, line: 'edited' };
    return { ...one, line: one.line + top + change.added.length - change.removed };
  });
  const inEdited = (one) => (one.path === path && one.line === change.line + top && change.added.length > 0 ? { ...one, line: 'edited' } : one);
  const truth = difference(after.map((one) => ({ ...inEdited(one), at: one.line })), shifted).map(({ at, ...one }) => ({ ...one, line: at }));
  const ours = answer.new.map(({ path: file, line, code, message }) => ({ path: file, line: line - 1, message: language === 'go' ? said(message) : code || said(message) }))
    .filter(({ path: file }) => !file.startsWith(values.without));
  const lacking = difference(truth, ours);
  const excess = difference(ours, truth);
  sums.new += truth.length;
  sums['with new ones'] += truth.length > 0;
  sums.lacking += lacking.length;
  sums['too many'] += excess.length;
  sums['said to be incomplete'] += !answer.is_whole;
  sums['lacking, not said'] += answer.is_whole ? lacking.length : 0;
  if (lacking.length + excess.length > 0 || status !== (ours.length > 0 ? 1 : 0)) {
    console.log(`${path}:${change.line + 1} ${JSON.stringify(lines[change.line])} -> ${JSON.stringify(change.added)} ${stderr}`);
    for (const one of lacking.slice(0, 5)) console.log(`  lacks ${key(one)}`);
    for (const one of excess.slice(0, 5)) console.log(`  too many ${key(one)}`);
  }
}
times.sort((a, b) => a - b);
console.log(Object.entries(sums).map(([name, count]) => `${count} ${name}`).join(', ') + `; median ${times[times.length >> 1]} ms`);

// Runs Emacs without a screen and without anything of the user's, with editors/emacs/symbols.el as it is shipped; and what holds whichever client
// it has: the same tests for Eglot and for lsp-mode, before real language servers.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from '../e2e/language_servers.mjs';
import { folder, inOneOrder, project } from '../e2e/program.mjs';
import { editorHome, printed as printedBy, printedRows, runToEnd, shipped, sources, waitLimit } from './editor_home.mjs';

const here = join(project, 'tests', 'editors');
export const packageFile = shipped('emacs', 'symbols.el');

/** Emacs with these arguments: { status, signal, output }, where output is both of its streams. */
export function emacs(t, args, { cwd, setup } = {}) {
  const { home, env } = editorHome(t, { setup });
  // As an Emacs with a screen does, and one in batch does not, it outlives what it writes to (lsp-mode writes on to a server that
  // it has ended); what it starts has the signal again. Not -Q: that hides Debian's packages.
  return runToEnd(t, 'env', ['--ignore-signal=PIPE', 'emacs', '-q', '--batch', ...(setup ? [] : ['-L', dirname(packageFile)]), ...args], { env, cwd: cwd ?? home });
}

/**
 * Evaluates the forms of `plan` ({ name: Lisp text }) in an Emacs with the client 'eglot' or 'lsp_mode', in the folder `cwd`.
 * Gives { name: value }; a form that fails gives { error: message }. `setup`: see editorHome.
 */
export async function session(t, client, cwd, plan, { setup } = {}) {
  const work = folder(t);
  const answers = join(work, 'answers.json');
  writeFileSync(join(work, 'plan.el'), `(${Object.entries(plan).map(([name, form]) => `(${name} ${form})`).join('\n')})`);
  const { status, signal, output } = await emacs(t, [
    '--eval', `(setq session-limit ${waitLimit / 1000})`, '-l', join(here, 'emacs_session.el'), '-l', join(here, `emacs_${client}.el`),
    '--eval', `(session-run ${JSON.stringify(join(work, 'plan.el'))} ${JSON.stringify(answers)})`,
  ], { cwd, setup });
  if (status !== 0 || !existsSync(answers)) throw new Error(`Emacs ended with ${status ?? signal}:\n${output}`);
  const results = Object.entries(JSON.parse(readFileSync(answers, 'utf8')));
  return Object.fromEntries(results.map(([name, result]) => [name, 'error' in result ? result : result.value]));
}

const withSymbols = (more = '') => `(progn (require 'symbols) ${more} t)`;

const folderWithFile = (t, name) => folder(t, { [name]: sources[name] });

const printed = (t, home, { file, option = [] }, ...options) =>
  printedBy([...options, ...option, file], { home, env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });

/** The same, and for each line where it leads: the line there, and the text from the name on; or null. */
async function printedJumps(t, home, { file, option = [] }, ...options) {
  const { text, starts } = await printedRows([...options, ...option], file, { home, env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });
  const lines = readFileSync(join(home, file), 'utf8').split('\n').map((line) => Buffer.from(line));
  return { text, jumps: starts.map((start) => start ? [start.line, lines[start.line].subarray(start.byte).toString()] : null) };
}

/**
 * The tests of `client` ('eglot', 'lsp_mode'). `wrap` is the Lisp form that puts the proxy before its servers; `servers`: for
 * each { name, file, before (a Lisp form that makes it known), hovers (names), option (of `symbols`, to choose the same server) }.
 * `main` is the server and file of the tests that need just one; `kinds` gives the table that a client's server makes of a file.
 */
export function testClient({ client, wrap, servers, kinds = (table) => table, main, missing, ended }) {
  const start = (server, { proxy = true, symbols = '' } = {}) => ({
    known: server.before ?? 't',
    load: withSymbols(proxy ? `${symbols} ${wrap}` : symbols),
    connect: `(session-connect "${server.file}")`,
  });
  const end = (file) => `(progn (switch-to-buffer "${file}") (session-end))`;

  for (const server of servers) {
    const { name, file, hovers, hoversFit = true } = server;
    test(`${name} on ${file}: outline and hovers as without the proxy; the table is what symbols prints, and jumps`, async (t) => {
      const cwd = folderWithFile(t, file);
      const own = {
        imenu: `(progn (switch-to-buffer "${file}") (session-imenu))`,
        hovers: `(session-hovers ${hovers.map((word) => `"${word}"`).join(' ')})`,
        end: '(session-end)',
      };
      const direct = await session(t, client, cwd, { ...start(server, { proxy: false }), ...own });
      // The table first: TypeScript 5 orders a union by what it was asked about before.
      const behind = await session(t, client, cwd, { ...start(server), table: '(session-show)', jumps: '(session-jumps)', ...own });

      assert.equal(direct.connect, true);
      assert.match(direct.imenu, new RegExp(hovers[0]));
      if (hoversFit) hovers.forEach((word, i) => assert.match(direct.hovers[i] ?? '', new RegExp(word)));
      assert.deepEqual({ imenu: behind.imenu, hovers: behind.hovers }, { imenu: direct.imenu, hovers: direct.hovers });

      const { text, jumps } = await printedJumps(t, cwd, server);
      // Under load Emacs has asked for something else before.
      assert.equal(inOneOrder(behind.table), inOneOrder(kinds(text, file)));
      assert.deepEqual(behind.jumps, jumps);
    });
  }

  test('the window and the kill ring: the default, other formats and fewer rows; a prefix argument asks for the format', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const show = (format) => `(progn (switch-to-buffer "${main.file}") (let ((symbols-format "${format}")) (session-show)))`;
    const answers = await session(t, client, cwd, {
      ...start(main), limit: '(progn (setq symbols-timeout session-limit) t)',
      copied: '(progn (symbols-copy) (current-kill 0))',
      copiedTree: '(let ((symbols-format "tree")) (symbols-copy) (current-kill 0))',
      said: '(symbols-copy)',
      shown: '(progn (symbols-show) (session-text))', jumps: '(session-jumps)',
      again: '(progn (session-press "g") (session-text))',
      tree: show('tree'), treeJumps: '(session-jumps)',
      bare: `(progn (switch-to-buffer "${main.file}")
               (let ((symbols-include-hover nil) (symbols-children "no")) (session-show)))`,
      packed: show('packed'), packedJump: '(session-press "RET")',
      table: show('table'), copiedThere: '(progn (kill-new "") (session-press "w") (current-kill 0))',
      asked: `(progn (switch-to-buffer "${main.file}")
                (let (offered)
                  (cl-letf (((symbol-function 'completing-read) (lambda (_ all &rest _) (setq offered all) "outline")))
                    (let ((current-prefix-arg '(4))) (call-interactively 'symbols-show)))
                  (vector (vconcat offered) (session-text))))`,
      end: end(main.file),
    });
    const table = await printed(t, cwd, main);
    const outline = await printedJumps(t, cwd, main, '--format', 'outline', '--kind-names');
    const tree = await printedJumps(t, cwd, main, '--format', 'tree');
    assert.deepEqual([answers.copied, answers.table, answers.copiedThere], [table, table, table]);
    assert.equal(answers.said, `Copied the symbols of ${main.file}: ${table.split('\n').length} lines, ${[...table].length} characters`);
    assert.deepEqual([answers.shown, answers.again, answers.jumps], [outline.text, outline.text, outline.jumps]);
    assert.deepEqual([answers.copiedTree, answers.tree, answers.treeJumps], [tree.text, tree.text, tree.jumps]);
    assert.equal(answers.bare, await printed(t, cwd, main, '--no-hover', '--children', 'no'));
    assert.equal(answers.packed, await printed(t, cwd, main, '--format', 'packed'));
    assert.deepEqual(answers.packedJump, { error: 'There is no symbol on this line' });
    // The formats that are no text are not offered.
    assert.deepEqual(answers.asked, [['table', 'tree', 'outline', 'tsv', 'toon', 'packed'], outline.text]);
  });

  test('what is not saved counts; rows keep to their symbols meanwhile; g asks again', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const text = readFileSync(join(cwd, main.file), 'utf8');
    const added = `/* 😀 */ ${main.file.endsWith('.ts') ? 'function' : 'void'} notSaved() {}\n`;
    const answers = await session(t, client, cwd, {
      ...start(main), before: '(session-show)',
      edit: `(with-current-buffer "${main.file}" (goto-char (point-min)) (insert ${JSON.stringify(added)}) t)`,
      stale: '(session-jumps)',
      again: '(progn (session-press "g") (session-text))', jumps: '(session-jumps)',
      saved: `(with-current-buffer "${main.file}" (buffer-modified-p))`,
      end: `(progn (with-current-buffer "${main.file}" (set-buffer-modified-p nil)) ${end(main.file)})`,
    });
    const edited = join(cwd, 'edited');
    mkdirSync(edited);
    writeFileSync(join(edited, main.file), added + text);
    const before = await printedJumps(t, cwd, main);
    assert.deepEqual(answers.stale, before.jumps.map((place) => place && [place[0] + 1, place[1]]));
    const after = await printedJumps(t, edited, main);
    assert.match(after.text, /\nnotSaved \| 12 \| 0:9-/);
    assert.equal(answers.again, after.text);
    assert.deepEqual(answers.jumps, after.jumps);
    assert.equal(answers.saved, true);
  });

  test('errors say what to do', async (t) => {
    const cwd = folder(t, { [main.file]: sources[main.file], 'notes.txt': 'nothing here\n' });
    const answers = await session(t, client, cwd, {
      notes: '(progn (find-file "notes.txt") t)', symbols: withSymbols(),
      noServer: '(symbols-show)', noServerToCopy: '(symbols-copy)',
      ...start(main),
      wrongFormat: '(let ((symbols-format "xml")) (symbols-show))',
      wrongChildren: '(let ((symbols-children "some")) (symbols-show))',
      tables: '(seq-count (lambda (buffer) (string-match-p "\\\\*symbols" (buffer-name buffer))) (buffer-list))',
      shown: '(progn (session-show) t)',
      header: '(progn (goto-char (point-min)) (session-press "RET"))',
      ended: `(progn (with-current-buffer "${main.file}" (session-end)) t)`,
      afterEnd: '(session-press "g")',
      gone: `(progn (kill-buffer "${main.file}") (goto-char (point-max)) (session-press "RET"))`,
    });
    const error = (name) => answers[name].error;
    assert.equal(error('noServer'), 'No language server is connected to notes.txt; start one with M-x eglot or M-x lsp');
    assert.equal(error('noServerToCopy'), error('noServer'));
    assert.equal(error('wrongFormat'),
      'The variable ‘symbols-format’ is "xml"; the proxy offers as a text: table, tree, outline, tsv, toon, packed');
    assert.match(error('wrongChildren'), /^No symbols of geometry\.\w+: .*return_children.*some/);
    assert.equal(answers.tables, 0);
    assert.equal(error('header'), 'There is no symbol on this line');
    assert.match(error('afterEnd'), ended);
    assert.equal(error('gone'), 'The buffer of these symbols is gone; visit its file and call ‘symbols-show’ there');
  });

  test('a server without the proxy, and a proxy that is not there', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const without = await session(t, client, cwd, { ...start(main, { proxy: false }), show: '(symbols-show)', end: end(main.file) });
    assert.match(without.show.error, /^The language server of geometry\.\w+ runs without the proxy; see ‘symbols-eglot-wrap’ or ‘symbols-lsp-mode-wrap’/);
    const notThere = await session(t, client, cwd, start(main, { symbols: '(setq symbols-program "no-such-symbols")' }));
    assert.match(notThere.connect.error, missing);
  });
}

// What holds in Emacs whichever client it has: the same tests for Eglot and for lsp-mode, before real language servers.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from '../e2e/language_servers.mjs';
import { folder, inOneOrder } from '../e2e/program.mjs';
import { session } from './emacs.mjs';
import { printed as printedBy, printedRows, sources } from './sources.mjs';

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

  test('the window has the outline for people by default; other formats, whose rows jump too, and fewer rows', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const show = (format) => `(progn (switch-to-buffer "${main.file}") (let ((symbols-format "${format}")) (session-show)))`;
    const answers = await session(t, client, cwd, {
      ...start(main), limit: '(progn (setq symbols-timeout session-limit) t)',
      shown: '(progn (symbols-show) (session-text))', jumps: '(session-jumps)',
      again: '(progn (session-press "g") (session-text))',
      tree: show('tree'), 'tree-jumps': '(session-jumps)',
      bare: `(progn (switch-to-buffer "${main.file}")
               (let ((symbols-include-hover nil) (symbols-children "no")) (session-show)))`,
      packed: show('packed'), 'packed-jump': '(session-press "RET")',
      end: end(main.file),
    });
    const outline = await printedJumps(t, cwd, main, '--format', 'outline', '--kind-names');
    assert.deepEqual([answers.shown, answers.again], [outline.text, outline.text]);
    assert.deepEqual(answers.jumps, outline.jumps);
    const tree = await printedJumps(t, cwd, main, '--format', 'tree');
    assert.deepEqual([answers.tree, answers['tree-jumps']], [tree.text, tree.jumps]);
    assert.equal(answers.bare, await printed(t, cwd, main, '--no-hover', '--children', 'no'));
    assert.equal(answers.packed, await printed(t, cwd, main, '--format', 'packed'));
    assert.deepEqual(answers['packed-jump'], { error: 'There is no symbol on this line' });
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

  test('the table on the kill ring, from the source and from the table', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const answers = await session(t, client, cwd, {
      ...start(main),
      copied: '(progn (symbols-copy) (current-kill 0))',
      tree: '(let ((symbols-format "tree")) (symbols-copy) (current-kill 0))',
      table: '(session-show)',
      shown: '(progn (kill-new "") (session-press "w") (current-kill 0))',
      said: '(symbols-copy)',
      end: end(main.file),
    });
    const expected = await printed(t, cwd, main);
    assert.deepEqual([answers.copied, answers.table, answers.shown], [expected, expected, expected]);
    assert.equal(answers.tree, await printed(t, cwd, main, '--format', 'tree'));
    const [lines, characters] = [expected.split('\n').length, [...expected].length];
    assert.equal(answers.said, `Copied the symbols of ${main.file}: ${lines} lines, ${characters} characters`);
  });

  test('a prefix argument asks for the format; the formats that are no text are not offered', async (t) => {
    const cwd = folderWithFile(t, main.file);
    const answers = await session(t, client, cwd, {
      ...start(main),
      asked: `(let (offered)
                (cl-letf (((symbol-function 'completing-read) (lambda (_ all &rest _) (setq offered all) "outline")))
                  (let ((current-prefix-arg '(4))) (call-interactively 'symbols-show)))
                (vector (vconcat offered) (session-text)))`,
      end: end(main.file),
    });
    const [offered, text] = answers.asked;
    assert.deepEqual(offered, ['table', 'tree', 'outline', 'tsv', 'toon', 'packed']);
    assert.equal(text, await printed(t, cwd, main, '--format', 'outline', '--kind-names'));
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

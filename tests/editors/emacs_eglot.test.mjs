// editors/emacs/symbols.el in a real Emacs with Eglot, before real language servers; and the package as a package.
import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from '../e2e/language_servers.mjs';
import { folder } from '../e2e/program.mjs';
import { sources } from './editor_home.mjs';
import { emacs, packageFile, session, testClient } from './emacs_cases.mjs';

const javascriptMode = `(add-to-list 'auto-mode-alist '("\\\\.ts\\\\'" . js-mode))`;
const entry = (contact) => `(progn ${javascriptMode} (add-to-list 'eglot-server-programs '((js-mode :language-id "typescript") . ${contact})) t)`;
const { tsserver } = languageServers['typescript-language-server'].initializationOptions;

// Debian's Eglot does not tell servers of LSP's later symbol kinds, so clangd sends older ones, as it does without the proxy.
const older = { 22: 10, 23: 5 };
const kinds = (table, file) =>
  file.endsWith('.cpp') ? table.replace(/ \| (22|23) \| (?=\d+:)/g, (_, kind) => ` | ${older[kind]} | `) : table;

const typescript = { name: 'TypeScript 7', file: 'geometry.ts', hovers: ['calculateArea', 'Rectangle'], before: entry('("tsc" "--lsp" "--stdio")') };

testClient({
  client: 'eglot',
  wrap: "(symbols-eglot-wrap 'c++-mode 'js-mode)",
  main: typescript,
  kinds,
  missing: /^There is no program ‘no-such-symbols’ on the PATH; install it or set ‘symbols-program’$/,
  ended: /^No language server is connected to geometry\.ts/,
  servers: [
    { name: 'clangd, by the entry that Eglot has', file: 'geometry.cpp', hovers: ['calculate_area', 'Circle', 'radius_'] },
    { name: 'clangd', file: 'names.cpp', hovers: ['wide', 'astral'] },
    typescript,
    { ...typescript, file: 'names.ts', hovers: ['behind', 'inner'] },
    {
      name: 'typescript-language-server, with options of its own', file: 'geometry.ts', hovers: ['calculateArea', 'Rectangle'],
      option: ['--server', 'typescript-language-server'],
      before: entry(`("typescript-language-server" "--stdio" :initializationOptions
        (:disableAutomaticTypingAcquisition t :tsserver (:path "${tsserver.path}" :useSyntaxServer "never")))`),
    },
  ],
});

// What symbols-eglot-wrap makes of an entry, as Eglot's own way of choosing a server sees it.
const wrapped = (contact, more = '') => `(let ((eglot-server-programs (list (cons '(c++-mode (c-mode :language-id "c")) ${contact}))))
  (symbols-eglot-wrap 'c-mode) ${more}
  (format "%S" (nth 3 (with-temp-buffer (setq buffer-file-name "a.c") (setq major-mode 'c-mode)
                        (prog1 (eglot--guess-contact) (setq buffer-file-name nil))))))`;
const proxy = '"symbols" "proxy" "--format" "standard"';
const wraps = [
  ['a command', wrapped(`'("clangd" "--log=error")`), `(${proxy} "--" "clangd" "--log=error")`],
  ['with what comes behind a command', wrapped(`'("clangd" :initializationOptions (:a 1))`), `(${proxy} "--" "clangd" :initializationOptions (:a 1))`],
  ['a function of one argument', wrapped('(lambda (_) (list "clangd"))'), `(${proxy} "--" "clangd")`],
  ['a function of two', wrapped('(lambda (_interactive project) (list "clangd" (format "%s" project)))'), `(${proxy} "--" "clangd" "nil")`],
  ['a class', wrapped(`'(eglot-lsp-server "clangd")`), `(${proxy} "--" "clangd")`],
  ['twice', wrapped(`'("clangd")`, "(symbols-eglot-wrap 'c++-mode)"), `(${proxy} "--" "clangd")`],
  ['options of the proxy', `(let ((symbols-proxy-options '("--ascii"))) ${wrapped(`'("clangd")`)})`, `(${proxy} "--ascii" "--" "clangd")`],
  ['a port', wrapped(`'("localhost" 6008)`), { error: 'Not a program on standard input and output, so it cannot have the proxy: ("localhost" 6008)' }],
  ['a port that Eglot finds', wrapped(`'("server" "--port" :autoport)`),
    { error: 'Not a program on standard input and output, so it cannot have the proxy: ("server" "--port" :autoport)' }],
  ['no entry', `(let ((eglot-server-programs nil)) (symbols-eglot-wrap 'c-mode))`,
    { error: 'No entry of ‘eglot-server-programs’ is for c-mode; add one before this call' }],
];

// What symbols-eglot-set-program makes of an entry: the command, and what the server is told that the language is.
const programmed = (mode, file, programs) => `(let ((eglot-server-programs ${programs}))
  (symbols-eglot-set-program '("/m/clangd-19" "--stdio") '${mode})
  (format "%S" (let ((contact (with-temp-buffer (setq buffer-file-name "${file}") (setq major-mode '${mode})
                                (prog1 (eglot--guess-contact) (setq buffer-file-name nil)))))
                 (list (nth 3 contact) (nth 4 contact)))))`;
const programs = [
  ["the same server keeps the user's arguments and the language id",
    programmed('c-mode', 'a.c', `(list '(((c-mode :language-id "own")) . ("clangd" "--log=error")))`), '(("/m/clangd-19" "--log=error") "own")'],
  ['the same server in another version', programmed('c-mode', 'a.c', `(list '(c-mode . ("/usr/bin/clangd-14" "-j=2" :initializationOptions (:a 1))))`),
    '(("/m/clangd-19" "-j=2" :initializationOptions (:a 1)) "c")'],
  ['another server stays', programmed('c-mode', 'a.c', `(list '(c-mode . ("ccls" "-v")))`), '(("ccls" "-v") "c")'],
  ['a port stays', programmed('c-mode', 'a.c', `(list '(c-mode . ("localhost" 6008)))`), '(("localhost" 6008) "c")'],
  ['a class', programmed('c-mode', 'a.c', `(list '(c-mode . (eglot-lsp-server "clangd")))`), '(("/m/clangd-19") "c")'],
  ['servers of which none is installed', programmed('c-mode', 'a.c', `(list (cons 'c-mode (eglot-alternatives '("no-such-server"))))`), '(("/m/clangd-19" "--stdio") "c")'],
  ['no entry', programmed('c-mode', 'a.c', 'nil'), '(("/m/clangd-19" "--stdio") "c")'],
];

for (const [name, cases] of [['symbols-eglot-wrap', wraps], ['symbols-eglot-set-program', programs]]) {
  test(`${name}: what it makes of an entry`, async (t) => {
    const forms = cases.map(([what, form]) => [JSON.stringify(what), form]);
    const answers = await session(t, 'eglot', undefined, { package: "(progn (require 'symbols) t)", ...Object.fromEntries(forms) });
    for (const [what, , expected] of cases) assert.deepEqual(answers[what], expected, what);
  });
}

test('the package compiles without a warning, its documentation is as Emacs wants it, its commands are autoloaded', async (t) => {
  const copy = folder(t);
  const file = join(copy, 'symbols.el');
  copyFileSync(packageFile, file);
  const compiled = await emacs(t, ['--eval', '(setq byte-compile-error-on-warn t)', '-f', 'batch-byte-compile', file]);
  assert.equal(compiled.status, 0, compiled.output);
  assert.ok(existsSync(`${file}c`));

  const checked = await emacs(t, ['--eval', `(checkdoc-file "${file}")`]);
  assert.equal(checked.status, 0);
  assert.doesNotMatch(checked.output, /Warning|symbols\.el:\d/);

  const installed = await emacs(t, ['--eval', `(progn
    (require 'package) (require 'subr-x)
    (setq package-user-dir "${join(copy, 'elpa')}")
    (package-install-file "${file}")
    (princ (list (mapcar (lambda (f) (and (autoloadp (symbol-function f)) t))
                         '(symbols-show symbols-copy symbols-eglot-wrap symbols-eglot-set-program symbols-lsp-mode-wrap))
                 (package-version-join (package-desc-version (cadr (assq 'symbols package-alist)))))))`]);
  assert.match(installed.output, /\(\(t t t t t\) 0\.1\.0\)/);
});

test('what symbols setup writes: the servers behind the proxy, for both clients, and the outline', async (t) => {
  const cwd = folder(t, { 'geometry.cpp': sources['geometry.cpp'] });
  const answers = await session(t, 'eglot', cwd, {
    init: '(load "~/.emacs.d/init.el")',
    contact: `(format "%S" (funcall (cdr (seq-find (lambda (entry) (symbols--eglot-manages-p (car entry) 'c++-mode)) eglot-server-programs))))`,
    lspMode: 'lsp-clients-clangd-executable',
    connect: '(session-connect "geometry.cpp")', shown: '(progn (setq symbols-timeout session-limit) (symbols-show) (session-text))',
    end: '(progn (switch-to-buffer "geometry.cpp") (session-end))',
  }, { setup: 'emacs' });
  assert.match(answers.contact, /^\("\/.*\/bin\/symbols" "proxy" "--format" "standard" "--" "\/.*clangd-19"\)$/);
  assert.match(answers.lspMode, /^\/.*clangd-19$/);
  // Debian's Eglot does not tell servers of LSP's later symbol kinds, but namespaces are old.
  assert.match(answers.shown, /^\[L2\] \(Namespace\+\d+\) geometry\n/);
});

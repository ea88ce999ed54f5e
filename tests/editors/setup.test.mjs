// What `symbols setup NAME --write` puts into an empty home works as it is: real editors, started without anything but that home, have
// this machine's program and servers, and answer with a table where they can be driven without a screen.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from '../e2e/language_servers.mjs';
import { fixture, folder, marked, run, symbolsPath, timeFactor } from '../e2e/program.mjs';

const limit = 120_000 * timeFactor;

/** A home into which `symbols setup` has written the configuration of `name`, and a project with a C++ file in it. */
async function home(t, name) {
  const files = Object.entries(serverSettings).map(([file, text]) => [`.config/${file}`, text]);
  const path = folder(t, { ...Object.fromEntries(files), 'project/geometry.cpp': readFileSync(fixture('geometry.cpp')) });
  const program = join(path, 'bin', 'symbols');
  mkdirSync(join(path, 'bin'));
  symlinkSync(symbolsPath, program);
  const { env: mark, noneLeft } = marked();
  const base = { ...mark, HOME: path, XDG_CONFIG_HOME: undefined, XDG_DATA_HOME: undefined, XDG_RUNTIME_DIR: path, LANG: 'C.UTF-8' };
  const cwd = join(path, 'project');
  const { status, stderr } = await run(['setup', name, '--write'], { cwd, env: { ...base, PATH: `${join(path, 'bin')}:${process.env.PATH}` } });
  assert.equal(status, 0, stderr);
  return {
    path,
    program,
    read: (file) => readFileSync(join(path, file), 'utf8'),
    /** Runs the editor, on whose PATH there is no `symbols`; none of its processes is left. */
    async run(editor, args) {
      const ended = await run(args, { program: editor, cwd, env: base, limit });
      assert.equal(ended.signal, null, `${editor} did not end: ${ended.stdout}${ended.stderr}`);
      await noneLeft();
      return ended;
    },
  };
}

const table = /^NAME \| KIND \| RANGE \| SELECTION \| PARENT.*\ngeometry \| 3 \| 1:0-31:1 \| 1:10-18 \| .*\n/;

// What is opened for people where no format is given.
const outline = /^\[L2\] \(Namespace\+\d+\) geometry\n/;

test('Neovim: the server is started behind the proxy, and :Symbols opens the outline', async (t) => {
  const mine = await home(t, 'nvim');
  const script = `
    local function wait(what, condition) assert(vim.wait(60000, condition, 50), 'not within a minute: ' .. what) end
    local clients = vim.lsp.get_clients or vim.lsp.get_active_clients
    local ok, message = pcall(function()
      wait('the server', function() return #clients() > 0 and clients()[1].initialized end)
      vim.cmd('Symbols')
      wait('the table', function() return vim.bo.buftype == 'nofile' end)
    end)
    local lines = ok and vim.api.nvim_buf_get_lines(0, 0, -1, false) or { message }
    vim.fn.writefile(vim.list_extend({ table.concat(clients()[1].config.cmd, ' ') }, lines), vim.env.HOME .. '/result')
    vim.cmd('qall!')`;
  await mine.run('nvim', ['--headless', '-i', 'NONE', '-n', 'geometry.cpp', '-c', `lua ${script.replaceAll('\n', ' ')}`]);
  const [command, ...lines] = mine.read('result').split('\n');
  assert.match(command, new RegExp(`^${mine.program} proxy --format standard -- /.*clangd-19$`));
  assert.match(lines.join('\n'), outline);
});

test('Vim: the plugin is loaded with this machine\'s paths, and :Symbols opens the table', async (t) => {
  const mine = await home(t, 'vim');
  const commands = [
    'set nomore',
    "let s = [g:symbols_program, g:symbols_servers.cpp]",
    'Symbols table',
    "for i in range(1200) | if getline(1) =~# '^NAME' || execute('messages') =~# 'symbols: ' | break | endif | sleep 50m | endfor",
    "call writefile(s + getline(1, '$') + split(execute('messages'), '\\n'), $HOME . '/result')",
    'qall!',
  ];
  await mine.run('vim', ['-E', '-s', '-N', '-i', 'NONE', '-n', '--not-a-term', '-u', '/dev/null', '--cmd', 'set nocompatible', 'geometry.cpp',
    ...commands.flatMap((command) => ['-c', command])]);
  const [program, server, ...lines] = mine.read('result').split('\n');
  assert.equal(program, mine.program);
  assert.match(server, /^\/.*clangd-19$/);
  assert.match(lines.join('\n'), table);
});

test('Emacs: Eglot and lsp-mode are told of the proxy and of the servers; with Eglot the table is shown', async (t) => {
  const mine = await home(t, 'emacs');
  const script = `(progn (require 'eglot)
    (let ((entry (seq-find (lambda (entry) (symbols--eglot-manages-p (car entry) 'c++-mode)) eglot-server-programs)))
      (princ (format "%S\\n%S\\n%S\\n" (funcall (cdr entry)) lsp-clients-clangd-executable (fboundp 'symbols-show))))
    (setq eglot-sync-connect t eglot-connect-timeout 100 symbols-timeout 100 eglot-autoshutdown t)
    (find-file "geometry.cpp")
    (apply #'eglot (eglot--guess-contact))
    (symbols-show)
    (princ (buffer-substring-no-properties (point-min) (point-max)))
    (with-current-buffer "geometry.cpp" (eglot-shutdown (eglot-current-server))))`;
  const { status, stdout, stderr } = await mine.run('emacs', ['-q', '--batch', '-l', join(mine.path, '.emacs.d/init.el'), '--eval', script]);
  assert.equal(status, 0, stderr);
  const [contact, clangd, command, ...lines] = stdout.trimEnd().split('\n');
  assert.match(contact, new RegExp(`^\\("${mine.program}" "proxy" "--format" "standard" "--" "/.*clangd-19"\\)$`));
  assert.match(clangd, /^"\/.*clangd-19"$/);
  assert.equal(command, 't');
  // Debian's Eglot does not tell servers of LSP's later symbol kinds, but namespaces are old.
  assert.match(lines.join('\n'), outline);
});

test('Kakoune: the command is there, with this machine\'s program', async (t) => {
  const mine = await home(t, 'kakoune');
  const script = [
    'echo -to-file %sh{ echo "$HOME/program" } %opt{symbols_program}',
    'try %{ symbols nonsense } catch %{ echo -to-file %sh{ echo "$HOME/error" } %val{error} }',
    'quit!',
  ].join('\n');
  await mine.run('kak', ['-ui', 'dummy', '-e', script, 'geometry.cpp']);
  assert.equal(mine.read('program').trim(), mine.program);
  assert.match(mine.read('error'), /symbols: there is no such format/);
});

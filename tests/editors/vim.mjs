// Runs Vim and Neovim without a screen, with their plugins installed as packages, and tests what the two plugins have in common.
// Neovim: SYMBOLS_NVIM, or the one on the PATH. What is written here for it runs in any version from 0.7 on, and calls nothing that the
// version has deprecated.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { editorHome, limit, printed, printedRows, runToEnd, shipped, sources, waitLimit } from './editor_home.mjs';

// What the tests' scripts are written with, in either editor.
const prelude = `
" Waits until the condition, a function, is true; throws after a while.
function! Wait(what, Condition) abort
  let l:start = reltime()
  while reltimefloat(reltime(l:start)) * 1000 < ${waitLimit}
    if a:Condition()
      return
    endif
    sleep 20m
  endwhile
  throw 'not within ${waitLimit} ms: ' . a:what
endfunction
" What the commands have said since Forget().
function! Told() abort
  return filter(split(execute('messages'), "\\n"), {_, line -> line =~# '^symbols: '})
endfunction
function! Forget() abort
  messages clear
endfunction
" Runs a command of the plugin that opens a window, and gives the lines in it; the cursor is there then.
function! Table(command) abort
  call Forget()
  execute a:command
  call Wait('the window of ' . a:command, {-> &filetype ==# 'symbols' || !empty(Told())})
  if &filetype !=# 'symbols'
    throw join(Told())
  endif
  return getline(1, '$')
endfunction
function! Shown(command) abort
  return join(Table(a:command), "\\n")
endfunction
function! Said(command) abort
  call Forget()
  execute a:command
  call Wait('a message of ' . a:command, {-> !empty(Told())})
  return Told()[-1]
endfunction
function! Cursor() abort
  return {'file': expand('%:t'), 'line': line('.') - 1, 'byte': col('.') - 1}
endfunction
" Each format's lines, the name of its buffer, and where <CR> leads from each line: false where it stays.
function! TablesAndJumps(formats) abort
  let l:shown = {}
  for l:format in a:formats
    let l:lines = Table('Symbols ' . l:format)
    let [l:window, l:name, l:jumps] = [win_getid(), bufname(''), []]
    for l:row in range(1, len(l:lines))
      call win_gotoid(l:window)
      call cursor(l:row, 1)
      execute "normal \\<CR>"
      call add(l:jumps, win_getid() == l:window ? v:false : Cursor())
    endfor
    let l:shown[l:format] = {'lines': l:lines, 'jumps': l:jumps, 'name': l:name}
    call win_gotoid(l:window)
    normal q
  endfor
  return l:shown
endfunction
`;

const neovimPrelude = `
lua << LUA
told = {}
vim.notify = function(message) table.insert(told, message) end
function wait(what, condition)
  if not vim.wait(${waitLimit}, condition, 20) then error('not within ${waitLimit} ms: ' .. what) end
end
-- Those of the current buffer.
function clients()
  if vim.lsp.get_clients then return vim.lsp.get_clients({ bufnr = vim.api.nvim_get_current_buf() }) end
  return vim.tbl_values(vim.lsp.buf_get_clients(0))
end
function attached(count)
  wait('a language client', function()
    return #vim.tbl_filter(function(client) return client.initialized end, clients()) >= (count or 1)
  end)
  local config = require('symbols.config').get()
  if config.timeout_ms == 60000 then config.timeout_ms = ${waitLimit} end
end
LUA
function! Told() abort
  return luaeval('told')
endfunction
function! Forget() abort
  lua told = {}
endfunction
`;

// Runs before the user's own lines. What Neovim would warn of is collected, whoever calls it; :checkhealth vim.deprecated has the same.
const noteDeprecated = `
deprecated_calls = {}
if vim.deprecate then
  vim.deprecate = function(name, alternative)
    table.insert(deprecated_calls, debug.traceback(('%s is deprecated: %s'):format(name, tostring(alternative))))
  end
end
`;

export const vim = {
  program: 'vim', args: ['-N', '-es', '-n', '-i', 'NONE', '-u', '.vimrc'], prelude,
  rc: '.vimrc', rcStart: `set nocompatible nomore encoding=utf-8 hidden\nfiletype plugin on\nlet g:symbols_timeout = ${waitLimit}\n`,
  plugin: { '.vim/pack/tested/start/symbols': shipped('vim') },
};
export const neovim = {
  program: process.env.SYMBOLS_NVIM ?? 'nvim', args: ['--headless', '-n', '-i', 'NONE'], prelude: prelude + neovimPrelude,
  rc: '.config/nvim/init.lua', rcStart: noteDeprecated,
  plugin: { '.local/share/nvim/site/pack/symbols/start/symbols': shipped('nvim') }, deprecated: "luaeval('deprecated_calls')",
};

/** An init.lua with the plugin's setup(). */
export const setup = (options = '') => `require('symbols').setup(${options})
  if vim.lsp.enable then vim.lsp.enable('symbols') end`;

/** An init.lua that starts a server of its own for each buffer of these filetypes; `config` is a Lua table. */
export const startsServer = (config) => `
  vim.api.nvim_create_autocmd('FileType', { pattern = { 'cpp', 'typescript' }, callback = function(event)
    if vim.lsp.start then
      vim.lsp.start(${config}, { bufnr = event.buf, reuse_client = function() return false end })
    else
      vim.lsp.buf_attach_client(event.buf, vim.lsp.start_client(${config}))
    end
  end })`;

export const withoutProxy = (server, options = 'nil') =>
  startsServer(`{ name = 'plain', cmd = vim.split('${server}', ' '), root_dir = vim.fn.getcwd(), init_options = ${options} }`);

/**
 * Runs a script in an editor that has `file` open: `script`, the body of a Vim script function, or `lua`, that of a Lua function. `rc` is the
 * user's configuration, `files` and `links` are in the home, where the editor runs. `setup`: with what `symbols setup` installs in place of the
 * plugin. Gives { result, home, env }, where `result` is what the script returns.
 */
export async function runVim(t, editor, { rc = '', files = {}, links = {}, setup, programs, file, script, lua }) {
  const body = lua === undefined ? script : `
  let l:outcome = luaeval('{ xpcall(script, debug.traceback) }')
  if !l:outcome[0]
    throw 'Lua: ' . l:outcome[1]
  endif
  return get(l:outcome, 1, v:null)`;
  const { home, env, place } = editorHome(t, {
    setup, programs,
    files: {
      [editor.rc]: editor.rcStart + rc,
      'test.vim': `${editor.prelude}
${lua === undefined ? '' : `lua << LUA\nfunction script()\n${lua}\nend\nLUA`}
function! Script() abort
${body}
endfunction
try
  let g:result = {'result': Script()}
catch
  let g:result = {'error': v:exception . ' at ' . v:throwpoint}
endtry
let g:result.deprecated = ${editor.deprecated ?? '[]'}
call writefile([json_encode(g:result)], $HOME . '/result.json')
qall!
`,
      ...files,
    },
    links: { ...(setup ? {} : editor.plugin), ...links },
  });
  const { status, signal, output } = await runToEnd(t, editor.program, [...editor.args, ...(file ? [file] : []), '-S', 'test.vim'], { env, cwd: home });
  let answer;
  try {
    answer = JSON.parse(readFileSync(place('result.json'), 'utf8'));
  } catch (error) {
    throw new Error(`${editor.program} ended with ${signal ?? status} and left no result (${error.message}): ${output}`);
  }
  if (answer.error || answer.deprecated.length > 0) throw new Error([answer.error, ...answer.deprecated, output].join('\n'));
  return { result: answer.result, home, env };
}

/**
 * What the editor shows of `file` by :Symbols is what the program prints with `--server SERVER`, and each row leads to its symbol. `before` is run
 * first; `without` names columns that do not count. Gives what TablesAndJumps gave.
 */
export async function checkTables(t, editor, { file, server, formats = ['table', 'tree', 'outline'], without = [], before = '', files, ...options }) {
  const { result, home, env } = await runVim(t, editor, {
    ...options, file, files: { [file]: sources[file], ...files },
    script: `${before}\n  return TablesAndJumps(${JSON.stringify(formats)})`,
  });
  const compared = (lines) => {
    const [heading, ...rows] = lines.map((line) => line.split(' | '));
    return [heading, ...rows].map((cells) => cells.filter((_, i) => !without.includes(heading[i])));
  };
  for (const format of formats) {
    const { lines, jumps, name } = result[format];
    const { text, starts } = await printedRows(['--server', server, '--format', format], file, { env, home });
    assert.deepEqual(compared(lines), compared(text.split('\n')));
    assert.match(name, new RegExp(`symbols://\\d+/${format}/${file}$`));
    assert.deepEqual(jumps, starts, format);
  }
  return result;
}

/**
 * A test of each case by its name: what its script returns (see runVim) is `is`, or what `is(print, printAll)` gives, where `print(...options)` is
 * what the program prints of the file, and printAll(...words) of other arguments. `options` gives runVim's options for a case.
 */
export function testCommands(editor, cases, options) {
  for (const [name, { file = 'geometry.cpp', script, is, ...more }] of Object.entries(cases)) {
    test(`command: ${name}`, limit, async (t) => {
      const { before = '', files, ...others } = options(more);
      const { result, home, env } = await runVim(t, editor, {
        ...others, file, files: { [file]: sources[file] ?? 'text\n', ...files }, script: `${before}\n  ${script}`,
      });
      const printAll = (...args) => printed(args, { env, home });
      const wanted = typeof is === 'function' ? await is((...args) => printAll(...args, file), printAll) : is;
      if (wanted instanceof RegExp) assert.match(result, wanted);
      else assert.deepEqual(result, wanted);
    });
  }
}

/** What holds in both editors. `settings` are by the names of the Vim plugin's variables, without their g:symbols_. */
export const commonCommands = {
  'no format: the outline in the window, for people': {
    script: "return Shown('Symbols')", is: (print) => print('--format', 'outline', '--kind-names'),
  },
  'the configured format and options': {
    settings: { format: 'tree', options: { return_children: 'no', include_hover: false } },
    script: "return Shown('Symbols')", is: (print) => print('--format', 'tree', '--children', 'no', '--no-hover'),
  },
  'the table, where it is configured': { settings: { format: 'table' }, script: "return Shown('Symbols')", is: (print) => print() },
  'options of a request': {
    script: "return Shown('Symbols tsv kind=Method,Field include_hover=false fields=name,kind,lines kind_names=true sort=-name')",
    is: (print) => print('--format', 'tsv', '--kind', 'Method,Field', '--no-hover', '--fields', 'name,kind,lines', '--kind-names', '--sort=-name'),
  },
  'packed, which has no rows': {
    script: `return [Shown('Symbols packed'), Said("normal \\<CR>")]`,
    is: async (print) => [await print('--format', 'packed'), 'symbols: packed has no rows to jump from; use another format'],
  },
  'a budget: the last line is not a row': {
    script: `return [Shown('Symbols tree max_tokens=60'), Said("normal G\\<CR>")]`,
    is: async (print) => [await print('--format', 'tree', '--max-tokens', '60'), 'symbols: no symbol stands in this line'],
  },
  'yank into the unnamed register': {
    script: `return [Said('SymbolsYank tree include_hover=false'), getreg('"'), getregtype('"')]`,
    is: async (print) => ['symbols: 9 lines of tree in register "', `${await print('--format', 'tree', '--no-hover')}\n`, 'V'],
  },
  'yank into a register of that name, the table where nothing else is said': {
    script: "return [Said('SymbolsYank a include_hover=false'), getreg('a')]",
    is: async (print) => ['symbols: 16 lines of table in register a', `${await print('--no-hover')}\n`],
  },
  'a second table takes the window of the first': {
    script: `call Table('Symbols')
  wincmd p
  Symbols tree
  call Wait('the second', {-> bufname('') =~# '/tree/'})
  let l:windows = winnr('$')
  execute "normal gg\\<CR>"
  return [l:windows, Cursor()]`,
    is: [2, { file: 'geometry.cpp', line: 1, byte: 10 }],
  },
  'the last window of a table, closed, shows the source': {
    script: `call Table('Symbols tree')
  only
  normal q
  return [bufname(''), winnr('$')]`,
    is: ['geometry.cpp', 1],
  },
  'the window of the source was closed': {
    script: `let l:source = win_getid()
  call Table('Symbols table')
  call win_execute(l:source, 'close')
  execute "normal 3gg\\<CR>"
  return [Cursor(), winnr('$')]`,
    is: [{ file: 'geometry.cpp', line: 4, byte: 11 }, 2],
  },
  'the buffer of the source is gone': {
    script: `call Table('Symbols')\n  bwipeout! geometry.cpp\n  return Said("normal 3gg\\<CR>")`,
    is: 'symbols: the buffer that this table is about is gone; ask again from the file',
  },
  // The user does something else until the answer comes.
  'another window meanwhile: the table opens, the user stays there': {
    script: `Symbols tree include_hover=false
  vnew
  let l:here = win_getid()
  let l:Table = {-> filter(range(1, bufnr('$')), {_, buffer -> getbufvar(buffer, '&filetype') ==# 'symbols'})}
  call Wait('the table', {-> !empty(l:Table())})
  return [getbufline(l:Table()[0], 1)[0], l:here == win_getid()]`,
    is: ['n2-32 geometry:0-1@10', 1],
  },
  'insert mode meanwhile: it is said': {
    script: `call Forget()
  Symbols tree
  let g:Answered = {-> !empty(Told()) || winnr('$') > 1}
  inoremap <F2> <Cmd>call Wait('the answer', g:Answered)<CR>
  call feedkeys("i\\<F2>\\<Esc>", 'xt')
  return [Told(), winnr('$')]`,
    is: [['symbols: the tree of geometry.cpp came in the middle of something else; ask again'], 1],
  },
  completion: {
    script: "return [sort(getcompletion('Symbols t', 'cmdline')), getcompletion('Symbols tree verb', 'cmdline')]",
    is: [['table', 'timeout=', 'tokenizer=', 'toon', 'tree', 'tsv'], ['verbosity=']],
  },
  'no such format': { script: "return Said('Symbols yaml')", is: 'symbols: there is no format yaml; there are table, tree, outline, tsv, toon, packed' },
  'two formats': { script: "return Said('Symbols tree table')", is: 'symbols: one format at a time, not tree and table' },
  'no such option': { script: "return Said('Symbols colour=red')", is: /^symbols: there is no option colour;/ },
  'no such value': { script: "return Said('Symbols tree verbosity=loud')", is: /^symbols: (symbols|the language server): verbosity cannot be "loud"/ },
  'no such register': { script: "return Said('SymbolsYank ! tree')", is: 'symbols: there is no register ! to write to' },
  'no answer in time': { settings: { timeout: 1 }, script: "return Said('Symbols')", is: /^symbols: .* within 1 ms; .* may still be loading the project$/ },
};

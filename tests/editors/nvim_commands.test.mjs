// The commands of editors/nvim, each with what it shows, does or says.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limit, runNvim, setup, withoutProxy } from './nvim.mjs';
import { printed, sources } from './sources.mjs';
import { editorHome } from './editor_home.mjs';

const json = JSON.stringify;

const commands = {
  'no format: the configured one': {
    setup: "{ format = 'tree', options = { return_children = 'no', include_hover = false } }",
    script: `return T.table('Symbols')`,
    printed: ['--format', 'tree', '--children', 'no', '--no-hover'],
  },
  'no format: the outline in the window, for people': {
    script: `return T.table('Symbols')`,
    printed: ['--format', 'outline', '--kind-names'],
  },
  'the table, where it is asked for': {
    script: `return T.table('Symbols table')`,
    printed: [],
  },
  'the table, where it is configured': {
    setup: "{ format = 'table' }",
    script: `return T.table('Symbols')`,
    printed: [],
  },
  'options of a request': {
    script: `return T.table('Symbols tsv kind=Method,Field include_hover=false fields=name,kind,lines kind_names=true sort=-name')`,
    printed: ['--format', 'tsv', '--kind', 'Method,Field', '--no-hover', '--fields', 'name,kind,lines', '--kind-names', '--sort=-name'],
  },
  'packed, which has no rows': {
    script: `local lines = T.table('Symbols packed') T.press('<CR>') return { lines[1], T.told[1] }`,
    is: async (printedAs) => [await printedAs('--format', 'packed'), 'symbols: packed has no rows to jump from; use another format'],
  },
  'a budget: the last line tells, and is no row': {
    script: `local lines = T.table('Symbols tree max_tokens=60') T.press('G<CR>') return { table.concat(lines, '\\n'), T.told[1] }`,
    is: async (printedAs) => [await printedAs('--format', 'tree', '--max-tokens', '60'), 'symbols: no symbol stands in this line'],
  },
  'a second table takes the window of the first': {
    script: `local source = vim.api.nvim_get_current_win()
      T.table('Symbols') vim.api.nvim_set_current_win(source)
      vim.cmd('Symbols tree')
      T.wait('the second', function() return vim.api.nvim_buf_get_name(0):match('/tree/') end)
      local windows = #vim.api.nvim_list_wins() T.press('1gg<CR>')
      return { windows, #vim.fn.getbufinfo({ bufloaded = 1 }), T.cursor() }`,
    is: () => [2, 2, { file: 'geometry.cpp', line: 1, byte: 10 }],
  },
  'closed with q': {
    script: `T.table('Symbols') T.press('q') return { #vim.api.nvim_list_wins(), vim.fn.expand('%:t') }`,
    is: () => [1, 'geometry.cpp'],
  },
  'the text of the buffer, not of the file, and marks that move with it': {
    script: `
      vim.api.nvim_buf_set_lines(0, 0, 0, false, { '// new', 'int added = 1;' })
      local lines = T.table('Symbols tree include_hover=false')
      local source = vim.fn.bufnr('geometry.cpp')
      vim.api.nvim_buf_set_lines(source, 0, 0, false, { '', '', '' })
      T.press('1gg<CR>') local added = T.cursor()
      return { lines[1], added }`,
    is: () => ['v2 added:0-13@4', { file: 'geometry.cpp', line: 4, byte: 4 }],
  },
  'the window of the source was closed': {
    script: `local source = vim.api.nvim_get_current_win()
      vim.opt.hidden = true
      T.table('Symbols table') vim.api.nvim_win_close(source, true) T.press('3gg<CR>')
      return { T.cursor(), #vim.api.nvim_list_wins() }`,
    is: () => [{ file: 'geometry.cpp', line: 4, byte: 11 }, 2],
  },
  'the buffer of the source is gone': {
    script: `T.table('Symbols') vim.cmd('bwipeout! geometry.cpp') T.press('3gg<CR>') return T.told[1]`,
    is: () => 'symbols: the buffer that this table is about is gone; ask again from the file',
  },
  'yank into the unnamed register': {
    script: `local said = T.told_something() vim.cmd('SymbolsYank tree include_hover=false') return { said(), vim.fn.getreg('"'), vim.fn.getregtype('"') }`,
    is: async (printedAs) => ['symbols: 9 lines of tree in register "', `${await printedAs('--format', 'tree', '--no-hover')}\n`, 'V'],
  },
  'yank into a register of that name, in the configured format': {
    script: `local said = T.told_something() vim.cmd('SymbolsYank a include_hover=false') return { said(), vim.fn.getreg('a'), vim.fn.getreg('"') }`,
    is: async (printedAs) => ['symbols: 16 lines of table in register a', `${await printedAs('--no-hover')}\n`, ''],
  },
  'the symbol at the cursor with its context': {
    script: `vim.api.nvim_win_set_cursor(0, { 10, 30 }) return T.table('SymbolsContext')`,
    printedBy: ['context', 'geometry.cpp:10:31'],
  },
  'a symbol of this name with its context': {
    script: `local lines = T.table('SymbolsContext calculate_area include=references:1,callers:0,source:1') T.press('2gg<CR>') return { table.concat(lines, '\\n'), T.cursor() }`,
    is: async (_, context) => [await context('--include', 'references:1,callers:0,source:1', 'geometry.cpp', 'calculate_area'), { file: 'geometry.cpp', line: 9, byte: 7 }],
  },
  completion: {
    script: `return { vim.fn.getcompletion('Symbols t', 'cmdline'), vim.fn.getcompletion('Symbols tree verb', 'cmdline'), vim.fn.getcompletion('Symbols verbosity=m', 'cmdline') }`,
    is: () => [['table', 'tree', 'tsv', 'toon', 'timeout=', 'tokenizer='], ['verbosity='], ['verbosity=minimal']],
  },
  // The user does something else until the answer comes.
  'another window meanwhile: the table opens, the user stays there': {
    script: `vim.cmd('Symbols tree include_hover=false') vim.cmd('vnew') local here = vim.api.nvim_get_current_win()
      local function lines_of_table()
        for _, window in ipairs(vim.api.nvim_list_wins()) do
          local buffer = vim.api.nvim_win_get_buf(window)
          if vim.bo[buffer].filetype == 'symbols' then return vim.api.nvim_buf_get_lines(buffer, 0, 1, false)[1] end
        end
      end
      T.wait('the table', lines_of_table)
      return { lines_of_table(), here == vim.api.nvim_get_current_win() }`,
    is: () => ['n2-32 geometry:0-1@10', true],
  },
  'insert mode meanwhile: it is said': {
    script: `vim.cmd('Symbols tree') T.until_told('i', '<Esc>') return { T.told, #vim.api.nvim_list_wins() }`,
    is: () => [['symbols: the tree of geometry.cpp came in the middle of something else; ask again'], 1],
  },
  'the command-line window meanwhile: it is said': {
    script: `vim.cmd('Symbols tree') T.until_told('q:', '<CR>') return { T.told, #vim.api.nvim_list_wins() }`,
    is: () => [['symbols: the tree of geometry.cpp came in the middle of something else; ask again'], 1],
  },
  'closing the last window shows the source': {
    script: `T.table('Symbols tree') vim.cmd('only') T.press('q') return { vim.fn.expand('%'), #vim.api.nvim_list_wins() }`,
    is: () => ['geometry.cpp', 1],
  },
  'no such format': { script: `vim.cmd('Symbols yaml') return T.told[1]`, is: () => 'symbols: there is no format yaml; there are table, tree, outline, tsv, toon, packed' },
  'json, which Neovim has by itself': {
    script: `vim.cmd('Symbols json') return T.told[1]`,
    is: () => "symbols: there is no format json (LSP's own form is what :lua vim.lsp.buf.document_symbol() shows); there are table, tree, outline, tsv, toon, packed",
  },
  'two formats': { script: `vim.cmd('Symbols tree table') return T.told[1]`, is: () => 'symbols: one format at a time, not tree and table' },
  'no such option': { script: `vim.cmd('Symbols colour=red') return (T.told[1]:gsub(';.*', ''))`, is: () => 'symbols: there is no option colour' },
  'no such value': {
    script: `local said = T.told_something() vim.cmd('Symbols tree verbosity=loud') return (said():gsub(';.*', ''))`,
    is: () => 'symbols: symbols: verbosity cannot be "loud"',
  },
  'no such register': { script: `vim.cmd('SymbolsYank ! tree') return T.told[1]`, is: () => 'symbols: there is no register ! to write to' },
  'no such symbol': {
    script: `local said = T.told_something() vim.cmd('SymbolsContext nowhere') return (said():match('nowhere'))`,
    is: () => 'nowhere',
  },
  'no answer in time': {
    setup: '{ timeout_ms = 1 }',
    script: `local said = T.told_something() vim.cmd('Symbols') return said()`,
    is: () => 'symbols: symbols has not answered within 1 ms; it may still be loading the project',
  },
};

for (const [name, { setup: options, script, printed: flags, printedBy, is }] of Object.entries(commands)) {
  test(`command: ${name}`, limit, async (t) => {
    const file = 'geometry.cpp';
    const { result, home } = await runNvim(t, { files: { [file]: sources[file] }, file, init: setup(options), script: `T.attached()\n${script}` });
    const { env } = editorHome(t);
    const printedAs = (...args) => printed(['--server', 'clangd', ...args, file], { env, home });
    const context = (...args) => printed(['context', '--format', 'table', '--server', 'clangd', ...args], { env, home });
    if (flags) assert.deepEqual(result.join('\n'), await printedAs(...flags));
    else if (printedBy) assert.deepEqual(result.join('\n'), await context(...printedBy.slice(1)));
    else assert.deepEqual(result, await is(printedAs, context));
  });
}

// A buffer that has no server behind the proxy: what the commands say.
const lacking = {
  'the server is still starting': {
    file: 'geometry.cpp', init: setup(), starting: true,
    says: 'symbols: symbols is still starting; ask again in a moment',
  },
  'the server is not installed': {
    file: 'main.go', init: setup("{ servers = { gopls = { cmd = { 'no-such-server' } } } }"),
    says: 'symbols: no language server is attached to this buffer: no-such-server, which is configured for filetype go, is not found; install it: :checkhealth symbols',
  },
  'a filetype without a server': {
    file: 'notes.txt', init: setup(),
    says: 'symbols: no language server is attached to this buffer, and none is configured for filetype text: :help symbols-servers',
  },
  'the program is not found': {
    programs: ['clangd'], file: 'geometry.cpp', init: setup(),
    says: 'symbols: the program symbols is not found; install it or name it in setup(): :checkhealth symbols',
  },
  'nothing is enabled': {
    file: 'geometry.cpp', init: '',
    says: 'symbols: no language server is attached to this buffer (yet); is it enabled? :help symbols-install',
  },
  'a server without the proxy': {
    file: 'geometry.cpp', init: withoutProxy('clangd'), attached: true,
    says: 'symbols: plain is attached to this buffer, but not through symbols proxy; put the proxy before its command: :help symbols-wrap',
  },
};

// The plugin starts servers once Neovim has dealt with the event that tells the filetype.
const afterFileType = 'local later = false vim.schedule(function() later = true end) T.wait("the turn after", function() return later end)';
const startOfClient = 'T.wait("the client", function() return vim.lsp.get_client_by_id(1) ~= nil end)';

for (const [name, { programs, file, init, attached, starting, says }] of Object.entries(lacking)) {
  test(`nobody to ask: ${name}`, limit, async (t) => {
    const { result } = await runNvim(t, {
      programs, file, init, files: { [file]: sources[file] ?? 'package main\n' },
      script: `${attached ? 'T.attached()' : starting ? startOfClient : afterFileType}
        for _, command in ipairs({ 'Symbols', 'SymbolsYank', 'SymbolsContext' }) do T.told = {} vim.cmd(command) if T.told[1] ~= ${json(says)} then return T.told end end
        return #vim.api.nvim_list_wins()`,
    });
    assert.deepEqual(result, 1);
  });
}

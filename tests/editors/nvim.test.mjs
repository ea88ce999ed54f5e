// Neovim with the plugin of editors/nvim before real language servers: what the editor does by itself stays as it is without the proxy,
// what the commands show is what the program prints, each row with the way back to its symbol, and what they say.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeServer } from '../e2e/program.mjs';
import { limit, sources, withoutIndex } from './editor_home.mjs';
import { checkTables, commonCommands, neovim, runVim, setup, startsServer, testCommands, withoutProxy } from './vim.mjs';

// typescript-language-server would ask npm for types, and answer before it has loaded the project.
const noDownloads = "{ disableAutomaticTypingAcquisition = true, tsserver = { useSyntaxServer = 'never' } }";
// Each with its command line, where that is not the plugin's default what setup() is told of it, and the symbol to hover at.
const servers = {
  clangd: { file: 'names.cpp', hover: 'höhe', setup: '', server: 'clangd' },
  'TypeScript 7': {
    file: 'names.ts', hover: 'größe', server: 'tsc --lsp --stdio',
    setup: `{ servers = { ['typescript-language-server'] = false,
      typescript = { cmd = { 'tsc', '--lsp', '--stdio' }, filetypes = { 'typescript' }, root_markers = { 'tsconfig.json' } } } }`,
  },
  // It takes seconds to start, so one format.
  'typescript-language-server': {
    file: 'names.ts', hover: 'größe', server: 'typescript-language-server --stdio', formats: ['table'],
    setup: `{ servers = { ['typescript-language-server'] = { init_options = ${noDownloads} } } }`, options: noDownloads,
  },
};
// Neovim 0.11 and later offers columns in bytes, which TypeScript 7 takes; what `symbols FILE` prints has UTF-16.
const columnsLikeTheProgram = `
  if vim.lsp.config then vim.lsp.config('symbols', { capabilities = { general = { positionEncodings = { 'utf-16' } } } }) end
`;

// The outline as the user sees it in the location list, and the lines of the hover's window.
const outlineAndHover = (symbol) => `
  attached()
  local source = vim.api.nvim_get_current_win()
  local outline, hover
  vim.lsp.buf.document_symbol()
  wait('the outline', function()
    outline = vim.fn.getloclist(source)
    if #outline == 0 then outline = vim.fn.getqflist() end
    return #outline > 0
  end)
  vim.api.nvim_set_current_win(source)
  vim.fn.search('${symbol}')
  vim.lsp.buf.hover()
  wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      end
    end
    return hover ~= nil
  end)
  return { hover = hover, clients = #clients(),
    outline = vim.tbl_map(function(item) return { item.lnum, item.col, item.text } end, outline) }`;

for (const [name, { file, hover, setup: options, server, formats, options: ownOptions }] of Object.entries(servers)) {
  test(`${name}: outline and hover are the server's own`, limit, async (t) => {
    const look = async (rc) =>
      (await runVim(t, neovim, { file, files: { [file]: sources[file] }, rc, lua: outlineAndHover(hover) })).result;
    const direct = await look(withoutProxy(server, ownOptions));
    assert.deepEqual(await look(setup(options)), direct);
    assert.ok(direct.outline.length > 3 && direct.hover.length > 0, JSON.stringify(direct));
    assert.equal(direct.clients, 1);
  });

  test(`${name}: what is shown is what the program prints, and each row leads to its symbol`, limit, (t) =>
    checkTables(t, neovim, { file, server, formats, rc: columnsLikeTheProgram + setup(options), before: 'lua attached()' }));
}

// A client and clangd may agree to count bytes; the table then has these.
test('columns in bytes', limit, async (t) => {
  const result = await checkTables(t, neovim, {
    file: 'names.cpp', server: 'clangd', formats: ['table'], without: ['RANGE', 'SELECTION'], before: 'lua attached()',
    rc: startsServer(`(function()
      local capabilities = vim.lsp.protocol.make_client_capabilities()
      capabilities.offsetEncoding = { 'utf-8' }
      return { name = 'clangd', cmd = require('symbols').wrap({ 'clangd' }), root_dir = vim.fn.getcwd(),
        capabilities = capabilities, on_init = function(client, answer) client.offset_encoding = answer.offsetEncoding end }
    end)()`),
  });
  assert.match(result.table.lines[1], /^accented \| 13 \| 0:9-25 \| 0:13-21 /);
});

testCommands(neovim, {
  ...commonCommands,
  'no answer in time': { ...commonCommands['no answer in time'], settings: { timeout: 1, servers: { clangd: { cmd: ['sh', '-c', `exec ${fakeServer('silent-on-symbols')}`] } } } },
  'the text of the buffer, not of the file, and marks that move with it': {
    script: `call append(0, ['// new', 'int added = 1;'])
  let l:lines = Table('Symbols tree include_hover=false')
  call appendbufline('geometry.cpp', 0, ['', '', ''])
  execute "normal 1gg\\<CR>"
  return [l:lines[0], Cursor()]`,
    is: ['v2 added:0-13@4', { file: 'geometry.cpp', line: 4, byte: 4 }],
  },
  'the command-line window meanwhile: it is said': {
    script: `call Forget()
  Symbols tree
  let g:Answered = {-> !empty(Told()) || winnr('$') > 2}
  nnoremap <F2> <Cmd>call Wait('the answer', g:Answered)<CR>
  call feedkeys("q:\\<F2>\\<CR>", 'xt')
  return [Told(), winnr('$')]`,
    is: [['symbols: the tree of geometry.cpp came in the middle of something else; ask again'], 1],
  },
  'completion of values': { script: "return getcompletion('Symbols verbosity=m', 'cmdline')", is: ['verbosity=minimal'] },
  'json, which Neovim has by itself': {
    script: "return Said('Symbols json')",
    is: "symbols: there is no format json (LSP's own form is what :lua vim.lsp.buf.document_symbol() shows); there are table, tree, outline, tsv, toon, packed",
  },
  'the symbol at the cursor with its context': {
    script: "call cursor(10, 31)\n  return Shown('SymbolsContext')",
    is: async (_, printAll) => withoutIndex(await printAll('context', '--format', 'table', 'geometry.cpp:10:31')),
  },
  'a symbol of this name with its context, whose rows lead to places': {
    script: `let l:text = Shown('SymbolsContext calculate_area include=references:1,callers:0,source:1')
  execute "normal 2gg\\<CR>"
  return [l:text, Cursor()]`,
    is: async (_, printAll) => [
      withoutIndex(await printAll('context', '--format', 'table', '--include', 'references:1,callers:0,source:1', 'geometry.cpp', 'calculate_area')),
      { file: 'geometry.cpp', line: 9, byte: 7 },
    ],
  },
  'no such symbol': { script: "return Said('SymbolsContext nowhere')", is: /nowhere/ },
}, ({ settings = {} }) => {
  const { timeout, ...others } = settings;
  return { rc: setup(`vim.fn.json_decode([[${JSON.stringify({ ...others, timeout_ms: timeout })}]])`), before: 'lua attached()' };
});

// A buffer that has no server behind the proxy: what the commands say. The plugin starts servers once Neovim has dealt with the event that tells
// the filetype.
const afterFileType = "local later = false vim.schedule(function() later = true end) wait('the turn after', function() return later end)";
for (const [name, { programs, file = 'geometry.cpp', rc = setup(), ready = afterFileType, says }] of Object.entries({
  'the server is still starting': {
    ready: "wait('the client', function() return vim.lsp.get_client_by_id(1) ~= nil end)",
    says: 'symbols: symbols is still starting; ask again in a moment',
  },
  'the server is not installed': {
    file: 'main.go', rc: setup("{ servers = { gopls = { cmd = { 'no-such-server' } } } }"),
    says: 'symbols: no language server is attached to this buffer: no-such-server, which is configured for filetype go, is not found; install it: :checkhealth symbols',
  },
  'a filetype without a server': {
    file: 'notes.txt',
    says: 'symbols: no language server is attached to this buffer, and none is configured for filetype text: :help symbols-servers',
  },
  'the program is not found': {
    programs: ['clangd'], says: 'symbols: the program symbols is not found; install it or name it in setup(): :checkhealth symbols',
  },
  'nothing is enabled': { rc: '', says: 'symbols: no language server is attached to this buffer (yet); is it enabled? :help symbols-install' },
  'a server without the proxy': {
    rc: withoutProxy('clangd'), ready: 'attached()',
    says: 'symbols: plain is attached to this buffer, but not through symbols proxy; put the proxy before its command: :help symbols-wrap',
  },
})) {
  test(`nobody to ask: ${name}`, limit, async (t) => {
    const { result } = await runVim(t, neovim, {
      programs, file, rc, files: { [file]: sources[file] ?? 'package main\n' },
      lua: `${ready}
        told = {}
        for _, command in ipairs({ 'Symbols', 'SymbolsYank', 'SymbolsContext' }) do vim.cmd(command) end
        return { told, #vim.api.nvim_list_wins() }`,
    });
    assert.deepEqual(result, [[says, says, says], 1]);
  });
}

test('what symbols setup writes: the server behind the proxy, and the outline', limit, async (t) => {
  const { result } = await runVim(t, neovim, {
    setup: 'nvim', file: 'geometry.cpp', files: { 'geometry.cpp': sources['geometry.cpp'] },
    lua: "attached() return { table.concat(clients()[1].config.cmd, ' '), vim.fn.Table('Symbols')[1] }",
  });
  const [command, row] = result;
  assert.match(command, /^\/.*\/bin\/symbols proxy --format standard -- \/.*clangd-19$/);
  assert.match(row, /^\[L2\] \(Namespace\+\d+\) geometry$/);
});

// Neovim with the plugin of editors/nvim before real language servers: what the editor does by itself stays as
// it is without the proxy, and what `:Symbols` shows is what `symbols FILE` prints, each row with the way back to its symbol.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limit, runNvim, setup, startsServer, withoutProxy } from './nvim.mjs';
import { printedRows, sources } from './sources.mjs';
import { editorHome } from './editor_home.mjs';

// typescript-language-server would ask npm for types, and answer before it has loaded the project.
const noDownloads = "{ disableAutomaticTypingAcquisition = true, tsserver = { useSyntaxServer = 'never' } }";
const formats = ['table', 'tree', 'outline'];
// Each with its command line, where that is not the plugin's default what setup() is told of it, and the symbol to hover at.
const servers = {
  clangd: { file: 'names.cpp', hover: 'höhe', setup: '', server: 'clangd', formats },
  'TypeScript 7': {
    file: 'names.ts', hover: 'größe', server: 'tsc --lsp --stdio', formats,
    setup: `{ servers = { ['typescript-language-server'] = false,
      typescript = { cmd = { 'tsc', '--lsp', '--stdio' }, filetypes = { 'typescript' }, root_markers = { 'tsconfig.json' } } } }`,
  },
  // It takes seconds to start, so one format.
  'typescript-language-server': {
    file: 'names.ts', hover: 'größe', server: 'typescript-language-server --stdio', formats: ['table'],
    setup: `{ servers = { ['typescript-language-server'] = { init_options = ${noDownloads} } } }`, options: noDownloads,
  },
};
const json = JSON.stringify;
// Neovim 0.11 and later offers columns in bytes, which TypeScript 7 takes; what \`symbols FILE\` prints has UTF-16.
const columnsLikeTheProgram = `
  if vim.lsp.config then vim.lsp.config('symbols', { capabilities = { general = { positionEncodings = { 'utf-16' } } } }) end
`;

// The outline as the user sees it in the location list, and the lines of the hover's window.
const outlineAndHover = ({ file, hover }) => `
  T.attached()
  local source = vim.api.nvim_get_current_win()
  local outline, hover
  vim.lsp.buf.document_symbol()
  T.wait('the outline', function()
    outline = vim.fn.getloclist(source)
    if #outline == 0 then outline = vim.fn.getqflist() end
    return #outline > 0
  end)
  vim.api.nvim_set_current_win(source)
  vim.fn.search('${hover}')
  vim.lsp.buf.hover()
  T.wait('the hover', function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
      end
    end
    return hover ~= nil
  end)
  return { hover = hover, clients = #T.clients(),
    outline = vim.tbl_map(function(item) return { item.lnum, item.col, item.text } end, outline) }`;

// Each format's lines, and where <CR> leads from each of them: false where it stays.
const tablesAndJumps = (shown) => `
  T.attached()
  local source, shown = vim.api.nvim_get_current_win(), {}
  for _, format in ipairs({ ${shown.map(json)} }) do
    local lines, jumps = T.table('Symbols ' .. format), {}
    local window, name = vim.api.nvim_get_current_win(), vim.api.nvim_buf_get_name(0)
    for row = 1, #lines do
      vim.api.nvim_set_current_win(window)
      vim.api.nvim_win_set_cursor(window, { row, 0 })
      T.press('<CR>')
      jumps[row] = vim.api.nvim_get_current_win() ~= window and T.cursor()
    end
    shown[format] = { lines = lines, jumps = jumps, name = name }
    vim.api.nvim_set_current_win(window)
    T.press('q')
    vim.api.nvim_set_current_win(source)
  end
  return shown`;

for (const [name, { file, hover, setup: options, server, formats: shown, options: ownOptions }] of Object.entries(servers)) {
  test(`${name}: outline and hover are the server's own`, limit, async (t) => {
    const common = { files: { [file]: sources[file] }, file, script: outlineAndHover({ file, hover }) };
    const { result: direct } = await runNvim(t, { ...common, init: withoutProxy(server, ownOptions) });
    const { result: behindProxy } = await runNvim(t, { ...common, init: setup(options) });
    assert.deepEqual(behindProxy, direct);
    assert.ok(direct.outline.length > 3 && direct.hover.length > 0, json(direct));
    assert.equal(direct.clients, 1);
  });

  test(`${name}: what is shown is what the program prints, and each row leads to its symbol`, limit, async (t) => {
    const { result, home } = await runNvim(t, {
      files: { [file]: sources[file] }, file, init: `${columnsLikeTheProgram}${setup(options)}`,
      script: tablesAndJumps(shown),
    });
    const { env } = editorHome(t);
    for (const format of shown) {
      const { lines, jumps, name: title } = result[format];
      const { text, starts } = await printedRows(['--server', server, '--format', format], file, { env, home });
      assert.equal(lines.join('\n'), text);
      assert.match(title, new RegExp(`symbols://\\d+/${format}/${file}`));
      assert.deepEqual(jumps, starts, format);
    }
  });
}

// A client and clangd may agree to count bytes; the table then has these.
test('columns in bytes', limit, async (t) => {
  const file = 'names.cpp';
  const { result, home } = await runNvim(t, {
    files: { [file]: sources[file] }, file, script: tablesAndJumps(['table']),
    init: startsServer(`(function()
      local capabilities = vim.lsp.protocol.make_client_capabilities()
      capabilities.offsetEncoding = { 'utf-8' }
      return { name = 'clangd', cmd = require('symbols').wrap({ 'clangd' }), root_dir = vim.fn.getcwd(),
        capabilities = capabilities, on_init = function(client, answer) client.offset_encoding = answer.offsetEncoding end }
    end)()`),
  });
  const { env } = editorHome(t);
  const { starts } = await printedRows(['--server', 'clangd', '--format', 'table'], file, { env, home });
  assert.match(result.table.lines[1], /^accented \| 13 \| 0:9-25 \| 0:13-21 /);
  assert.deepEqual(result.table.jumps, starts);
});

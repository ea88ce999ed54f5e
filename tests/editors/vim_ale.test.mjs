// Vim 9 with Debian's ALE and the plugin of editors/vim: what ALE shows is the same behind the proxy as without it, and the
// plugin's commands show what `symbols FILE` prints and find the way back, with ALE's server and without any.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limit, sources } from './editor_home.mjs';
import { checkTables, commonCommands, runVim, testCommands, vim } from './vim.mjs';

const ale = {
  links: { '.vim/pack/tested/start/ale': '/usr/share/vim-ale' },
  // ALE runs linters only of what is a project to it.
  files: { '.git/HEAD': 'ref: refs/heads/main\n' },
};
const withALE = 'let g:ale_hover_to_preview = 1\nlet g:ale_lint_on_enter = 0\n';
const named = (filetype) => `let g:ale_linters = {'${filetype}': ['symbols']}\n`;
const fullTables = "let g:symbols_proxy_options = '--format table --hover-reply standard --no-auto-open --answer all'\n";
const ownLinter = (command) => `let g:ale_linters = {'cpp': ['clangd']}
let g:ale_cpp_clangd_executable = 'symbols'
let g:ale_cpp_clangd_options = 'proxy --format standard -- ${command}'\n`;

const cpp = {
  file: 'names.cpp', filetype: 'cpp', server: 'clangd', hover: 'tabbed', search: 'tabbed',
  more: 'int use() { return tabbed(1); }\n', use: [4, 20], defined: { file: 'names.cpp', line: 2, byte: 5 },
};
const ts = { file: 'names.ts', filetype: 'typescript', hover: 'test', search: 'behind', use: [3, 1], defined: { file: 'names.ts', line: 0, byte: 17 } };
const servers = {
  clangd: { ...cpp, rc: named('cpp') },
  'typescript-language-server': { ...ts, server: 'typescript-language-server --stdio', rc: named('typescript') },
  "ALE's own linter for clangd, with the proxy put before it": { ...cpp, rc: ownLinter('clangd') },
};

// ALE counts bytes where servers count UTF-16 units, so what is hovered at has ASCII before it.
// Hover in the preview window, the search of symbols in ALE's list, and the place to which ALE goes from `use` ([line, column]), in
// another line than what is used there.
const lookAround = ({ hover, search, use }) => `
  call Wait('ALE', {-> exists(':ALEHover') == 2})
  " typescript-language-server would answer before it has loaded the project.
  call map(ale#linter#Get(&filetype), {_, linter -> extend(linter, {'initialization_options': {'tsserver': {'useSyntaxServer': 'never'}}})})
  let l:seen = {}
  call search('${hover}')
  ALEHover
  call Wait('the hover', {-> !empty(filter(range(1, winnr('$')), {_, number -> getwinvar(number, '&previewwindow')}))})
  wincmd P
  let l:seen.hover = getline(1, '$')
  pclose
  execute 'ALESymbolSearch -relative ${search}'
  call Wait('the list of symbols', {-> &filetype ==# 'ale-preview-selection'})
  let l:seen.symbols = getline(1, '$')
  close
  call cursor(${use})
  let l:before = Cursor()
  ALEGoToDefinition
  call Wait('the definition', {-> Cursor() != l:before})
  let l:seen.place = Cursor()
  return l:seen`;

for (const [name, { file, more = '', filetype, server, rc, defined, ...looked }] of Object.entries(servers)) {
  test(`${name}: hover, search and definition are the server's own`, limit, async (t) => {
    const look = async (linters, files) => (await runVim(t, vim, {
      file, links: ale.links, files: { [file]: sources[file] + more, ...ale.files, ...files }, rc: withALE + linters, script: lookAround(looked),
    })).result;
    const without = await look(`let g:ale_linters = {'${filetype}': ['direct']}`, {
      [`.vim/ale_linters/${filetype}/direct.vim`]: `call ale#linter#Define('${filetype}', {'name': 'direct', 'lsp': 'stdio',
  \\ 'executable': '${server.split(' ')[0]}', 'command': '${server}', 'project_root': {buffer -> getcwd()}})
`,
    });
    assert.deepEqual(await look(rc), without);
    assert.ok(without.hover.join('').length > 5 && without.symbols.some((line) => line.includes(looked.search)), JSON.stringify(without));
    assert.deepEqual(without.place, defined);
  });
}

// Of ALE, which declares little, a server gets to know neither the hierarchy nor the kinds, and clangd then calls structs classes; `without`
// are the columns that suffer.
for (const [asked, options] of Object.entries({
  "ALE's server": { ...ale, file: 'names.cpp', server: 'clangd', rc: withALE + named('cpp'), formats: ['table'], without: ['KIND', 'SELECTION'] },
  "ALE's server, full tables": { ...ale, file: 'names.cpp', server: 'clangd', rc: withALE + named('cpp') + fullTables },
  // It waits for answers that ALE never gives, so ALE without the proxy is nothing to compare with.
  "ALE's server, of TypeScript": {
    ...ale, file: 'names.ts', server: 'tsc --lsp --stdio',
    rc: `${withALE}let g:symbols_servers = {'typescript': 'tsc --lsp --stdio'}\n${named('typescript')}${fullTables}`,
  },
  'the program, without ALE': { file: 'names.cpp', server: 'clangd' },
  'the program, of TypeScript': { file: 'names.ts', server: 'tsc --lsp --stdio' },
})) {
  test(`asking ${asked}: what is shown is what the program prints, and each row leads to its symbol`, limit, (t) => checkTables(t, vim, options));
}

testCommands(vim, {
  ...commonCommands,
  'the text has changed since': {
    script: `call Table('Symbols tree')\n  call setbufline('geometry.cpp', 1, '// changed')\n  return [Said("normal 1gg\\<CR>"), Cursor()]`,
    is: ['symbols: the text has changed since this table was made; ask again for the right places', { file: 'geometry.cpp', line: 1, byte: 10 }],
  },
  'the program is not found': {
    programs: ['clangd'], script: "return Said('Symbols')",
    is: 'symbols: the program symbols is not found; install it, or say where it is: let g:symbols_program = "/path/to/symbols"',
  },
  'the language server is not found': {
    rc: "let g:symbols_servers = {'cpp': 'no-such-server --stdio'}", script: "return Said('Symbols')",
    is: 'symbols: the language server no-such-server is not found; install it, or name another one for cpp in g:symbols_servers',
  },
  "the language server of ALE's own linter is not found": {
    rc: ownLinter("''no-such-server''"), script: "return Said('Symbols')",
    is: 'symbols: the language server no-such-server is not found; install it, or name another one for cpp in g:symbols_servers',
  },
  'ALE starts no server': {
    rc: ownLinter('clangd'), script: "return Said('Symbols')",
    is: 'symbols: ALE did not start the language server of its linter clangd for this buffer; :ALEInfo tells more',
  },
  'what is in the buffer counts': { script: "call append(0, ['// new', 'int added = 1;'])\n  return Table('Symbols tree include_hover=false')[0]", is: 'v2 added:0-13@4' },
  'without ALE, what is in the file counts': {
    without: true, script: "call setline(1, '// changed')\n  return Said('Symbols')",
    is: 'symbols: the file lacks what was changed in the buffer; write it first'
      + ' (a language server behind symbols proxy, by ALE or vim-lsp, would know the text as it is)',
  },
  'without ALE, no file': { without: true, script: "enew\n  return Said('Symbols')", is: 'symbols: the buffer has no file, and no language server that stands behind symbols proxy' },
  "without ALE, the program's own message": { without: true, file: 'notes.unknown', script: "return Said('Symbols')", is: /notes\.unknown/ },
  'without ALE, no answer in time: the program is ended': {
    without: true, settings: { timeout: 1 },
    script: `let l:said = Said('Symbols')
  let l:job = job_info()[0]
  call Wait('the end of the program', {-> job_status(l:job) !=# 'run'})
  return [l:said, job_info(l:job).exitval != 0]`,
    is: ['symbols: no answer within 1 ms; the server may still be loading the project', 1],
  },
}, ({ without, settings = {}, programs, rc = '' }) => ({
  programs, links: without ? {} : ale.links,
  rc: `${withALE}${named('cpp')}${fullTables}${rc}\n${Object.entries(settings).map(([name, value]) =>
    `let g:symbols_${name} = json_decode('${JSON.stringify(value)}')`).join('\n')}`,
}));

test("ALE's linter `symbols` runs only where it is named", limit, async (t) => {
  const { result } = await runVim(t, vim, {
    links: ale.links, file: 'geometry.cpp', files: { 'geometry.cpp': sources['geometry.cpp'] }, rc: withALE,
    script: `
  let l:linters = filter(ale#linter#Get('cpp'), {_, linter -> linter.name ==# 'symbols'})
  return map(l:linters, {_, linter -> ale#linter#GetExecutable(bufnr(''), linter)})`,
  });
  assert.deepEqual(result, ['']);
});

test('what symbols setup writes: this machine\'s paths, and a table', limit, async (t) => {
  const { result } = await runVim(t, vim, {
    setup: 'vim', file: 'geometry.cpp', files: { 'geometry.cpp': sources['geometry.cpp'] },
    script: "return [g:symbols_program, g:symbols_servers.cpp, Table('Symbols table')[1]]",
  });
  const [program, server, row] = result;
  assert.match(program, /^\/.*\/bin\/symbols$/);
  assert.match(server, /^\/.*clangd-19$/);
  assert.match(row, /^geometry \| 3 \| 1:0-31:1 \| 1:10-18 \| /);
});

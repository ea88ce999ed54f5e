// Vim 9 with Debian's ALE and the plugin of editors/vim: what ALE shows is the same behind the proxy as without it, and the
// plugin's commands show what `symbols FILE` prints and find the way back, with ALE's server and without any.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limit } from './editor_home.mjs';
import { runVim } from './vim.mjs';
import { printed, printedRows, sources } from './sources.mjs';

const formats = ['table', 'tree', 'outline'];

// ALE runs linters only of what is a project to it.
const aProject = { '.git/HEAD': 'ref: refs/heads/main\n' };
const withALE = 'let g:ale_hover_to_preview = 1\nlet g:ale_lint_on_enter = 0\n';
const named = (filetype) => `let g:ale_linters = {'${filetype}': ['symbols']}`;
const fullTables = "let g:symbols_proxy_options = '--format table --hover-reply standard --no-auto-open --answer all'";

const direct = (filetype, server) => ({
  vimrc: `let g:ale_linters = {'${filetype}': ['direct']}`,
  files: {
    [`.vim/ale_linters/${filetype}/direct.vim`]: `call ale#linter#Define('${filetype}', {'name': 'direct', 'lsp': 'stdio',
  \\ 'executable': '${server.split(' ')[0]}', 'command': '${server}', 'project_root': {buffer -> getcwd()}})
`,
  },
});

const cpp = {
  file: 'names.cpp', filetype: 'cpp', server: 'clangd', hover: 'tabbed', search: 'tabbed',
  more: 'int use() { return tabbed(1); }\n', use: [4, 20], defined: { file: 'names.cpp', line: 2, byte: 5 },
};
const ts = { file: 'names.ts', filetype: 'typescript', hover: 'test', search: 'behind', use: [3, 1], defined: { file: 'names.ts', line: 0, byte: 17 } };
const servers = {
  clangd: { ...cpp, vimrc: named('cpp') },
  'typescript-language-server': {
    ...ts, server: 'typescript-language-server --stdio', vimrc: named('typescript'),
  },
  "ALE's own linter for clangd, with the proxy put before it": {
    ...cpp, vimrc: `let g:ale_linters = {'cpp': ['clangd']}
let g:ale_cpp_clangd_executable = 'symbols'
let g:ale_cpp_clangd_options = 'proxy --format standard -- clangd'`,
  },
};
// It waits for answers that ALE never gives, so ALE without the proxy is nothing to compare with.
const typescript7 = {
  ...ts, server: 'tsc --lsp --stdio',
  vimrc: `let g:symbols_servers = {'typescript': 'tsc --lsp --stdio'}\n${named('typescript')}`,
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

for (const [name, { file, more = '', filetype, server, vimrc, defined, ...looked }] of Object.entries(servers)) {
  test(`${name}: hover, search and definition are the server's own`, limit, async (t) => {
    const files = { [file]: sources[file] + more, ...aProject };
    const common = { ale: true, file, script: lookAround(looked) };
    const plain = direct(filetype, server);
    const { result: without } = await runVim(t, { ...common, vimrc: withALE + plain.vimrc, files: { ...files, ...plain.files } });
    const { result: behindProxy } = await runVim(t, { ...common, vimrc: withALE + vimrc, files });
    assert.deepEqual(behindProxy, without);
    assert.ok(without.hover.join('').length > 5 && without.symbols.some((line) => line.includes(looked.search)), JSON.stringify(without));
    assert.deepEqual(without.place, defined);
  });
}

// Whom the commands ask, and what they are to print. Of ALE, which declares little, a server gets to know neither the hierarchy
// nor the kinds, and clangd then calls structs classes; `without` are the columns that suffer.
const asked = {
  "ALE's server": { ale: true, ...servers.clangd, without: ['KIND', 'SELECTION'] },
  "ALE's server, full tables": { ale: true, ...servers.clangd, vimrc: `${named('cpp')}\n${fullTables}` },
  "ALE's server, of TypeScript": { ale: true, ...typescript7, vimrc: `${typescript7.vimrc}\n${fullTables}` },
  'the program, without ALE': { file: 'names.cpp', server: 'clangd', vimrc: '' },
  'the program, of TypeScript': { file: 'names.ts', server: 'tsc --lsp --stdio', vimrc: '' },
};
const leaving = (without, lines) => {
  const [heading, ...rows] = lines.map((line) => line.split(' | '));
  return [heading, ...rows].map((cells) => cells.filter((_, i) => !without.includes(heading[i])));
};

for (const [name, { ale, file, server, vimrc, without = [] }] of Object.entries(asked)) {
  const shown = without.length > 0 ? ['table'] : formats;
  test(`asking ${name}: what is shown is what the program prints, and each row leads to its symbol`, limit, async (t) => {
    const { result, home, env } = await runVim(t, {
      ale, file, files: { [file]: sources[file], ...aProject }, vimrc: (ale ? withALE : '') + vimrc,
      script: `
  let l:shown = {}
  for l:format in ${JSON.stringify(shown)}
    let l:lines = Table('Symbols ' . l:format)
    let l:window = win_getid()
    let l:jumps = []
    for l:row in range(1, len(l:lines))
      call win_gotoid(l:window)
      call cursor(l:row, 1)
      execute "normal \\<CR>"
      call add(l:jumps, win_getid() == l:window ? v:false : Cursor())
    endfor
    let l:shown[l:format] = {'lines': l:lines, 'jumps': l:jumps}
    call win_gotoid(l:window)
    normal q
  endfor
  return l:shown`,
    });
    for (const format of shown) {
      const { lines, jumps } = result[format];
      const { text, starts } = await printedRows(['--server', server, '--format', format], file, { env, home });
      assert.deepEqual(leaving(without, lines), leaving(without, text.split('\n')));
      assert.deepEqual(jumps, starts, format);
    }
  });
}

const commands = {
  'the configured format and options': {
    vimrc: "let g:symbols_format = 'tree'\nlet g:symbols_options = {'return_children': 'no', 'include_hover': v:false}",
    script: "return join(Table('Symbols'), \"\\n\")", is: (print) => print('--format', 'tree', '--children', 'no', '--no-hover'),
  },
  'no format: the outline in the window, for people': {
    script: "return join(Table('Symbols'), \"\\n\")", is: (print) => print('--format', 'outline', '--kind-names'),
  },
  'the table, where it is configured': {
    vimrc: "let g:symbols_format = 'table'", script: "return join(Table('Symbols'), \"\\n\")", is: (print) => print(),
  },
  'options of a request': {
    script: "return join(Table('Symbols tsv kind=Method,Field include_hover=false fields=name,kind,lines kind_names=true sort=-name'), \"\\n\")",
    is: (print) => print('--format', 'tsv', '--kind', 'Method,Field', '--no-hover', '--fields', 'name,kind,lines', '--kind-names', '--sort=-name'),
  },
  'yank into the unnamed register': {
    script: `return [Said('SymbolsYank tree include_hover=false'), getreg('"')]`,
    is: async (print) => ['symbols: 9 lines of tree in register "', `${await print('--format', 'tree', '--no-hover')}\n`],
  },
  'yank into a register of that name': {
    script: `return [Said('SymbolsYank a table include_hover=false'), getreg('a')]`,
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
    is: () => [2, { file: 'geometry.cpp', line: 1, byte: 10 }],
  },
  completion: {
    script: "return [getcompletion('Symbols t', 'cmdline'), getcompletion('Symbols tree ver', 'cmdline')]",
    is: () => [['table', 'tree', 'tsv', 'toon', 'tokenizer=', 'timeout='], ['verbosity=']],
  },
  // The user does something else until the answer comes.
  'another window meanwhile: the table opens, the user stays there': {
    script: `Symbols tree include_hover=false
  vnew
  let l:here = win_getid()
  let l:Table = {-> filter(range(1, bufnr('$')), {_, buffer -> getbufvar(buffer, '&filetype') ==# 'symbols'})}
  call Wait('the table', {-> !empty(l:Table())})
  return [getbufline(l:Table()[0], 1)[0], l:here == win_getid()]`,
    is: () => ['n2-32 geometry:0-1@10', 1],
  },
  'insert mode meanwhile: it is said': {
    script: `messages clear
  Symbols tree
  let g:Answered = {-> !empty(Told()) || winnr('$') > 1}
  inoremap <F2> <Cmd>call Wait('the answer', g:Answered)<CR>
  call feedkeys("i\\<F2>\\<Esc>", 'xt')
  return [Told(), winnr('$')]`,
    is: () => [['symbols: the tree of geometry.cpp came in the middle of something else; ask again'], 1],
  },
  'closing the last window shows the source': {
    script: `call Table('Symbols tree')
  only
  normal q
  return [bufname(''), winnr('$')]`,
    is: () => ['geometry.cpp', 1],
  },
  'no such format': { script: "return Said('Symbols yaml')", is: () => 'symbols: there is no format yaml; there are table, tree, outline, tsv, toon, packed' },
  'no such option': { script: "return substitute(Said('Symbols colour=red'), ';.*', '', '')", is: () => 'symbols: there is no option colour' },
  'two formats': { script: "return Said('Symbols tree table')", is: () => 'symbols: one format at a time, not tree and table' },
  'no such register': { script: "return Said('SymbolsYank ! tree')", is: () => 'symbols: there is no register ! to write to' },
  'no rows in packed': { script: `call Table('Symbols packed')\n  return Said("normal \\<CR>")`, is: () => 'symbols: packed has no rows to jump from; use another format' },
  'no row': { script: `call Table('Symbols table')\n  return Said("normal gg\\<CR>")`, is: () => 'symbols: no symbol stands in this line' },
  'the buffer is gone': {
    script: `call Table('Symbols')\n  bwipeout! geometry.cpp\n  return Said("normal 3gg\\<CR>")`,
    is: () => 'symbols: the buffer that this table is about is gone; ask again from the file',
  },
  'the text has changed since': {
    script: `call Table('Symbols tree')\n  call setbufline('geometry.cpp', 1, '// changed')\n  return [Said("normal 1gg\\<CR>"), Cursor()]`,
    is: () => ['symbols: the text has changed since this table was made; ask again for the right places', { file: 'geometry.cpp', line: 1, byte: 10 }],
  },
  'the program is not found': {
    programs: ['clangd'], script: "return Said('Symbols')",
    is: () => 'symbols: the program symbols is not found; install it, or say where it is: let g:symbols_program = "/path/to/symbols"',
  },
  'the language server is not found': {
    vimrc: "let g:symbols_servers = {'cpp': 'no-such-server --stdio'}", script: "return Said('Symbols')",
    is: () => 'symbols: the language server no-such-server is not found; install it, or name another one for cpp in g:symbols_servers',
  },
  "the language server of ALE's own linter is not found": {
    vimrc: `let g:ale_linters = {'cpp': ['clangd']}
let g:ale_cpp_clangd_executable = 'symbols'
let g:ale_cpp_clangd_options = 'proxy --format standard -- ''no-such-server'''`,
    script: "return Said('Symbols')",
    is: () => 'symbols: the language server no-such-server is not found; install it, or name another one for cpp in g:symbols_servers',
  },
  'ALE starts no server': {
    vimrc: `let g:ale_linters = {'cpp': ['clangd']}
let g:ale_cpp_clangd_executable = 'symbols'
let g:ale_cpp_clangd_options = 'proxy --format standard -- clangd'`,
    script: "return Said('Symbols')",
    is: () => 'symbols: ALE did not start the language server of its linter clangd for this buffer; :ALEInfo tells more',
  },
  'no answer in time, without ALE: the program is ended': {
    ale: false, vimrc: 'let g:symbols_timeout = 1',
    script: `let l:said = Said('Symbols')
  let l:job = job_info()[0]
  call Wait('the end of the program', {-> job_status(l:job) !=# 'run'})
  return [l:said, job_info(l:job).exitval != 0]`,
    is: () => ['symbols: no answer within 1 ms; the server may still be loading the project', 1],
  },
  // Without ALE, what is in the file counts.
  'unsaved changes, without ALE': {
    ale: false, script: "call setline(1, '// changed')\n  return Said('Symbols')",
    is: () => 'symbols: the file lacks what was changed in the buffer; write it first'
      + ' (a language server behind symbols proxy, by ALE or vim-lsp, would know the text as it is)',
  },
  'no file, without ALE': { ale: false, script: "enew\n  return Said('Symbols')", is: () => 'symbols: the buffer has no file, and no language server that stands behind symbols proxy' },
  "the program's own message, without ALE": {
    ale: false, file: 'notes.unknown', script: "return Said('Symbols') =~# 'notes\\.unknown'", is: () => 1,
  },
  // With it, what is in the buffer.
  'unsaved changes': { script: "call append(0, ['// new', 'int added = 1;'])\n  return Table('Symbols tree include_hover=false')[0]", is: () => 'v2 added:0-13@4' },
  'a value that the proxy refuses': {
    script: "return substitute(Said('Symbols tree verbosity=loud'), ';.*', '', '')",
    is: () => 'symbols: the language server: verbosity cannot be "loud"',
  },
  'no answer in time': { vimrc: 'let g:symbols_timeout = 1', script: "return Said('Symbols')", is: () => 'symbols: no answer within 1 ms; the server may still be loading the project' },
};

for (const [name, { ale = true, programs, vimrc = '', file = 'geometry.cpp', script, is }] of Object.entries(commands)) {
  test(`command: ${name}`, limit, async (t) => {
    const { result, home, env } = await runVim(t, {
      ale, programs, file, files: { [file]: sources[file] ?? 'text\n' }, vimrc: `${withALE}${named('cpp')}\n${fullTables}\n${vimrc}`, script: `  ${script}`,
    });
    assert.deepEqual(result, await is((...args) => printed([...args, file], { env, home })));
  });
}

test("ALE's linter `symbols` runs only where it is named", limit, async (t) => {
  const { result } = await runVim(t, {
    ale: true, file: 'geometry.cpp', files: { 'geometry.cpp': sources['geometry.cpp'] }, vimrc: withALE,
    script: `
  let l:linters = filter(ale#linter#Get('cpp'), {_, linter -> linter.name ==# 'symbols'})
  return map(l:linters, {_, linter -> ale#linter#GetExecutable(bufnr(''), linter)})`,
  });
  assert.deepEqual(result, ['']);
});

// How editors/nvim is set up: which servers it starts and which it leaves alone, mistakes in the configuration, its health
// report, its help, and the file for Neovim 0.11.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { limit, shipped, sources } from './editor_home.mjs';
import { neovim, runVim, setup, startsServer, withoutProxy } from './vim.mjs';

const run = async (t, options) => (await runVim(t, neovim, options)).result;
const onGeometry = { file: 'geometry.cpp', files: { 'geometry.cpp': sources['geometry.cpp'] } };

// Servers that are configured elsewhere: none runs twice.
const clients = `attached()
  local clients = {}
  for id = 1, 10 do
    local client = vim.lsp.get_client_by_id(id)  -- those too that still start
    if client then clients[#clients + 1] = { client.name, table.concat(client.config.cmd, ' ') } end
  end
  return { clients, told }`;
const startedAlready = (server) =>
  [`symbols: ${server} serves this buffer already, without the proxy (client plain), and is not started a second time; see :help symbols-wrap`];
for (const [name, { init: rc, links, clients: expected, told }] of Object.entries({
  'clangd with the proxy put before it': {
    init: `${setup("{ proxy_options = { '--hover-chars', '80' } }")}
      ${startsServer("{ name = 'clangd', cmd = require('symbols').wrap({ 'clangd', '--log=error' }), root_dir = vim.fn.getcwd() }")}`,
    clients: [['clangd', 'symbols proxy --format standard --hover-chars 80 -- clangd --log=error']],
    told: [],
  },
  'clangd without the proxy': {
    init: `${setup()}\n${withoutProxy('clangd')}`,
    clients: [['plain', 'clangd']],
    told: startedAlready('clangd'),
  },
  'clangd without the proxy, where clangd-19 is configured': {
    init: `${setup("{ servers = { clangd = { cmd = { 'clangd-19' } } } }")}\n${withoutProxy('clangd')}`,
    clients: [['plain', 'clangd']],
    told: startedAlready('clangd'),
  },
  'a link of another name to the clangd that is configured': {
    init: `${setup("{ servers = { clangd = { cmd = { '/usr/bin/clangd-19' } } } }")}\n${withoutProxy('./cpp-server')}`,
    links: { 'cpp-server': '/usr/bin/clangd-19' },
    clients: [['plain', './cpp-server']],
    told: startedAlready('./cpp-server'),
  },
})) {
  test(`no server twice: ${name}`, limit, async (t) => {
    assert.deepEqual(await run(t, { ...onGeometry, links, rc, lua: clients }), [expected, told]);
  });
}

// The file that `symbols setup nvim` writes, with what it would find; Neovim runs it after init.lua.
const machine = readFileSync(shipped('nvim', 'setup.lua'), 'utf8').replaceAll('@program@', "'symbols'")
  .replace('@command clangd@', "'/usr/bin/clangd-19'").replace(/@command (.*?)@/g, "'/nowhere/$1'");
const user = setup("{ format = 'tree', options = { include_hover = false }, servers = { gopls = false, pyright = { cmd = { 'mine' } } } }");
for (const [when, rc] of Object.entries({
  'init.lua, before': user,
  'an autocommand of VimEnter, after': `vim.api.nvim_create_autocmd('VimEnter', { callback = function() ${user} end })`,
})) {
  test(`what symbols setup has found and what the user says both hold, the user's first: in ${when}`, limit, async (t) => {
    assert.deepEqual(await run(t, {
      file: 'geometry.cpp', files: { ...onGeometry.files, '.config/nvim/plugin/machine.lua': machine }, rc,
      lua: `vim.cmd('doautocmd VimEnter') attached()
        local servers = require('symbols.config').get().servers
        return { table.concat(vim.lsp.get_client_by_id(1).config.cmd, ' '), servers.gopls, servers.pyright.cmd, servers['rust-analyzer'].cmd,
          vim.fn.Table('Symbols')[1] }`,
    }), ['symbols proxy --format standard -- /usr/bin/clangd-19', false, ['mine'], ['/nowhere/rust-analyzer'], 'n2-32 geometry:0-1@10']);
  });
}

test('a second buffer of the same project has the same server, one of another project its own', limit, async (t) => {
  const text = sources['geometry.cpp'];
  const row = 'n2-32 geometry:0-1@10';
  assert.deepEqual(await run(t, {
    files: { 'a/.clangd': '', 'a/one.cpp': text, 'a/two.cpp': text, 'b/.clangd': '', 'b/three.cpp': text }, file: 'a/one.cpp', rc: setup(),
    lua: `local ids = {}
      for _, name in ipairs({ 'a/one.cpp', 'a/two.cpp', 'b/three.cpp' }) do
        vim.cmd('edit ' .. name)
        attached()
        ids[#ids + 1] = clients()[1].id
        ids[#ids + 1] = vim.fn.Table('Symbols tree include_hover=false')[1]
        vim.cmd('normal q')
      end
      return ids`,
  }), [1, row, 1, row, 2, row]);
});

test('wrap takes a list, and wraps it once', limit, async (t) => {
  const wrapped = 'symbols proxy --format standard -- clangd -j=2';
  assert.deepEqual(await run(t, {
    lua: `local symbols = require('symbols')
      local once = symbols.wrap({ 'clangd', '-j=2' })
      local ok, message = pcall(symbols.wrap, function() end)
      return { table.concat(once, ' '), table.concat(symbols.wrap(once), ' '), ok, message }`,
  }), [wrapped, wrapped, false, 'symbols: wrap() takes the command line of a server as a list, such as { "clangd" }, not a function']);
});

const mistakes = {
  '{ colour = 1 }': 'symbols: setup: there is no option colour; there are format, options, program, proxy_options, servers, timeout_ms, window',
  "{ format = 'yaml' }": 'symbols: there is no format yaml; there are table, tree, outline, tsv, toon, packed',
  '{ program = 7 }': 'symbols: setup: program must be a string, is a number; see :help symbols-setup',
  '{ servers = { go = { filetypes = {} } } }': 'symbols: setup: servers.go.cmd must be a table, is a nil; see :help symbols-setup',
  '{ servers = { go = { filetypes = {}, cmd = {} } } }': 'symbols: setup: servers.go.cmd is empty; give the command and its arguments',
};

test('a mistake in setup() is told', limit, async (t) => {
  assert.deepEqual(await run(t, {
    lua: `local said = {}
      for _, options in ipairs({ ${Object.keys(mistakes).join(', ')} }) do
        local _, message = pcall(require('symbols').setup, options)
        table.insert(said, message)
      end
      return said`,
  }), Object.values(mistakes));
});

// The report of :checkhealth, whose layout differs between versions of Neovim.
for (const [name, { programs, file, init: rc, attached, has, hasNot = [] }] of Object.entries({
  'all is there': {
    file: 'geometry.cpp', init: setup(), attached: 1,
    has: [/OK:? .*servers are started by (require\('symbols'\)\.setup\(\)|vim\.lsp\.enable\('symbols'\))/, /OK:? \S+\/bin\/symbols: symbols \d/,
      /OK:? clangd \(c, cpp, .*\): \S+\/bin\/clangd/, /OK:? geometry\.cpp: client symbols, clangd behind symbols \d/],
    hasNot: [/ERROR/, /WARNING/],
  },
  'the program is missing': { programs: ['clangd'], init: setup(), has: [/ERROR:? symbols is not found on the PATH/, /require\('symbols'\)\.setup\(\{ program/] },
  'the program is another one': { init: setup("{ program = 'clangd' }"), has: [/ERROR:? \S+clangd is there, but is another program/] },
  'no server is installed': {
    init: setup("{ servers = { clangd = false, ['rust-analyzer'] = false, pyright = false, ['typescript-language-server'] = false, gopls = { cmd = { 'no-such-server' } } } }"),
    has: [/WARNING:? none of them is installed/, /gopls \(go, gomod\): no-such-server is not installed/], hasNot: [/clangd/],
  },
  'a server without the proxy': { file: 'geometry.cpp', init: withoutProxy('clangd'), attached: 1, has: [/geometry\.cpp: client plain has no proxy before it/], hasNot: [/both run|runs twice/] },
  'a server twice': { file: 'geometry.cpp', init: withoutProxy('clangd') + withoutProxy('clangd'), attached: 2, has: [/WARNING:? geometry\.cpp: clangd runs twice for this buffer/] },
  'two versions of a server': {
    file: 'geometry.cpp', init: withoutProxy('clangd') + withoutProxy('clangd-19'), attached: 2,
    has: [/WARNING:? geometry\.cpp: clangd and clangd-19, one server, both run for this buffer/],
  },
})) {
  test(`checkhealth: ${name}`, limit, async (t) => {
    const report = await run(t, {
      programs, file, rc, files: onGeometry.files,
      script: `${attached ? `lua attached(${attached})` : ''}\n  checkhealth symbols\n  return join(getline(1, '$'), "\\n")`,
    });
    for (const pattern of has) assert.match(report, pattern);
    for (const pattern of hasNot) assert.doesNotMatch(report, pattern);
  });
}

test('nothing is loaded before a command is used', limit, async (t) => {
  assert.deepEqual(await run(t, { lua: `
    return { vim.fn.exists(':Symbols'), #vim.tbl_filter(function(name) return vim.startswith(name, 'symbols') end, vim.tbl_keys(package.loaded)) }` }), [2, 0]);
});

test('the help has the tags that messages name', limit, async (t) => {
  const lines = await run(t, {
    files: { 'help/doc/symbols.txt': readFileSync(shipped('nvim', 'doc', 'symbols.txt'), 'utf8') },
    script: "helptags help/doc\n  return readfile('help/doc/tags')",
  });
  const tags = lines.map((line) => line.split('\t')[0]);
  const text = ['config', 'request', 'server', 'health', 'init'].map((name) => readFileSync(shipped('nvim', 'lua', 'symbols', `${name}.lua`), 'utf8')).join('');
  const named = [...text.matchAll(/:help (symbols[\w-]*)/g)].map((match) => match[1]);
  assert.ok(named.length > 5);
  for (const name of [...named, ':Symbols', ':SymbolsYank', ':SymbolsContext', 'symbols.txt']) assert.ok(tags.includes(name), `no tag ${name} in ${tags}`);
});

// From 0.11 on vim.lsp.enable reads this file, and all the other tests go through it. In versions before, this test loads it and calls what is
// in it, as the help of 0.11 has it (:help lsp-config, vim.lsp.Config): the file returns a table; `cmd` is a list whose first word must be
// executable; `filetypes` is a list; `root_dir` may be a function of the buffer and a callback, without whose call no client is started
// from the table.
test('lsp/symbols.lua has what the help of 0.11 says of such a file', limit, async (t) => {
  const result = await run(t, {
    ...onGeometry,
    lua: `
      local path = vim.api.nvim_get_runtime_file('lsp/symbols.lua', false)[1]
      local config = assert(loadfile(path))()
      local called = false
      config.root_dir(vim.api.nvim_get_current_buf(), function() called = true end)
      attached()
      return { config.cmd, config.filetypes, called, vim.tbl_keys(config), vim.fn.Table('Symbols tree include_hover=false')[1] }`,
  });
  assert.deepEqual(result.slice(0, 3), [['symbols'],
    ['c', 'cpp', 'cuda', 'go', 'gomod', 'javascript', 'javascriptreact', 'objc', 'objcpp', 'python', 'rust', 'typescript', 'typescriptreact'], false]);
  assert.deepEqual(result[3].sort(), ['cmd', 'filetypes', 'root_dir']);
  assert.equal(result[4], 'n2-32 geometry:0-1@10');
});

// Makes the pictures of programs in a terminal, each from the real program in a real xterm on a screen of its own:
//
//   node docs/screenshots/terminal.mjs [neovim] [opencode]
//
// writes docs/screenshots/NAME.png. It needs what `scripts/test --all` needs, a built build/symbols (or another one as SYMBOLS),
// and of Debian: apt-get install xvfb xterm imagemagick fonts-dejavu-core neovim
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programFolder, serverSettings } from '../../tests/e2e/language_servers.mjs';
import { startLspTool } from '../../tests/e2e/opencode.mjs';
import { eventually, fixture, folder, project, symbolsPath } from '../../tests/e2e/program.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const pictures = { neovim, opencode };
const limit = 60_000;
const largest = 150_000;  // bytes

for (const program of ['Xvfb', 'xterm', 'import', 'convert', 'nvim']) {
  try {
    execFileSync('which', [program]);
  } catch {
    throw new Error(`there is no ${program}; install what the start of ${process.argv[1]} lists`);
  }
}

if (!existsSync(symbolsPath)) throw new Error(`there is no ${symbolsPath}; build it (scripts/build), or name another one as SYMBOLS`);

/** What is to be undone when a picture is made, last first: the tests' helpers ask for the same thing. */
function cleaner() {
  const actions = [];
  return { after: (action) => actions.unshift(action), clean: async () => { for (const action of actions) await action(); } };
}

const until = (condition, what) => eventually(condition, limit, what);

function start(t, program, args, options) {
  const child = spawn(program, args, { ...options, detached: true });
  const closed = new Promise((resolve) => child.on('close', resolve));
  t.after(async () => {
    try {
      process.kill(-child.pid, 'SIGTERM');
    } catch {}  // it has ended
    await closed;
  });
  return child;
}

/** Runs `command` in a terminal of columns x rows; `ready` waits until what is to be seen is there. */
async function photograph(t, name, { columns, rows, command, cwd, env, ready }) {
  const server = start(t, 'Xvfb', ['-displayfd', '3', '-screen', '0', '2000x1400x24', '-nolisten', 'tcp'],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  let number = '';
  server.stdio[3].on('data', (chunk) => { number += chunk; });
  await until(() => number.endsWith('\n'), 'a screen');
  const title = `symbols-picture-${name}`;
  const withDisplay = { ...env, DISPLAY: `:${number.trim()}` };
  start(t, 'xterm', ['-T', title, '-xrm', 'XTerm*allowTitleOps: false', '-fa', 'DejaVu Sans Mono', '-fs', '10', '-b', '8',
    '-geometry', `${columns}x${rows}+0+0`, '-fg', '#24292f', '-bg', '#ffffff', '-e', ...command],
  { cwd, env: withDisplay, stdio: 'ignore' });
  await ready();
  const file = join(here, `${name}.png`);
  // Until two pictures in a row are the same: the terminal has drawn all of it.
  let last;
  await until(async () => {
    const picture = execFileSync('import', ['-window', title, 'ppm:-'], { env: { ...process.env, ...withDisplay }, maxBuffer: 1 << 26 });
    const same = last !== undefined && picture.equals(last);
    last = picture;
    await new Promise((resolve) => setTimeout(resolve, 500));
    return same;
  }, 'a terminal that stands still');
  execFileSync('convert', ['ppm:-', '-colors', '64', '-strip', `png8:${file}`], { input: last });
  const { size } = statSync(file);
  if (size > largest) throw new Error(`${file} has ${size} bytes, more than ${largest}`);
  console.log(`${file}: ${size} bytes`);
}

/** `:Symbols` beside the source. */
async function neovim(t) {
  const home = folder(t);
  for (const [name, text] of Object.entries(serverSettings)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  copyFileSync(fixture('geometry.cpp'), join(home, 'geometry.cpp'));
  writeFileSync(join(home, 'init.lua'), `
vim.opt.runtimepath:prepend('${join(project, 'editors/nvim')}')
vim.opt.number = true
vim.opt.wrap = false
vim.opt.cursorline = true
vim.opt.laststatus = 2
require('symbols').setup({ window = 'rightbelow vertical 96 new' })
`);
  const socket = join(home, 'socket');
  // Neovim 0.7 prints the value on standard error; where it does not listen yet it prints an error.
  const ask = (expression) => {
    const { stdout, stderr } = spawnSync('nvim', ['--server', socket, '--remote-expr', expression], { encoding: 'utf8' });
    return `${stdout}${stderr}`.trim();
  };
  const type = (keys) => execFileSync('nvim', ['--server', socket, '--remote-send', keys]);
  await photograph(t, 'neovim', {
    columns: 170, rows: 40, cwd: home,
    command: ['nvim', '-u', join(home, 'init.lua'), '-i', 'NONE', '-n', '--listen', socket, 'geometry.cpp'],
    env: { HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, LANG: 'C.UTF-8', PATH: `${programFolder(t)}:${process.env.PATH}` },
    async ready() {
      await until(() => Number(ask('luaeval("#vim.tbl_filter(function(c) return c.initialized end, vim.tbl_values(vim.lsp.buf_get_clients(1)))")')) > 0, 'a language server');
      type(':Symbols<CR>');
      await until(() => ask('&filetype') === 'symbols', 'the table');
      // The row of a symbol, and where <CR> goes from there.
      type('/calculate_area<CR>:nohlsearch<CR>:<BS>');
    },
  });
}

/** What OpenCode's `lsp` tool gives its model, without the proxy and with it. */
async function opencode(t) {
  const cwd = folder(t);
  copyFileSync(fixture('geometry.cpp'), join(cwd, 'geometry.cpp'));
  const bin = programFolder(t);
  const { command } = JSON.parse(readFileSync(join(project, 'editors/opencode/opencode.json'), 'utf8')).lsp.clangd;
  const path = process.env.PATH;
  process.env.PATH = `${bin}:${path}`;  // OpenCode starts what the shipped configuration names
  const answers = [];
  try {
    for (const tried of [['clangd'], command]) {
      const call = { command: tried, cwd, file: 'geometry.cpp', operation: 'documentSymbol' };
      const { failure, text } = await startLspTool(t, call).answer;
      if (failure) throw new Error(failure);
      answers.push({ command: tried.join(' '), lines: text.split('\n'), length: text.length });
    }
  } finally {
    process.env.PATH = path;
  }
  const columns = 150;
  const shown = answers.map(({ command: tried, lines, length }, i) => {
    const first = i === 0 ? lines.slice(0, 18) : lines;
    const rest = lines.length - first.length;
    return `\x1b[1m$ opencode debug agent build --tool lsp --params '{"operation":"documentSymbol","filePath":"geometry.cpp",…}'\x1b[0m\n` +
      `\x1b[34m# the server: ${tried}; the text for the model: ${length} characters, ${lines.length} lines\x1b[0m\n` +
      `${first.join('\n')}\n${rest > 0 ? `\x1b[34m# … and ${rest} lines more\x1b[0m\n` : ''}`;
  }).join('\n');
  const text = join(cwd, 'text');
  const printed = join(cwd, 'printed');
  writeFileSync(text, shown);
  const rows = shown.replace(/\x1b\[\d+m/g, '').split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);
  await photograph(t, 'opencode', {
    columns, rows, cwd, env: { HOME: cwd, LANG: 'C.UTF-8', PATH: process.env.PATH },
    command: ['sh', '-c', `cat '${text}'; printf '\\033[?25l'; touch '${printed}'; sleep 600`],
    ready: () => until(() => existsSync(printed), 'the text'),
  });
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures);
for (const name of names) {
  if (!pictures[name]) throw new Error(`there is no picture "${name}", only ${Object.keys(pictures).join(', ')}`);
  const t = cleaner();
  try {
    await pictures[name](t);
  } finally {
    await t.clean();
  }
}

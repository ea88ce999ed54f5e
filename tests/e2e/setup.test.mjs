// `symbols setup`: the configuration of editors and agent harnesses, printed and written, in home folders of the tests' own.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { preloaded } from './kernel_without.mjs';
import { folder, project, run, symbolsPath } from './program.mjs';

/** A home folder with these files; `.setup(…)` runs `symbols setup` there, with a `symbols` on the PATH that is the program. */
function home(t, files = {}) {
  const path = folder(t, { ...files, 'project/.keep': '' });
  mkdirSync(join(path, 'bin'));
  symlinkSync(symbolsPath, join(path, 'bin', 'symbols'));
  const env = { HOME: path, XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', PATH: `${join(path, 'bin')}:${process.env.PATH}` };
  return {
    path,
    env,
    program: join(path, 'bin', 'symbols'),
    at: (name) => join(path, name),
    read: (name) => readFileSync(join(path, name), 'utf8'),
    names: (name) => readdirSync(join(path, name)).sort(),
    setup: (args, options = {}) => run(['setup', ...args], { cwd: join(path, 'project'), ...options, env: { ...env, ...options.env } }),
  };
}

const config = '.config/opencode/opencode.json';
/** What every command that a configuration starts must be: an absolute path of a program that is there. */
const startsPrograms = (command) => command[0].startsWith('/') && existsSync(command[0]) && existsSync(command[command.indexOf('--') + 1]);

const names = ['nvim', 'vim', 'emacs', 'vscode', 'kate', 'kakoune', 'helix', 'sublime', 'zed', 'codemirror', 'opencode', 'claude-code', 'copilot-cli',
  'crush', 'cclsp', 'serena', 'mcp-language-server', 'oh-my-opencode', 'cli-lsp-client', 'qwen-code', 'claude-code --mcp', 'codex', 'gemini-cli',
  'qwen-code --mcp', 'copilot-cli --mcp', 'opencode --mcp', 'crush --mcp', 'cursor', 'vscode --mcp', 'zed --mcp', 'goose'];
const languageServers = names.slice(0, names.indexOf('claude-code --mcp')).filter((name) => name !== 'kakoune');
/** Those of which setup prints the lines, and writes nothing. */
const byHand = { codex: '.codex/config.toml', serena: '.serena/serena_config.yml', goose: '.config/goose/config.yaml' };

test('without a name: all there are, the file of each, and whether it is there', async (t) => {
  const mine = home(t, { [config]: '{}' });
  const { status, stdout, stderr } = await mine.setup([]);
  assert.deepEqual([status, stderr], [0, '']);
  const rows = stdout.trimEnd().split('\n').slice(1).map((line) => line.split(/ {2,}/));
  assert.deepEqual(rows.map(([name]) => name), names);
  assert.deepEqual(rows.find(([name]) => name === 'opencode'), ['opencode', `~/${config}`, 'yes']);
  assert.deepEqual(rows.find(([name]) => name === 'helix'), ['helix', '~/.config/helix/languages.toml', 'no']);
});

for (const name of names.filter((name) => name !== 'codemirror' && !(name in byHand))) {
  test(`${name}: printed, written into an empty home, and the same when run again`, async (t) => {
    const mine = home(t);
    const words = name.split(' ');
    const printed = await mine.setup(words);
    assert.equal(printed.status, 0, printed.stderr);
    assert.ok(printed.stdout.includes(mine.program), printed.stdout);
    // Kakoune has the program ask for a server, which it looks up itself.
    assert.ok(!languageServers.includes(name) || /\/clangd-19\b/.test(printed.stdout), printed.stdout);
    assert.deepEqual(mine.names('.'), ['bin', 'project'], 'printing writes nothing');

    const written = await mine.setup([...words, '--write']);
    assert.equal(written.status, 0, written.stderr);
    const files = [...written.stdout.matchAll(/^written: (.*)$/gm)].map(([, file]) => file);
    assert.ok(files.length > 0);
    const shown = files.map((file) => `==> ${file} <==\n${readFileSync(file, 'utf8')}`).join('');
    assert.equal(printed.stdout, shown, 'what was printed is what was written');
    const again = await mine.setup([...words, '--write']);
    assert.equal(again.status, 0, again.stderr);
    assert.deepEqual([...again.stdout.matchAll(/^(\w+): (.*)$/gm)].map(([, what, file]) => [what, file]), files.map((file) => ['unchanged', file]));
    assert.deepEqual(readdirSync(mine.path, { recursive: true }).filter((entry) => entry.includes('.symbols-')), []);
  });
}

for (const [name, file] of Object.entries(byHand)) {
  test(`${name}: the lines, and where they go`, async (t) => {
    const mine = home(t, { [file]: 'mine\n' });
    const env = { PATH: mine.at('bin') };
    const printed = await mine.setup([name], { env });
    assert.equal(printed.status, 0, printed.stderr);
    assert.ok(printed.stderr.endsWith(`symbols: to be added to ${mine.at(file)} by hand:\n`), printed.stderr);
    assert.ok(printed.stdout.includes(`"${mine.program}"`), printed.stdout);
    const written = await mine.setup([name, '--write', '--yes'], { env });
    assert.deepEqual([written.status, written.stdout], [1, printed.stdout]);
    assert.ok(written.stderr.includes(`${mine.at(file)} was not written\n`), written.stderr);
    assert.equal(mine.read(file), 'mine\n');
  });
}

test('codex: its own command is printed, and run with --write', async (t) => {
  const mine = home(t);
  writeFileSync(mine.at('bin/codex'), '#!/bin/sh\necho codex was given "$@"\nexit 7\n', { mode: 0o755 });
  const line = `codex mcp add symbols -- ${mine.program} mcp\n`;
  const printed = await mine.setup(['codex']);
  assert.deepEqual([printed.status, printed.stdout, printed.stderr], [0, line, '']);
  const written = await mine.setup(['codex', '--write']);
  assert.deepEqual([written.status, written.stdout], [7, `${line}codex was given mcp add symbols -- ${mine.program} mcp\n`]);
  const other = await mine.setup(['codex', '--to', 'config.toml', '--write']);
  assert.equal(other.status, 1);
  assert.match(other.stderr, /to be added to .*\/project\/config\.toml by hand/);
});

// Of these the whole folder is written, so a file that editor_files.cmake does not list would be missing.
for (const name of ['nvim', 'vim', 'claude-code']) {
  test(`${name}: all that is shipped is written`, async (t) => {
    const mine = home(t);
    await mine.setup([name, '--write', '--to', 'there']);
    const filesOf = (path) => readdirSync(path, { recursive: true }).filter((entry) => statSync(join(path, entry)).isFile());
    const shipped = filesOf(join(project, 'editors', name)).filter((file) => !/^(README\.md|setup\.\w+)$/.test(file));
    const written = filesOf(mine.at('project/there')).filter((file) => !/^plugin\/machine\.\w+$/.test(file));
    assert.deepEqual(written.sort(), shipped.sort());
  });
}

test('a program whose file is gone writes no path of it', async (t) => {
  const mine = home(t);
  copyFileSync(symbolsPath, mine.at('symbols'));
  const { status, stdout, stderr } = await run(['-c', 'exec 9<symbols; rm symbols; exec /proc/self/fd/9 setup opencode --write'], {
    program: 'bash', env: mine.env, cwd: mine.path,
  });
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^symbols: the file of this program no longer exists; run the one that replaced it$/m);
  assert.ok(!existsSync(mine.at(config)));
});

// What else people have in these files: tests/proxy/setup/settings_merge_test.cc.
test('what is there stays: every byte, with a backup, the mode of the file', async (t) => {
  const text = '{\n\t// mine\n\t"theme" : "dark",   /* x */\n\t"lsp": {\n\t\t"gopls": {"disabled": true},  // not here\n\t},\n\t"keys": [1,2 , 3],\n}\n';
  const mine = home(t, { [config]: text });
  chmodSync(mine.at(config), 0o640);
  const refused = await mine.setup(['opencode', '--write']);
  assert.equal(refused.status, 1);
  assert.match(refused.stderr, /already exists, so nothing was written; .*--yes/);
  assert.equal(mine.read(config), text);

  const printed = await mine.setup(['opencode']);
  assert.ok(printed.stdout.startsWith(`==> ${mine.at(config)} <== sets this in it:\n`), printed.stdout);
  const { status, stdout, stderr } = await mine.setup(['opencode', '--write', '--yes']);
  assert.deepEqual([status, stderr], [0, '']);
  assert.ok(stdout.includes(`backup: ${mine.at(config)}.symbols-backup\n`), stdout);
  assert.equal(mine.read(`${config}.symbols-backup`), text);
  const now = mine.read(config);
  const withoutComments = now.replace(/(?<!:)\/\/.*|\/\*.*?\*\//g, '').replace(/,(\s*[}\]])/g, '$1');
  assert.ok(startsPrograms(JSON.parse(withoutComments).lsp.clangd.command), now);
  // Their text is what is left when ours is taken out: commas that had to be put behind their members aside.
  let at = 0;
  for (const character of now) if (character === text[at]) ++at;
  assert.equal(at, text.length, now);
  assert.equal(statSync(mine.at(config)).mode & 0o777, 0o640);

  const again = await mine.setup(['opencode', '--write']);
  assert.deepEqual([again.status, again.stdout.startsWith('unchanged: ')], [0, true]);
  assert.equal(mine.read(config), now);
  assert.equal(mine.names(dirname(config)).length, 2);
});

test('--table: the configuration whose answer is a table; names and configurations that setup does not know', async (t) => {
  const mine = home(t);
  assert.equal((await mine.setup(['copilot-cli', '--table', '--write'])).status, 0);
  assert.ok(JSON.parse(mine.read('.copilot/lsp-config.json')).lspServers.clangd.args.includes('--carrier'));
  for (const [args, says] of [
    [['opencode', '--table'], /^symbols: opencode has no configuration for --table; these have: copilot-cli, oh-my-opencode, qwen-code$/m],
    [['vim', '--mcp'], /^symbols: vim has no configuration for --mcp; these have: claude-code, codex, .*goose$/m],
    [['nvm'], /setup does not know "nvm" \(did you mean nvim\?\); known names: nvim, vim, emacs, /],
    [['claude'], /did you mean claude-code/],
    [['\x1b[31m'], /setup does not know "\\x1B\[31m"; known names: nvim/],
  ]) {
    const { status, stdout, stderr } = await mine.setup(args);
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, says);
  }
});

test('XDG_CONFIG_HOME and XDG_DATA_HOME are where it goes', async (t) => {
  const mine = home(t);
  const env = { XDG_CONFIG_HOME: mine.at('c'), XDG_DATA_HOME: mine.at('d'), HOME: undefined };
  assert.equal((await mine.setup(['emacs', '--write', '--to', mine.at('init.el')], { env })).status, 0);
  assert.equal((await mine.setup(['opencode', '--write'], { env })).status, 0);
  assert.deepEqual([mine.names('c/opencode'), mine.names('d/symbols/emacs')], [['opencode.json'], ['symbols.el']]);
  const { status, stderr } = await mine.setup(['opencode', '--write'], { env: { HOME: undefined } });
  assert.equal(status, 1);
  assert.match(stderr, /neither HOME nor XDG_CONFIG_HOME is set/);
});

test('refused: the files of ours that the lines load are written all the same', async (t) => {
  const file = '.config/kak/kakrc';
  const ours = '.local/share/symbols/kakoune/symbols.kak';
  const mine = home(t, { [file]: '# >>> symbols\n' });
  const printed = await mine.setup(['kakoune']);
  assert.equal(printed.status, 1);
  assert.ok(printed.stdout.startsWith(`==> ${mine.at(ours)} <==\n`), printed.stdout);
  assert.ok(!existsSync(mine.at(ours)));
  const { status, stdout, stderr } = await mine.setup(['kakoune', '--write']);
  assert.equal(status, 1);
  assert.ok(stdout.startsWith(`written: ${mine.at(ours)}\nsource '${mine.at(ours)}'\n`), stdout);
  assert.ok(stderr.includes(`${mine.at(file)} was not written\n`), stderr);
  assert.ok(existsSync(mine.at(ours)));
  assert.equal(mine.read(file), '# >>> symbols\n');
});

test('--to: a folder where a file is wanted is an error, a slash behind a folder none', async (t) => {
  const mine = home(t, { 'project/there/.keep': '' });
  for (const to of ['there', 'there/', 'new/']) {
    const { status, stdout, stderr } = await mine.setup(['opencode', '--write', '--to', to]);
    assert.deepEqual([status, stdout], [1, '']);
    const usual = join(mine.at('project'), to, 'opencode.json');
    assert.equal(stderr, `symbols: --to must be a file for opencode, and ${to} is a folder; give a file in it, such as ${usual}\n`);
    assert.ok(!existsSync(mine.at('project/new')));
  }
  for (const [name, to, file] of [['nvim', 'new/', 'new/lua/symbols/init.lua'], ['opencode', 'opencode.json', 'opencode.json']]) {
    const { status, stderr } = await mine.setup([name, '--write', '--to', to]);
    assert.equal(status, 0, stderr);
    assert.ok(existsSync(mine.at(`project/${file}`)));
  }
  assert.ok(!existsSync(mine.at(config)));
});

test('what is left to do names the folder that was written', async (t) => {
  const { stdout } = await home(t).setup(['claude-code', '--write', '--to', "it's"]);
  assert.match(stdout, /\nnext: .* claude plugin marketplace add '\/.*\/project\/it'\\''s', then/);
});

test('a folder that is a link is named with what it leads to, before anything is written', async (t) => {
  const mine = home(t, { 'dotfiles/mcp.json': '{"mine": 1}\n' });
  symlinkSync(mine.at('dotfiles'), mine.at('project/.cursor'));
  const to = mine.at('project/.cursor/mcp.json');
  const named = `${to} -> ${mine.at('dotfiles/mcp.json')}`;
  const shown = await mine.setup(['cursor', '--to', to]);
  assert.match(shown.stdout, new RegExp(`^==> ${named} <== sets this in it:\n`));
  const refused = await mine.setup(['cursor', '--to', to, '--write']);
  assert.equal(refused.status, 1);
  assert.ok(refused.stderr.includes(`${named} already exists`), refused.stderr);
  assert.equal(mine.read('dotfiles/mcp.json'), '{"mine": 1}\n');
  const written = await mine.setup(['cursor', '--to', to, '--write', '--yes']);
  assert.ok(written.stdout.includes(`written: ${named}\n`), written.stdout);
});

// A nobody of the system's, as root may write everywhere.
const nobody = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};
const write = (more = '') => `'${symbolsPath}' setup opencode --write ${more}`;
const atTerminal = (command, key) => ({ program: 'script', args: ['-qec', command, '/dev/null'], input: `${key}\n` });
const refusals = {
  'a file that is write-protected: what to add by hand is printed': {
    args: ['-c', write('--yes')], file: 0o444, says: /opencode\.json: it is write-protected[^]*was not written/, prints: /"\/.*symbols", "proxy"/,
  },
  'a folder that may not be written to': { args: ['-c', write('--yes')], folder: 0o555, ...nobody, says: /cannot write in .*\/opencode: Permission denied/ },
  // No process may write a file of more than so many blocks, which is what a quota does.
  'a disk without room for it': { args: ['-c', `ulimit -f 0; ${write('--yes')}`], says: /cannot write .*: File too large/ },
  'a person at a terminal who does not say y': { ...atTerminal(write(), 'n'), prints: /Change \/.*opencode\.json and keep a backup\? \[y\/N\]/ },
  'a terminal that does not show the changes': { ...atTerminal(`${write()} >seen`, 'y'), prints: /already exists, so nothing was written; --yes allows the change/ },
};
for (const [what, { program = 'bash', file = 0o666, folder: mode = 0o755, says = /^/, prints = /^/, args, ...options }] of Object.entries(refusals)) {
  test(`refused: ${what}`, async (t) => {
    const mine = home(t, { [config]: '{"mine": 1}\n' });
    chmodSync(mine.path, 0o755);
    chmodSync(mine.at(config), file);
    chmodSync(mine.at(dirname(config)), mode);
    const { status, stdout, stderr } = await run(args, { program, cwd: mine.path, env: mine.env, ...options });
    chmodSync(mine.at(dirname(config)), 0o755);
    assert.equal(status, 1, stdout + stderr);
    assert.match(stderr, says);
    assert.match(stdout, prints);
    assert.equal(mine.read(config), '{"mine": 1}\n');
    assert.deepEqual(mine.names(dirname(config)), ['opencode.json']);
  });
}

test('a person at a terminal who says y', async (t) => {
  const mine = home(t, { [config]: '{}\n' });
  const { args, ...options } = atTerminal(write(), 'y');
  const { status, stdout } = await run(args, { ...options, cwd: mine.path, env: mine.env });
  assert.equal(status, 0, stdout);
  assert.ok(JSON.parse(mine.read(config)).lsp);
});

// The program, and not what it starts, is killed before the change of a file that KILL_AT counts to.
const changes = `
  #include <fcntl.h>
  #include <signal.h>
  #include <stdarg.h>
  #include <stdlib.h>
  #include <string.h>
  #include <sys/types.h>
  #include <unistd.h>
  static int left = -1;
  static void change(void) {
    if (left < 0) left = strcmp(program_invocation_short_name, "symbols") == 0 ? atoi(getenv("KILL_AT")) : 0;
    if (left > 0 && --left == 0) kill(getpid(), SIGKILL);
  }
  #define CHANGES(type, name, parameters, arguments) \\
    type name parameters { change(); return ((type (*) parameters)dlsym(RTLD_NEXT, #name))arguments; }
  CHANGES(ssize_t, write, (int file, const void *bytes, size_t size), (file, bytes, size))
  CHANGES(int, fsync, (int file), (file))
  CHANGES(int, fchmod, (int file, mode_t mode), (file, mode))
  CHANGES(int, mkdir, (const char *path, mode_t mode), (path, mode))
  CHANGES(int, fchown, (int file, uid_t user, gid_t group), (file, user, group))
  CHANGES(int, unlink, (const char *path), (path))
  CHANGES(int, rename, (const char *from, const char *to), (from, to))
  #define OPENS(name) \\
    int name(const char *path, int flags, ...) { \\
      va_list rest; va_start(rest, flags); mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0; va_end(rest); \\
      if (flags & O_CREAT) change(); \\
      return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, #name))(path, flags, mode); }
  OPENS(open)
  OPENS(open64)`;

test('killed before any of its changes, the file is the old one or the new one', async (t) => {
  const environment = preloaded(t, changes);
  if (!environment) return t.skip('no C compiler, or a sanitizer');
  const old = `{"mine": "${'x'.repeat(200000)}"}\n`;
  const mine = home(t, { [config]: old });
  await mine.setup(['opencode', '--write', '--yes']);
  const written = mine.read(config);
  assert.notEqual(written, old);
  const seen = { old: 0, new: 0 };
  for (let at = 1, signal = 'SIGKILL'; signal === 'SIGKILL'; ++at) {
    writeFileSync(mine.at(config), old);
    ({ signal } = await mine.setup(['opencode', '--write', '--yes'], { env: { ...environment, KILL_AT: String(at) } }));
    const now = mine.read(config);
    assert.ok(now === old || now === written, 'neither the old file nor the new one');
    ++seen[now === old ? 'old' : 'new'];
    for (const copy of mine.names(dirname(config)).filter((entry) => entry.endsWith('.json.symbols-backup'))) {
      assert.equal(mine.read(join(dirname(config), copy)), old);
      rmSync(mine.at(join(dirname(config), copy)));
    }
  }
  assert.ok(seen.old > 5 && seen.new > 0, JSON.stringify(seen));
});

test('two at once: one file, whole', async (t) => {
  const mine = home(t, { [config]: '{"mine": 1}\n' });
  const runs = await Promise.all(Array.from({ length: 6 }, () => mine.setup(['opencode', '--write', '--yes'])));
  for (const { status, stderr } of runs) {
    if (status !== 0) assert.match(stderr, /it changed while this program ran/);
  }
  const now = JSON.parse(mine.read(config));
  assert.deepEqual([now.mine, Object.keys(now.lsp)], [1, ['clangd', 'typescript']]);
  assert.equal(mine.read(`${config}.symbols-backup`), '{"mine": 1}\n');
  assert.deepEqual(mine.names(dirname(config)).filter((entry) => entry.startsWith('.')), []);
});

test('codemirror: there is nothing to write, and it says what to do', async (t) => {
  const mine = home(t);
  const printed = await mine.setup(['codemirror']);
  assert.equal(printed.status, 0);
  assert.match(printed.stdout, /symbols proxy --format standard/);
  assert.equal((await mine.setup(['codemirror', '--write'])).status, 1);
});

// The packages that scripts/package makes, where they will be used: the .deb and the static program on bare Debians, the npm package
// from its tarball, the extension of VS Code, and the recipes, as far as they can be checked without the systems that they are for.
// SYMBOLS_PACKAGES names a folder that has the packages already.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { before, test } from 'node:test';
import { eventually, fakeServer, fixture, folder, marked, project, run, start } from '../e2e/program.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.env.SYMBOLS_PACKAGES ?? join(project, 'dist');
const version = /^project\(symbols VERSION ([\d.]+) /m.exec(readFileSync(join(project, 'CMakeLists.txt'), 'utf8'))[1];
const limit = { timeout: 900_000 };

const has = (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** The one file of dist/ whose name matches. */
function packageOf(pattern) {
  const names = readdirSync(dist).filter((name) => pattern.test(name));
  assert.equal(names.length, 1, `${pattern} in ${dist}: ${names}`);
  return join(dist, names[0]);
}
const deb = () => packageOf(/^symbols_.*\.deb$/);
const archive = () => packageOf(/^symbols-.*-linux-.*\.tar\.gz$/);
const npmTarball = () => packageOf(/^symbols-lsp-.*\.tgz$/);
const vsix = () => packageOf(/^symbols-.*\.vsix$/);

before(async () => {
  if (process.env.SYMBOLS_PACKAGES) return;
  const { status, stderr } = await run([], { program: join(project, 'scripts', 'package'), env: { XDG_CONFIG_HOME: undefined } });
  assert.equal(status, 0, stderr);
});

/** What bash prints that runs this as root on a bare Debian, with these files in /shared; skips the test where that cannot be. */
async function onBareDebian(t, suite, files, script) {
  const shared = folder(t);
  for (const path of files) cpSync(path, join(shared, path.split('/').at(-1)));
  const { status, stdout, stderr } = await run([suite, shared, script], { program: join(here, 'bare_debian.sh') });
  if (status === 77) {
    t.skip(stderr.trim());
    return undefined;
  }
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

const installed = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends';
// All files but those of apt and dpkg themselves, and what reading manual pages keeps.
const allFiles = "find / -xdev -path /shared -prune -o -path /proc -prune -o -path /dev -prune -o -path /tmp -prune -o -path '/var/lib/apt/*' " +
  "-prune -o -path '/var/cache/*' -prune -o -path '/var/log/*' -prune -o -path '/var/lib/dpkg/*' -prune -o -print | sort";

for (const [suite, clangd] of [['bookworm', 'clangd-19'], ['trixie', 'clangd-19']]) {
  test(`the .deb on a bare Debian, ${suite}: installed, used, removed without a trace`, limit, async (t) => {
    const output = await onBareDebian(t, suite, [deb(), fixture('geometry.cpp')], `
      ${installed} ${clangd} zsh fish bash-completion >/dev/null 2>&1
      dpkg --get-selections | cut -f1 >/tmp/packages
      ${allFiles} >/tmp/before
      cd && cp /shared/geometry.cpp .
      begun=$(date +%s%N)
      apt-get install -y -qq --no-install-recommends /shared/*.deb >/dev/null 2>&1
      symbols geometry.cpp >table
      echo "milliseconds $(( ($(date +%s%N) - begun) / 1000000 ))"
      cat table
      echo "programs $(dpkg -L symbols | grep -c ^/usr/bin/.) $(dpkg -L symbols | grep -c '^/usr/share/symbols/editors/nvim/.')"
      for page in symbols symbols-find symbols-proxy; do man $page | head -n 4 | tail -n 1; done
      echo "bash $(bash -ic '. /usr/share/bash-completion/bash_completion; _completion_loader symbols; COMP_WORDS=(symbols setup openc); COMP_CWORD=2; _symbols 2>/dev/null; echo \${COMPREPLY[*]}' 2>/dev/null)"
      echo "fish $(fish -c 'complete -C "symbols setup openc"' | cut -f1)"
      echo "zsh $(zsh -fc 'autoload -U compinit; compinit -u -D; echo $_comps[symbols] \${^fpath}/_symbols(N)')"
      rm geometry.cpp table
      apt-get purge -y -qq symbols >/dev/null 2>&1
      apt-get autoremove --purge -y -qq >/dev/null 2>&1
      rm -rf ~/.local ~/.cache ~/.config ~/.zcompdump
      dpkg --get-selections | cut -f1 | diff /tmp/packages - && ${allFiles} | diff /tmp/before - && echo "no trace"`);
    if (output === undefined) return;
    const milliseconds = Number(/^milliseconds (\d+)$/m.exec(output)[1]);
    t.diagnostic(`${suite}: ${milliseconds} ms from nothing to the table`);
    assert.ok(milliseconds < 30_000, output);
    assert.match(output, /^calculate_area \| 12 \| /m);
    assert.match(output, /^programs 1 [1-9]/m);
    assert.match(output, / symbols +- +Prints +the +symbols +of +source +files/);
    assert.match(output, / symbols-find - Find symbols of a project by name/);
    assert.match(output, /^bash opencode$/m);
    assert.match(output, /^fish opencode$/m);
    assert.match(output, /^zsh _symbols \/usr\/share\/zsh\/vendor-completions\/_symbols$/m);
    assert.match(output, /^no trace$/m);
  });

  test(`the static program on a bare Debian, ${suite}, and nowhere but in its folder`, limit, async (t) => {
    const output = await onBareDebian(t, suite, [archive(), fixture('geometry.cpp')], `
      ${installed} ${clangd} >/dev/null 2>&1
      tar -xzf /shared/*.tar.gz -C /opt
      cd && cp /shared/geometry.cpp .
      /opt/*/bin/symbols geometry.cpp
      man -l /opt/*/share/man/man1/symbols.1 | grep -c 'files'`);
    if (output !== undefined) assert.match(output, /^calculate_area \| 12 \| /m);
  });
}

test('the program of the .deb is hardened as the one that is built here', limit, (t) => {
  const at = folder(t);
  execFileSync('dpkg-deb', ['-x', deb(), at]);
  execFileSync('bash', [hardening, join(at, 'usr/bin/symbols')]);
});

const hardening = join(here, '../scripts/hardening_test.sh');
const reply = JSON.stringify([{ name: 'a', kind: 12, range: { start: { line: 0, character: 0 }, end: { line: 1, character: 1 } },
  selectionRange: { start: { line: 0, character: 5 }, end: { line: 0, character: 6 } } }]);
const convert = ['convert', '--from', 'json', '--to', 'table'];
const converted = 'NAME | KIND | RANGE | SELECTION | PARENT\na | 12 | 0:0-1:1 | 0:5-6 | \n';

test('the static program has under 6 MB, and runs where there is no other file', limit, async (t) => {
  const at = folder(t);
  execFileSync('tar', ['-xzf', archive(), '-C', at, '--strip-components=2', '--wildcards', '*/bin/symbols']);
  assert.ok(statSync(join(at, 'symbols')).size < 6e6, `${statSync(join(at, 'symbols')).size} bytes`);
  execFileSync('bash', [hardening, join(at, 'symbols')]);
  mkdirSync(join(at, 'dev'));
  writeFileSync(join(at, 'reply.json'), reply);
  if (spawnSync('unshare', ['-r', 'true']).status !== 0) return t.skip('no user namespaces here');
  const { status, stdout, stderr } = await run(['-r', 'chroot', at, '/symbols', ...convert, '/reply.json'], { program: 'unshare' });
  assert.deepEqual([status, stdout], [0, converted], stderr);
});

/** A folder with the npm package in it, installed from its tarball without any script or network. */
function npmInstalled(t) {
  const at = folder(t, { 'package.json': '{"private": true}' });
  execFileSync('npm', ['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund', npmTarball()], { cwd: at, stdio: 'pipe' });
  return at;
}

test('the npm package: options, standard input, exit status and signals reach the program and come back', limit, async (t) => {
  const cwd = npmInstalled(t);
  const { scripts } = JSON.parse(readFileSync(join(cwd, 'node_modules', 'symbols-lsp', 'package.json'), 'utf8'));
  assert.equal(scripts, undefined);
  const npx = (args, options) => run(['--offline', 'symbols-lsp', ...args], { program: 'npx', cwd, ...options });
  assert.equal((await npx(['--version'])).stdout, `symbols ${version}\n`);
  assert.equal((await npx(convert, { input: reply })).stdout, converted);
  assert.equal((await npx(['--nonsense'])).status, 2);
  const launcher = join(cwd, 'node_modules', '.bin', 'symbols-lsp');
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    const mark = marked();
    t.after(mark.kill);
    writeFileSync(join(cwd, 'a.x'), 'alpha\n');
    const child = start(['--language', 'x', '--server', fakeServer('silent-at-once'), 'a.x'], { program: launcher, cwd, env: mark.env });
    await eventually(() => mark.pids().length === 3, 30_000);  // the launcher, the program, the server
    process.kill(child.pid, signal);
    assert.equal((await child.finished).signal, signal);
    await mark.noneLeft();
  }
});

test('the npm package as the command of a language client: the proxy passes all through', limit, async (t) => {
  const cwd = npmInstalled(t);
  const server = ['bash', '-c', 'cat; exit 3'];
  const body = '{"jsonrpc":"2.0","method":"exit"}';
  const message = `Content-Length: ${body.length}\r\n\r\n${body}`;
  const { status, stdout } = await run(['proxy', '--', ...server], { program: join(cwd, 'node_modules', '.bin', 'symbols'), cwd, input: message });
  assert.deepEqual([status, stdout], [3, message]);
});

test('the npm package with the newest Node.js', limit, async (t) => {
  const cwd = npmInstalled(t);
  const name = `node-linux-${process.arch}`;
  const got = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', `${name}@latest`], { cwd, encoding: 'utf8' });
  if (got.status !== 0) return t.skip(`npm gives no ${name}: ${got.stderr}`);
  const node = join(cwd, 'node_modules', name, 'bin', 'node');
  t.diagnostic(execFileSync(node, ['--version'], { encoding: 'utf8' }).trim());
  const { status, stdout, stderr } = await run([join(cwd, 'node_modules', 'symbols-lsp', 'launcher.js'), ...convert], { program: node, cwd, input: reply });
  assert.deepEqual([status, stdout, stderr], [0, converted, '']);
});

test('the npm package with the Node.js of a bare Debian 12', limit, async (t) => {
  const output = await onBareDebian(t, 'bookworm', [npmTarball(), fixture('geometry.cpp')], `
    ${installed} nodejs npm clangd-19 >/dev/null 2>&1
    node --version
    mkdir /tmp/p && cd /tmp/p && npm install --offline --ignore-scripts --no-audit --no-fund /shared/*.tgz >/dev/null 2>&1
    cp /shared/geometry.cpp . && npx --offline symbols-lsp geometry.cpp`);
  if (output === undefined) return;
  assert.match(output, /^v18\./m);
  assert.match(output, /^calculate_area \| 12 \| /m);
});

test('the extension of VS Code brings a program that can be run', limit, async (t) => {
  const at = folder(t);
  execFileSync('python3', ['-c', 'import sys, zipfile; [print(one.external_attr >> 16 & 0o111, one.filename) for one in zipfile.ZipFile(sys.argv[1]).infolist()]', vsix()], { encoding: 'utf8' })
    .split('\n').find((line) => line === '73 extension/bin/symbols') ?? assert.fail('bin/symbols is not executable');
  execFileSync('python3', ['-m', 'zipfile', '-e', vsix(), at]);
  assert.match(readFileSync(join(at, 'extension.vsixmanifest'), 'utf8'), new RegExp(`TargetPlatform="linux-${process.arch}"`));
});

test('recipes name the sources by their checksum, and are what their readers can read', limit, async (t) => {
  const sum = createHash('sha256').update(readFileSync(join(dist, `symbols-${version}.tar.gz`))).digest('hex');
  const recipes = join(dist, 'recipes');
  for (const name of ['symbols.rb', 'PKGBUILD']) {
    const text = readFileSync(join(recipes, name), 'utf8');
    assert.ok(text.includes(sum) && text.includes(version), name);
    assert.doesNotMatch(text, /@[A-Z0-9]+@/);
  }
  execFileSync('bash', ['-n', join(recipes, 'PKGBUILD')]);
  const readers = [['ruby', ['-c', join(recipes, 'symbols.rb')]], ['nix-instantiate', ['--parse', join(project, 'packaging', 'nix', 'default.nix')]]];
  for (const [program, args] of readers) {
    if (has(program)) execFileSync(program, args, { stdio: 'pipe' });
    else t.diagnostic(`${program} is not here`);
  }
});

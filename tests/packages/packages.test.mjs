// The packages of scripts/package. They are made from a clean clone of HEAD on a bare Debian, as a user would, and used on others: the
// .deb and the static program, the npm package from its tarball, the extension of VS Code, and the recipes, as far as they can be
// checked without their systems. Also whether the scripts report true sizes.
// SYMBOLS_PACKAGES names a folder with packages that are made already; then nothing is made, and sizes are not checked.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, test } from 'node:test';
import { eventually, fakeServer, fixture, folder, isInstalled, marked, project, run, start } from '../e2e/program.mjs';

const here = dirname(fileURLToPath(import.meta.url));
/** Where the packages are made: dist/, what scripts/package said, and what sizes.sh measured. */
const made = mkdtempSync(join(tmpdir(), 'symbols-packages-'));
after(() => rmSync(made, { recursive: true, force: true }));
const dist = process.env.SYMBOLS_PACKAGES ?? join(made, 'dist');
const version = /^project\(symbols VERSION ([\d.]+) /m.exec(readFileSync(join(project, 'CMakeLists.txt'), 'utf8'))[1];

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
const mcpb = () => packageOf(/^symbols-.*\.mcpb$/);
const unzip = (path, at) => execFileSync('python3', ['-m', 'zipfile', '-e', path, at]);

/** Takes minutes, so ctest's time limit is the only one. */
const bareDebian = (suite, shared, script) => run([suite, shared, script], { program: join(here, 'bare_debian.sh'), limit: 0 });

let missing = 'the packages were not made';
test('scripts/package makes the packages on a bare Debian', async (t) => {
  if (process.env.SYMBOLS_PACKAGES) missing = '';
  if (!missing) return t.skip('made already');
  execFileSync('git', ['clone', '-q', '--no-hardlinks', project, join(made, 'project')], { stdio: 'pipe' });
  cpSync(join(here, 'sizes.sh'), join(made, 'sizes.sh'));
  const { status, stdout, stderr } = await bareDebian('bookworm', made, 'bash /shared/sizes.sh');
  if (status === 77) return t.skip(stderr.trim());
  assert.equal(status, 0, stdout + stderr);
  missing = '';
});

/** A test of the packages. */
const packageTest = (name, body) => test(name, (t) => (missing ? t.skip(missing) : body(t)));

const installed = 'apt-get update -qq && apt-get install -y -qq --no-install-recommends';

/** What bash prints that runs this as root on a bare Debian, with these files in /shared; skips the test if that cannot be. */
async function onBareDebian(t, suite, files, script) {
  const shared = folder(t);
  for (const path of files) cpSync(path, join(shared, path.split('/').at(-1)));
  const { status, stdout, stderr } = await bareDebian(suite, shared, script);
  if (status === 77) {
    t.skip(stderr.trim());
    return undefined;
  }
  assert.equal(status, 0, stdout + stderr);
  return stdout;
}

/** The numbers of `pattern` in a text, in MB: "1,005 MB", "12.3 kB". */
const megabytes = (text, pattern) => {
  const match = pattern.exec(text) ?? assert.fail(`${pattern} in: ${text}`);
  return match.slice(1).map((size) => Number.parseFloat(size.replace(',', '')) * (/kB$/.test(size) ? 1e-3 : /GB$/.test(size) ? 1e3 : 1));
};
/** Fails unless the two differ by less than a tenth, or by 1 MB. */
const near = (told, measured, what) => assert.ok(Math.abs(told - measured) <= Math.max(1, measured / 10), `${what}: told ${told} MB, measured ${measured} MB`);

packageTest('the sizes that scripts/package reports are those of what it downloads and installs', (t) => {
  if (process.env.SYMBOLS_PACKAGES) return t.skip('made elsewhere');
  const said = readFileSync(join(made, 'said'), 'utf8');
  const measured = Object.fromEntries(readFileSync(join(made, 'measured'), 'utf8').trim().split('\n').map((line) => [line.split(' ')[0], Number(line.split(' ')[1]) / 1e6]));
  const [download, disk] = megabytes(said, /installing Debian packages: .*\nsymbols: ([\d.,]+ [kMG]B) to download, ([\d.,]+ [kMG]B) on disk\n/);
  near(download, measured.apt_download, 'apt downloads');
  near(disk, measured.apt_disk, 'apt on disk');
  for (const one of ['scripts/servers', 'tests/npm', 'editors/vscode']) {
    const [toDownload, onDisk] = megabytes(readFileSync(join(project, 'scripts', 'packages.sh'), 'utf8'), new RegExp(`\\[${one}\\]='(\\d+) (\\d+)'`));
    near(onDisk, measured[one], `${one} on disk`);
    const { packages } = JSON.parse(readFileSync(join(project, one, 'package-lock.json'), 'utf8'));
    const kept = Object.values(packages).filter(({ integrity }) => integrity).map(({ integrity }) => {
      const hex = Buffer.from(integrity.split('-')[1], 'base64').toString('hex');
      return join(made, 'content-v2', integrity.split('-')[0], hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    });
    near(toDownload, kept.filter((path) => existsSync(path)).reduce((sum, path) => sum + statSync(path).size, 0) / 1e6, `${one} downloads`);
  }
});

packageTest('the advice of `symbols servers` for both TypeScripts, followed in order, leaves both', async (t) => {
  const output = await onBareDebian(t, 'bookworm', [archive(), fixture('geometry.ts')], `
    ${installed} nodejs npm ca-certificates >/dev/null 2>&1
    tar -xzf /shared/*.tar.gz -C /opt
    symbols=$(echo /opt/*/bin/symbols)
    $symbols servers | sed -n 's/^  typescript.* \\(npm install .*[^ ]\\)  *\\.ts .*/\\1/p' >advice
    cat advice
    bash -e advice >/dev/null 2>&1
    mkdir project && cp /shared/geometry.ts project && cd project
    for server in typescript typescript-language-server; do $symbols --server $server --no-hover geometry.ts | sed "s/^/$server /"; done`);
  if (output === undefined) return;
  assert.equal(output.match(/^npm install/gm)?.length, 2, output);
  assert.match(output, /^typescript calculateArea \| 12 \| /m);
  assert.match(output, /^typescript-language-server calculateArea \| 12 \| /m);
});

// All files but those of apt and dpkg themselves, and what reading manual pages keeps.
const allFiles = "find / -xdev -path /shared -prune -o -path /proc -prune -o -path /dev -prune -o -path /tmp -prune -o -path '/var/lib/apt/*' " +
  "-prune -o -path '/var/cache/*' -prune -o -path '/var/log/*' -prune -o -path '/var/lib/dpkg/*' -prune -o -print | sort";

for (const [suite, clangd] of [['bookworm', 'clangd-19'], ['trixie', 'clangd-19']]) {
  packageTest(`the .deb on a bare Debian, ${suite}: installed, used, removed without a trace`, async (t) => {
    const output = await onBareDebian(t, suite, [deb(), fixture('geometry.cpp')], `
      ${installed} ${clangd} man-db zsh fish bash-completion >/dev/null 2>&1
      dpkg --get-selections | cut -f1 >/tmp/packages
      ${allFiles} >/tmp/before
      cd && cp /shared/geometry.cpp .
      apt-get install -y -qq --no-install-recommends /shared/*.deb >/dev/null 2>&1
      symbols geometry.cpp >table
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
    assert.match(output, /^calculate_area \| 12 \| /m);
    assert.match(output, /^programs 1 [1-9]/m);
    assert.match(output, / symbols +- +Prints +the +symbols +of +source +files/);
    assert.match(output, / symbols-find - Find symbols of a project by name/);
    assert.match(output, /^bash opencode$/m);
    assert.match(output, /^fish opencode$/m);
    assert.match(output, /^zsh _symbols \/usr\/share\/zsh\/vendor-completions\/_symbols$/m);
    assert.match(output, /^no trace$/m);
  });

  packageTest(`the static program on a bare Debian, ${suite}, and nowhere but in its folder`, async (t) => {
    const output = await onBareDebian(t, suite, [archive(), fixture('geometry.cpp')], `
      ${installed} ${clangd} man-db >/dev/null 2>&1
      tar -xzf /shared/*.tar.gz -C /opt
      cd && cp /shared/geometry.cpp .
      /opt/*/bin/symbols geometry.cpp
      man -l /opt/*/share/man/man1/symbols.1 | grep -c 'files'`);
    if (output !== undefined) assert.match(output, /^calculate_area \| 12 \| /m);
  });
}

packageTest('the program of the .deb is hardened as the one that is built here', (t) => {
  const at = folder(t);
  execFileSync('dpkg-deb', ['-x', deb(), at]);
  execFileSync('bash', [hardening, join(at, 'usr/bin/symbols')]);
});

const hardening = join(here, '../scripts/hardening_test.sh');
const reply = JSON.stringify([{ name: 'a', kind: 12, range: { start: { line: 0, character: 0 }, end: { line: 1, character: 1 } },
  selectionRange: { start: { line: 0, character: 5 }, end: { line: 0, character: 6 } } }]);
const convert = ['convert', '--from', 'json', '--to', 'table'];
const converted = 'NAME | KIND | RANGE | SELECTION | PARENT\na | 12 | 0:0-1:1 | 0:5-6 | \n';

packageTest('the static program has under 6 MB, and runs where there is no other file', async (t) => {
  const at = folder(t);
  execFileSync('tar', ['-xzf', archive(), '-C', at, '--strip-components=2', '--wildcards', '*/bin/symbols']);
  assert.ok(statSync(join(at, 'symbols')).size < 6e6, `${statSync(join(at, 'symbols')).size} bytes`);
  // With the path of the build in it, no other machine could make the same program.
  assert.equal(/\w+\/proxy\/\w+\/\w+\.cc\0/.exec(readFileSync(join(at, 'symbols'), 'latin1'))?.[0], undefined);
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

packageTest('the npm package: options, standard input, exit status and signals reach the program and come back', async (t) => {
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

packageTest('the npm package with the Node.js of a bare Debian 12', async (t) => {
  const output = await onBareDebian(t, 'bookworm', [npmTarball(), fixture('geometry.cpp')], `
    ${installed} nodejs npm clangd-19 >/dev/null 2>&1
    node --version
    mkdir /tmp/p && cd /tmp/p && npm install --offline --ignore-scripts --no-audit --no-fund /shared/*.tgz >/dev/null 2>&1
    cp /shared/geometry.cpp . && npx --offline symbols-lsp geometry.cpp`);
  if (output === undefined) return;
  assert.match(output, /^v18\./m);
  assert.match(output, /^calculate_area \| 12 \| /m);
});

/** Whether anybody may execute this file of a zip archive. */
const mayBeRun = (path, file) =>
  execFileSync('python3', ['-c', 'import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).getinfo(sys.argv[2]).external_attr >> 16 & 0o111 == 0o111)', path, file], { encoding: 'utf8' }) === 'True\n';

packageTest('the extension of VS Code brings a program that can be run', async (t) => {
  const at = folder(t);
  assert.ok(mayBeRun(vsix(), 'extension/bin/symbols'));
  unzip(vsix(), at);
  assert.match(readFileSync(join(at, 'extension.vsixmanifest'), 'utf8'), new RegExp(`TargetPlatform="linux-${process.arch}"`));
});

packageTest('the bundle for MCP clients starts a server for the folders that were chosen; server.json has its checksum', async (t) => {
  const at = folder(t);
  unzip(mcpb(), at);
  assert.ok(mayBeRun(mcpb(), 'symbols'));
  const { version: stated, server } = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'));
  assert.equal(stated, version);
  const program = server.mcp_config.command.replace('${__dirname}', at);
  assert.equal(program, join(at, server.entry_point));
  chmodSync(program, 0o755);
  const chosen = [folder(t), folder(t)];
  const input = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'a', version: '1' } } });
  const { stdout, stderr } = await run(server.mcp_config.args.flatMap((word) => (word === '${user_config.folders}' ? chosen : [word])), { program, input: `${input}\n` });
  assert.equal(JSON.parse(stdout).result.serverInfo.version, version, stderr);
  const { name, packages } = JSON.parse(readFileSync(join(dist, 'server.json'), 'utf8'));
  assert.equal(packages[1].fileSha256, createHash('sha256').update(readFileSync(mcpb())).digest('hex'));
  assert.equal(packages[1].identifier.split('/').at(-1), mcpb().split('/').at(-1));
  const { mcpName, repository } = JSON.parse(readFileSync(join(npmInstalled(t), 'node_modules', 'symbols-lsp', 'package.json'), 'utf8'));
  assert.deepEqual([mcpName, repository.url], [name, 'git+https://github.com/example/symbols.git']);
});

packageTest('each package has its checksum beside it', () => {
  const sums = readdirSync(dist).filter((name) => name.endsWith('.sha256'));
  assert.equal(sums.length, 6, String(sums));
  execFileSync('sha256sum', ['--check', '--quiet', ...sums], { cwd: dist });
});

packageTest('each package has the notices of the libraries that are compiled or linked into it', (t) => {
  const inDeb = ['boost1.81', 'rapidjson', 'fmtlib', 'cli11', 're2', 'xxhash'];
  const inStatic = [...inDeb, 'md4c', 'sqlite3', 'gcc-12', 'glibc'];
  const packages = [
    [deb(), 'usr/share/doc/symbols/', inDeb, (path, at) => execFileSync('dpkg-deb', ['-x', path, at])],
    [archive(), 'share/doc/symbols/', inStatic, (path, at) => execFileSync('tar', ['-xzf', path, '-C', at, '--strip-components=1'])],
    [npmTarball(), '', inStatic, (path, at) => execFileSync('tar', ['-xzf', path, '-C', at, '--strip-components=1'])],
    [vsix(), 'extension/', ['vscode-jsonrpc', ...inStatic], unzip],
    [mcpb(), '', inStatic, unzip],
  ];
  for (const [path, place, libraries, extract] of packages) {
    const at = folder(t);
    extract(path, at);
    const [, ...notices] = readFileSync(join(at, place, 'THIRD-PARTY-NOTICES.txt'), 'utf8').split(/^===== (?=.* =====$)/m);
    assert.deepEqual(notices.map((notice) => notice.split(' ')[0]).sort(), [...libraries].sort(), path);
    for (const notice of notices) assert.match(notice, /copyright[^]*(licen[cs]e|permission|public-domain)/i, path);
  }
});

packageTest('recipes name the sources by their checksum, and are what their readers can read', async (t) => {
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
    if (isInstalled(program)) execFileSync(program, args, { stdio: 'pipe' });
    else t.diagnostic(`${program} is not here`);
  }
});

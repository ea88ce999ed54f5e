// A confined server has no network, writes only to a folder made for it, and reaches no file or process of the user otherwise: the
// servers of projects that are not trusted, and all with --confine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync, mkdirSync, openSync, readFileSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { kernelWithout, landlock, seccomp } from './kernel_without.mjs';
import { frame } from './lsp_stream.mjs';
import { openInServer } from './plain_client.mjs';
import { cells, eventually, folder, isInstalled, marked, printed, proxied, quietly, quoted, run, serversFolder, start } from './program.mjs';

// What the kernel can do, asked without the program under test: whether it has seccomp, and what the system call says of Landlock's
// version, which has this number everywhere.
const hasSeccomp = ['x64', 'arm64'].includes(process.arch) && /^Seccomp:/m.test(readFileSync('/proc/self/status', 'utf8'));
const askLandlock = 'import ctypes; print(ctypes.CDLL(None, use_errno=True).syscall(444, None, ctypes.c_size_t(0), 1))';
const asked = spawnSync('python3', ['-c', askLandlock], { encoding: 'utf8' });
const landlockVersion = Math.max(0, Number(asked.stdout));
const signalsRefused = landlockVersion >= 6;
const whole = landlockVersion > 0 && hasSeccomp;
const options = whole ? {} : { skip: 'this kernel has not both of Landlock and seccomp' };
const reaches = signalsRefused ? 'EPERM' : 'done';  // signals to other processes

test('symbols doctor says what this kernel can do', async (t) => {
  const { stdout } = await run(['doctor', '-f', 'json', folder(t)]);
  const { condition, text } = JSON.parse(stdout).findings.find(({ subject }) => subject === 'kernel');
  assert.equal(/keeps servers from writing/.test(text), landlockVersion > 0, text);
  assert.equal(/ and from the network \(seccomp\)/.test(text), whole, text);
  assert.equal(condition, whole && signalsRefused ? 'ok' : 'note');
});

const confined = {
  TCP: 'EACCES', UDP: 'EACCES', 'Unix socket': 'EACCES', 'abstract Unix socket': 'EACCES', write: 'EACCES', chmod: 'EPERM', utimes: 'done',
  signal: reaches, environment: 'EACCES', 'own file': 'done', 'own process': 'done',
};
const free = Object.fromEntries(Object.keys(confined).map((what) => [what, 'done']));

/** What the hostile server aims at: listeners of the test, a file of the user; and what it does besides. */
async function targets(t, besides = {}) {
  const place = folder(t, { 'home/keys': 'mine', 'project/a.x': 'text\n', 'tmp/.keep': '' });
  rmSync(join(place, 'tmp/.keep'));
  const reached = [];
  const listen = (name, where) => new Promise((resolve) => {
    const server = createServer((socket) => { reached.push(name); socket.on('error', () => {}).resume(); });
    t.after(() => server.close());
    server.listen(where, () => resolve(server.address()));
  });
  const abstract = `\0symbols-test-${process.pid}-${place}`;
  const { port: tcp } = await listen('TCP', { port: 0, host: '127.0.0.1' });
  await listen('Unix socket', { path: join(place, 'home/socket') });
  await listen('abstract Unix socket', { path: abstract });
  const datagrams = createSocket('udp4', () => reached.push('UDP'));
  t.after(() => datagrams.close());
  await new Promise((resolve) => datagrams.bind(0, '127.0.0.1', resolve));
  const signalled = () => reached.push('signal');
  process.on('SIGUSR2', signalled);
  t.after(() => process.off('SIGUSR2', signalled));
  const aim = { tcp, udp: datagrams.address().port, unix: join(place, 'home/socket'), abstract, write: join(place, 'home/written'),
    file: join(place, 'home/keys'), pid: process.pid, ...besides };
  return {
    place, reached, cwd: join(place, 'project'), file: join(place, 'project/a.x'), tmp: join(place, 'tmp'),
    env: { TMPDIR: join(place, 'tmp') },
    command: [process.execPath, join(dirname(fileURLToPath(import.meta.url)), 'hostile_server.mjs'), JSON.stringify(aim)],
    /** Fails unless what the server says of itself is true. */
    async check(results) {
      const succeeded = (what) => results[what] === 'done';
      const network = ['TCP', 'UDP', 'Unix socket', 'abstract Unix socket', ...(reaches === 'done' ? [] : ['signal'])].filter(succeeded);
      await eventually(() => network.every((what) => reached.includes(what)));
      assert.deepEqual(reached.filter((what) => !succeeded(what)), []);
      assert.equal(existsSync(aim.write), succeeded('write'));
      assert.equal((statSync(aim.file).mode & 0o777) === 0o666, succeeded('chmod'));
      // Where it is confined, the call does nothing, and says that it is done.
      assert.equal(results.utimes, 'done');
      assert.equal(statSync(aim.file).mtimeMs === 1000, succeeded('chmod'));
    },
  };
}

/** { client, ...attempts } of names as the hostile server gives them. */
const resultsOf = (names) => Object.fromEntries(names.map((name) => name.split(': ')));

for (const [args, expected, settings] of [
  [[], confined],
  [['--confine'], confined, { SYMBOLS_CONFINE: 'false' }],
  [['--trust-project'], confined, { SYMBOLS_CONFINE: 'true' }],
  [['--trust-project'], free],
  [['--no-confine'], free],
  [[], free, { SYMBOLS_CONFINE: 'false' }],
]) {
  const title = [...Object.entries(settings ?? {}).map((setting) => setting.join('=')), 'symbols', ...args].join(' ');
  test(`${title}: the server ${expected === confined ? 'reaches nothing' : 'may do what the user may'}`, options, async (t) => {
    const { command, cwd, env, tmp, check } = await targets(t);
    const stdout = await quietly([...args, '-H', '--language', 'x', '--server', quoted(command), 'a.x'], { cwd, env: { ...env, ...settings } });
    const { client, ...results } = resultsOf(cells(stdout).map(([name]) => name));
    assert.deepEqual(results, expected);
    await check(results);
    // It asks by signal 0 whether that process is there, and would end.
    assert.equal(client === 'null', expected === confined);
    assert.deepEqual(readdirSync(tmp).filter((name) => name.startsWith('symbols-')), []);
  });
}

test('context, index, doctor and mcp confine their servers too', options, async (t) => {
  const { command, cwd, env, reached } = await targets(t);
  const config = folder(t, { 'symbols/servers.json': JSON.stringify({ servers: [{ name: 'hostile', command, languages: [{ id: 'x', extensions: ['.x'] }] }] }) });
  const call = { name: 'outline', arguments: { paths: ['a.x'] } };
  const messages = [{ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } },
    { method: 'notifications/initialized' }, { id: 2, method: 'tools/call', params: call }];
  const input = messages.map((message) => JSON.stringify({ jsonrpc: '2.0', ...message }) + '\n').join('');
  for (const args of [['context', 'a.x:1'], ['index', '--rebuild'], ['doctor'], ['mcp']]) {
    const ask = (flag) => run([...args, flag], { cwd, input, env: { ...env, XDG_CONFIG_HOME: config, XDG_CACHE_HOME: join(env.TMPDIR, 'cache') } });
    await ask('--confine');
    assert.deepEqual(reached.splice(0), [], args[0]);
    await ask('--no-confine');
    await eventually(() => reached.includes('TCP'), undefined, () => `${args[0]} --no-confine starts the server`);
    reached.splice(0);
  }
});

test('a project cannot lift its own confinement', options, async (t) => {
  const { command, cwd, env, reached } = await targets(t);
  writeFileSync(join(cwd, '.symbols.json'), '{"confine": false}');
  const { status, stderr } = await run(['--language', 'x', '--server', quoted(command), 'a.x'], { cwd, env });
  assert.equal(status, 2);
  assert.match(stderr, /confine cannot be set by a project/);
  assert.deepEqual(reached, []);
});

for (const [args, expected] of [[['--confine', '--restart'], confined], [[], free]]) {
  test(`${['symbols proxy', ...args].join(' ')}: the server ${expected === confined ? 'reaches nothing' : 'may do what the user may'}`, options, async (t) => {
    const { command, file, tmp, check } = await targets(t);
    const [program, ...words] = ['env', `TMPDIR=${tmp}`, ...proxied(['--format', 'standard', ...args], command)];
    const session = await openInServer(program, words, file, 'x');
    t.after(session.finish);
    const ask = async () => {
      const { result } = await session.request('textDocument/documentSymbol', { textDocument: { uri: session.uri } });
      return result && resultsOf(result.map(({ name }) => name));
    };
    const { client, ...results } = await ask();
    assert.deepEqual(results, expected);
    assert.equal(client === 'null', expected === confined);
    await check(results);
    if (!args.includes('--restart')) return;
    const before = readdirSync(tmp);
    session.notify('test/crash', {});
    const again = await eventually(ask);
    assert.deepEqual({ ...again }, { client, ...expected });
    const after = readdirSync(tmp);
    assert.equal(after.length, 1);
    assert.notDeepEqual(after, before, 'the folder of a server that has crashed goes with it');
  });
}

// What the server does first is tried on its standard error; the last that it writes there comes right before its death.
const lastWords = 'mine \u001b[31m\u00e9\n';
const errorServer = (attempt) => [process.execPath, '-e', `const fs = require('node:fs'), { spawnSync } = require('node:child_process');
  try { ${attempt} } catch {}
  fs.writeSync(2, ${JSON.stringify(lastWords)});
  process.kill(process.pid, 'SIGKILL');`];

for (const args of [['--confine'], []]) {
  test(`${['symbols proxy', ...args].join(' ')}: the log at its standard error ${args.length ? 'keeps' : 'may lose'} what was in it`, options, async (t) => {
    const log = join(folder(t, { log: 'before\n' }), 'log');
    const child = start(['proxy', ...args, '--', ...errorServer('fs.ftruncateSync(2);')], { stdio: ['pipe', 'pipe', openSync(log, 'a')] });
    await child.finished;
    assert.equal(readFileSync(log, 'utf8'), (args.length ? 'before\n' : '') + lastWords);
  });
  test(`${['symbols proxy', ...args].join(' ')}: the terminal at its standard error ${args.length ? 'stays as it was' : 'obeys the server'}`, options, async () => {
    const proxy = quoted(proxied(args, errorServer(`spawnSync('sh', ['-c', 'trap "" TTOU; stty -echo'], { stdio: [2, 'ignore', 'ignore'] });`)));
    const { stdout } = await start(['-qec', `${proxy} </dev/null >/dev/null; stty -a`, '/dev/null'], { program: 'script' }).finished;
    assert.equal(/ echo /.test(stdout), args.length > 0, stdout);
    assert.equal(stdout.includes('mine \\x1B[31m\u00e9'), args.length > 0, stdout);
  });
}

test('of a server that fails it is said that it was confined', options, async (t) => {
  const input = frame(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
  for (const [args, advice] of [[['--confine'], true], [[], false]]) {
    const { stdout } = await start(['proxy', ...args, '--', 'sh', '-c', 'read line; exit 3'], { input }).finished;
    assert.equal(/it was confined: try it without --confine/.test(stdout), advice, stdout);
  }
  const cwd = folder(t, { 'a.x': 'text\n' });
  for (const [args, advice] of [[[], true], [['--no-confine'], false]]) {
    const { stderr } = await run([...args, '--language', 'x', '--server', "sh -c 'exit 3'", 'a.x'], { cwd });
    assert.match(stderr, /run the command by itself/);
    assert.equal(/it was confined: try --no-confine/.test(stderr), advice, stderr);
  }
});

for (const args of [['--confine'], ['--no-confine']]) {
  test(`symbols ${args}: what a server starts in a session of its own ${args[0] === '--confine' ? 'ends with it' : 'is not ended with it'}`, options, async (t) => {
    const { command, cwd, env } = await targets(t, { leave: true });
    const mark = marked();
    t.after(mark.kill);
    const stdout = await printed([...args, '-H', '--language', 'x', '--server', quoted(command), 'a.x'], { cwd, env: { ...env, ...mark.env } });
    assert.equal(resultsOf(cells(stdout).map(([name]) => name)).leave, 'done');
    if (args[0] === '--confine') await mark.noneLeft();
    else await eventually(() => mark.pids().length === 1);
  });
}

// With --trust-project typescript-language-server runs the project's own TypeScript: code that a stranger may have written.
for (const args of [['--trust-project'], ['--trust-project', '--confine']]) {
  test(`a hostile TypeScript in the project, symbols ${args.join(' ')}`, options, async (t) => {
    const { cwd, command, reached, env } = await targets(t);
    const { tcp, write: written } = JSON.parse(command.at(-1));
    const real = join(serversFolder, 'node_modules/typescript');
    const lib = join(cwd, 'node_modules/typescript/lib');
    mkdirSync(lib, { recursive: true });
    writeFileSync(join(lib, '../package.json'), readFileSync(join(real, 'package.json')));
    writeFileSync(join(lib, 'tsserver.js'), `
      try { require('fs').writeFileSync(${JSON.stringify(written)}, 'stolen'); } catch {}
      require('net').connect(${tcp}, '127.0.0.1').on('error', () => {});
      require(${JSON.stringify(join(real, 'lib/tsserver.js'))});\n`);
    writeFileSync(join(cwd, 'a.ts'), 'export function area(width: number): number { return width; }\n');
    writeFileSync(join(cwd, 'package.json'), '{}');
    const stdout = await quietly([...args, '--server', 'typescript-language-server', 'a.ts'], { cwd, env });
    assert.match(stdout, /function area\(width: number\): number/);
    if (args.includes('--confine')) {
      assert.deepEqual([existsSync(written), reached], [false, []]);
    } else {
      await eventually(() => reached.includes('TCP') && existsSync(written));
    }
  });
}

test("Go's caches are kept for each project, apart from the user's", { skip: options.skip || (!['gopls', 'go'].every(isInstalled) && 'it needs gopls and go') }, async (t) => {
  const place = folder(t, Object.fromEntries(['a', 'b', 'c'].flatMap((name) => [
    [`${name}/go.mod`, 'module example.com/x\n\ngo 1.19\n'], [`${name}/x.go`, 'package x\n\nimport "strings"\n\nvar X strings.Builder\n'],
  ])));
  const env = { XDG_CACHE_HOME: join(place, 'cache'), GOCACHE: join(place, 'mine'), GOPLSCACHE: join(place, 'mine') };
  const kept = join(place, 'cache/symbols/caches');
  const projects = () => readdirSync(kept).map((name) => readlinkSync(join(kept, name, 'copied-from'))).sort();
  for (const name of ['a', 'b', 'a']) assert.match(await quietly(['x.go'], { cwd: join(place, name), env }), /var X strings\.Builder/);
  assert.deepEqual(projects(), [join(place, 'a'), join(place, 'b')]);
  for (const name of readdirSync(kept)) assert.ok(readdirSync(join(kept, name, 'GOCACHE')).length > 0);
  assert.equal(existsSync(join(place, 'mine')), false);
  rmSync(join(place, 'a'), { recursive: true });
  await quietly(['x.go'], { cwd: join(place, 'c'), env });
  assert.deepEqual(projects(), [join(place, 'b'), join(place, 'c')]);
});

const lacking = { Landlock: [landlock, /this system lacks Landlock \(Linux 5\.13\)/], seccomp: [seccomp, /this system lacks seccomp filters/] };
for (const [what, [calls, says]] of Object.entries(lacking)) {
  test(`without ${what} --confine is refused, and the default goes on`, async (t) => {
    const environment = kernelWithout(t, calls);
    if (!environment) return t.skip('no C compiler, or a sanitizer');
    const cwd = folder(t, { 'a.cpp': 'int area(int width);\n' });
    for (const [args, code] of [[['--confine', 'a.cpp'], 2], [['context', '--confine', 'a.cpp:1'], 2], [['index', '--confine'], 2], [['mcp', '--confine'], 2]]) {
      const { status, stdout, stderr } = await run(args, { cwd, env: { ...environment, XDG_CACHE_HOME: join(cwd, 'cache') } });
      assert.deepEqual([status, stdout], [code, ''], args.join(' '));
      assert.match(stderr, says);
      assert.match(stderr, /leave --confine out/);
    }
    const input = frame(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} }));
    const { status, stdout, stderr } = await start(['proxy', '--confine', '--', 'clangd'], { cwd, input, env: environment }).finished;
    assert.equal(status, 126);
    assert.match(stderr, says);
    assert.match(stdout, says);
    const answer = await run(['a.cpp'], { cwd, env: environment });
    assert.deepEqual([answer.status, answer.stderr], [0, '']);
    assert.match(answer.stdout, /int area\(int width\)/);
  });
}

// --warm: servers stay between one call and the next, and a warm answer is the cold one.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { eventually, fakeServer, fixture, folder, isRunning, killAll, run, scripted, start, symbolsPath } from './program.mjs';
import { editAtRandom, isMissing, kinds, rounds, warmProject } from './warm_project.mjs';

const typescript = { 'tsconfig.json': '{}', 'a.ts': 'export const one = 1;\n', 'b.ts': "import { one } from './a';\nexport const two = one;\n" };
const cpp = { 'compile_flags.txt': '-std=c++20\n', 'h.h': '#pragma once\n#define NAME one\n', 'c.cpp': '#include "h.h"\nint NAME();\n' };

test('the answer of each format, of files, folders and errors is the cold one; the second is given by the same server', async (t) => {
  const project = warmProject(t, { ...typescript, 'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8') });
  for (const format of ['table', 'tree', 'outline', 'tsv', 'toon', 'packed', 'json', 'pretty']) await project.same('--format', format, 'geometry.ts');
  const [server] = project.servers();
  for (const args of [['--verbosity', 'minimal', '.'], ['--verbosity', 'signatures', '--format', 'tree', 'geometry.ts'], ['--kind', 'Class', '--color', 'always', '.'],
    ['--match', '^R', 'a.ts', './geometry.ts'], ['--max-tokens', '100', '.'], ['--no-hover', 'a.ts'], ['a.ts', 'none.ts'], ['none'], [join(project.cwd, 'b.ts')]]) {
    await project.same(...args);
  }
  assert.ok(project.servers().includes(server), 'the first server is still there');
  assert.match(await project.kept(), /^typescript for \/.*: documents open: 3, answers kept: \d+, memory: \d+ MiB; stops in \d+ s$/m);
  // From another folder, names are those that were given there.
  const { stdout } = await project.call(['--warm', '--format', 'tree', './a.ts', 'none.ts'], { cwd: project.cwd });
  assert.match(stdout, /==> \.\/a\.ts <==/);
});

// Of each project: the file that is asked about (its tree), and what of the answer is right after each change. `keeps`: one server takes the
// first so many of them without a restart.
const numbersAndTexts = /const two: (\(string \| number\)|\(number \| string\))\[\]/;
const changes = {
  'the file itself, a file that it imports, new, renamed and removed files, configuration: TypeScript': {
    files: typescript, asked: 'b.ts', keeps: 4, steps: [
      [() => {}, /const two: 1/],
      [({ write }) => write('a.ts', 'export const one = "text";\n'), /const two: "text"/],
      [({ write }) => write('b.ts', "import { one } from './a';\n\nexport const two = [one];\n"), /const two: string\[\]/],
      [({ rename }) => rename('a.ts', 'c.ts'), /const two: any/],
      [({ write }) => write('a/index.ts', 'export const one = true;\n'), /const two: boolean\[\]/],
      [({ write }) => write('tsconfig.json', '{"compilerOptions":{"paths":{"./a":["./c"]}}}'), /two/],
      [({ cwd }) => rmSync(join(cwd, 'b.ts')), /^$/],
    ],
  },
  'the file itself, a header, the compile flags: clangd': {
    files: cpp, asked: 'c.cpp', keeps: 3, steps: [
      [() => {}, /^ f2 one:/m],
      [({ write }) => write('c.cpp', '#include "h.h"\n\nint NAME();\nint other();\n'), /other/],
      [({ write }) => write('h.h', '#pragma once\n#define NAME two\n'), /^ f3 two:/m],
      [({ write }) => write('compile_flags.txt', '-std=c++20\n-Dother=changed\n'), /changed/],
    ],
  },
  'what links out of the project lead to: files, folders, nothing yet, folders that are replaced from above': {
    files: { 'tsconfig.json': '{}', 'b.ts': "import { one } from './lib';\nimport { three } from './linked';\nimport { far } from './far/far';\nexport const two = [one, three, far];\n" },
    outside: { 'above/lib/index.ts': 'export const one = 1;\n', 'file.ts': 'export const three = 3;\n' },
    links: { lib: 'above/lib', 'linked.ts': 'file.ts', far: 'nowhere' },
    asked: 'b.ts', keeps: 0, steps: [
      [() => {}, /const two: any\[\]/],
      [({ writeOutside }) => writeOutside('nowhere/far.ts', 'export const far = 1;\n'), /const two: number\[\]/],
      [({ writeOutside }) => writeOutside('file.ts', 'export const three = "a";\n'), numbersAndTexts],
      [({ writeOutside, outside }) => {
        renameSync(join(outside, 'above'), join(outside, 'before'));
        writeOutside('above/lib/index.ts', 'export const one = "a";\n');
        writeOutside('nowhere/far.ts', 'export const far = "a";\n');
      }, /const two: string\[\]/],
    ],
  },
  'packages of a workspace that use each other, and a folder that is renamed': {
    files: { '.git/HEAD': '', 'package.json': '{"workspaces": ["packages/*"]}',
      'packages/one/package.json': '{"name": "one", "types": "index.ts"}', 'packages/one/index.ts': 'export const one = 1;\n',
      'packages/two/tsconfig.json': '{}', 'packages/two/src/near.ts': 'export const near = 1;\n', 'node_modules/.keep': '',
      'packages/two/b.ts': "import { one } from 'one';\nimport { far } from '../far/far';\nimport { near } from './lib/near';\nexport const two = [one, far, near];\n",
      'packages/far/far.ts': 'export const far = 1;\n' },
    links: { 'node_modules/one': '../packages/one' },
    asked: 'packages/two/b.ts', keeps: 0, steps: [
      [() => {}, /const two: any\[\]/],
      [({ rename }) => rename('packages/two/src', 'packages/two/lib'), /const two: number\[\]/],
      [({ write }) => write('packages/two/lib/near.ts', 'export const near = "a";\n'), numbersAndTexts],
      [({ write }) => write('packages/one/index.ts', 'export const one = "a";\n'), numbersAndTexts],
      [({ write }) => write('packages/far/far.ts', 'export const far = "a";\n'), /const two: string\[\]/],
    ],
  },
};
for (const [what, { files, outside: elsewhere, links = {}, asked, keeps, steps }] of Object.entries(changes)) {
  test(`what changes: ${what}`, async (t) => {
    const outside = folder(t, elsewhere);
    const project = warmProject(t, files);
    const { cwd } = project;
    for (const [link, to] of Object.entries(links)) symlinkSync(to.startsWith('..') ? to : join(outside, to), join(cwd, link));
    const writeIn = (place) => (name, text) => {
      mkdirSync(dirname(join(place, name)), { recursive: true });
      writeFileSync(join(place, name), text);
    };
    const place = { cwd, outside, write: writeIn(cwd), writeOutside: writeIn(outside), rename: (from, to) => renameSync(join(cwd, from), join(cwd, to)) };
    let server;
    for (const [i, [change, says]] of steps.entries()) {
      change(place);
      assert.match((await project.same('--format', 'tree', asked)).stdout, says);
      server ??= project.servers()[0];
      if (i < keeps) assert.ok(isRunning(server), 'the server takes this without a restart');
    }
  });
}

test('a kept server that is killed is started anew for the next question, as often as that happens', async (t) => {
  const project = warmProject(t, { ...typescript, ...cpp });
  for (const [file, line] of [['b.ts', /const two: 1/], ['c.cpp', /^ f2 one:/m]]) {
    for (let i = 0; i < 3; ++i) {
      project.write(file, `${readFileSync(join(project.cwd, file), 'utf8')}\n`);  // so that no answer is kept
      assert.match((await project.same('--format', 'tree', file)).stdout, line);
      const servers = project.servers();
      assert.ok(servers.length > 0, 'a new server');
      await killAll(servers);  // the keeper may have started others: after a change it asks again
    }
    assert.ok(project.keeper(), 'the keeper stays');
  }
});

test('what was asked before is asked again after a change, before anybody asks', async (t) => {
  const project = warmProject(t, typescript);
  const answers = async () => Number(/answers kept: (\d+)/.exec(await project.kept())?.[1]);
  await project.warm('--format', 'tree', 'b.ts');
  await project.warm('--format', 'tsv', 'a.ts');
  assert.equal(await answers(), 2);
  project.write('a.ts', 'export const one = "text";\n');
  await eventually(async () => await answers() === 2);
  assert.match((await project.same('--format', 'tree', 'b.ts')).stdout, /const two: "text"/);
  // Also where the server had to be started anew.
  project.write('tsconfig.json', '{"compilerOptions": {"strict": true}}');
  await eventually(async () => await answers() === 2);
  await project.same('--format', 'tree', 'b.ts');
  assert.equal((await project.call(['warm', '--stop'])).stdout, 'stopped\n');
  await project.mark.noneLeft();
});

for (const server of Object.keys(kinds)) {
  test(`random edits, with files renamed, added and removed and commits checked out: ${server}`, { skip: isMissing(server) }, (t) =>
    editAtRandom(t, server, rounds, (project, name) => project.same('--format', 'tree', name)));
}

test('a project that cannot be watched whole, and what a server says when it likes, are answered cold', async (t) => {
  const project = warmProject(t, typescript);
  mkdirSync(join(project.cwd, ...Array(300).fill('d')), { recursive: true });
  await project.same('a.ts');
  assert.match(await project.kept(), /nothing is kept for .*: .*\/d\/d\/.* lies more than 256 folders deep/);
  await eventually(() => project.servers().length === 0);
  const before = project.mark.pids().length;
  await project.same('--include', 'diagnostics:5', 'a.ts', 'b.ts');
  assert.equal((await run(['--warm', '--language', 'typescript', '-'], { cwd: project.cwd, env: project.env, input: 'let a;' })).status, 0);
  await project.same('--log', '/dev/null', 'a.ts');
  assert.equal(project.mark.pids().length, before);
});

test('the environment chooses the keeper; what a shell sets for itself does not', async (t) => {
  const project = warmProject(t, typescript);
  await project.warm('a.ts');
  await project.call(['--warm', 'a.ts'], { env: { ...project.env, COLUMNS: '40', SHLVL: '7' } });
  const keepers = () => project.commands().filter((words) => words.includes('--serve')).length;
  assert.equal(keepers(), 1);
  await project.call(['--warm', 'a.ts'], { env: { ...project.env, SOME_SETTING: '1' } });
  assert.equal(keepers(), 2);
  for (let i = 0; i < 10; ++i) {
    assert.equal((await project.call(['--warm', 'a.ts'], { env: { ...project.env, EACH_TIME: String(i) } })).status, 0);
  }
  assert.equal(keepers(), 8);
  assert.equal((await project.call(['warm', '--stop'])).stdout, 'stopped\n');
  await project.mark.noneLeft();
  assert.equal((await project.call(['warm', '--stop'])).stdout, 'nothing is kept\n');
  assert.deepEqual(readdirSync(project.folder).filter((name) => name.endsWith('.socket')), []);
});

test('SYMBOLS_WARM and config.json ask for it too, --no-warm does not', async (t) => {
  const project = warmProject(t, typescript);
  await project.call(['--no-warm', 'a.ts'], { env: { ...project.env, SYMBOLS_WARM: '1' } });
  assert.equal(project.keeper(), undefined);
  await project.call(['a.ts'], { env: { ...project.env, SYMBOLS_WARM: '1' } });
  assert.ok(project.keeper());
  await project.call(['warm', '--stop']);
  await project.mark.noneLeft();
  const config = folder(t, { 'symbols/config.json': '{"warm": true}' });
  await project.call(['a.ts'], { env: { ...project.env, XDG_CONFIG_HOME: config } });
  assert.ok(project.keeper());
});

test('what config.json says is part of the question: after a change the answer is another', async (t) => {
  const project = warmProject(t, typescript);
  const home = folder(t, { 'symbols/config.json': '{}' });
  project.env.XDG_CONFIG_HOME = home;
  const kept = await project.same('a.ts');
  for (const settings of ['{"verbosity": "minimal"}', '{"include_hover": false}', '{}']) {
    writeFileSync(join(home, 'symbols/config.json'), settings);
    const answer = await project.same('a.ts');
    assert.equal(answer.status, 0, answer.stderr);
    assert.equal(answer.stdout === kept.stdout, settings === '{}', settings);
  }
});

test('100 calls at once, of files, folders and questions, each get their own answer', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`d${i % 4}/f${i}.ts`, `/** Number ${i} */\nexport const v${i} = ${i};\n`]));
  const project = warmProject(t, { 'tsconfig.json': '{}', ...files });
  const paths = [...Object.keys(files), 'd0', 'd1', 'd2', 'd3', '.'];
  const calls = Array.from({ length: 100 }, (_, i) => ['--format', ['tree', 'table', 'outline', 'tsv'][i % 4], paths[i % 25]]);
  const right = new Map();
  for (const words of calls.slice(0, 100)) if (!right.has(`${words}`)) right.set(`${words}`, await project.cold(...words));
  const answers = await Promise.all(calls.map((words) => project.warm(...words)));
  for (const [i, answer] of answers.entries()) assert.deepEqual(answer, right.get(`${calls[i]}`), `${calls[i]}`);
  assert.equal(project.commands().filter((words) => words.includes('--serve')).length, 1);
});

test('limits that a user sets: memory, servers, idle time; in the end nothing runs', async (t) => {
  const project = warmProject(t, { ...typescript, ...cpp });
  Object.assign(project.env, { SYMBOLS_WARM_SERVERS: '1' });
  await project.same('a.ts');
  await project.same('c.cpp');
  await eventually(() => project.servers().length === 1);
  assert.match(await project.kept(), /^clangd for [^\n]*\n$/);
  await project.call(['warm', '--stop']);
  Object.assign(project.env, { SYMBOLS_WARM_SERVERS: '', SYMBOLS_WARM_MEMORY: '1' });
  await project.same('a.ts');
  await eventually(() => project.servers().length === 0);
  assert.equal(await project.kept(), 'nothing is kept\n');
  await project.call(['warm', '--stop']);
  Object.assign(project.env, { SYMBOLS_WARM_MEMORY: '', SYMBOLS_WARM_IDLE: '1' });
  await project.same('a.ts');
  await project.mark.noneLeft();
});

test('a server that grows is restarted in the middle of a folder, and the answer is the same', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`f${i}.ts`, `export const v${i} = ${i};\n`]));
  const project = warmProject(t, { 'tsconfig.json': '{}', ...files });
  const log = join(folder(t, {}), 'log');
  const starts = async (memory) => {
    const answer = await project.call(['--log', log, '.'], { env: { ...project.env, SYMBOLS_SERVER_MEMORY: memory } });
    const count = readFileSync(log, 'utf8').split('"method":"initialize"').length - 1;
    rmSync(log);
    return [answer, count];
  };
  const [answer, once] = await starts('');
  const [again, several] = await starts('1');
  assert.deepEqual([once, several], [1, 3]);
  assert.deepEqual(again, answer);
});

test('a keeper that is killed or stopped: nobody gets a wrong answer', async (t) => {
  const project = warmProject(t, typescript);
  const right = (await project.cold('a.ts')).stdout;
  await project.warm('a.ts');
  process.kill(project.keeper(), 'SIGKILL');
  assert.equal((await project.warm('a.ts')).stdout, right);  // the socket of the dead one is there
  await eventually(async () => (await project.warm('a.ts')).stdout === right && project.keeper() !== undefined);
  process.kill(project.keeper(), 'SIGSTOP');
  const stopped = project.keeper();
  assert.equal((await project.warm('a.ts')).stdout, right);
  process.kill(stopped, 'SIGCONT');
  await project.same('.');
});

/** A call in the middle of its answer, which comes once `goOn()` is called. */
async function midAnswer(t) {
  const project = warmProject(t, { 'a.txt': 'alpha\n beta\n' });
  const go = join(project.runtime, 'go');
  const args = [...scripted('busy-until', go), '--language', 'x', 'a.txt'];
  const call = start(['--warm', ...args], project);
  await eventually(() => existsSync(`${go}.asked`));
  return { project, args, call, goOn: () => writeFileSync(go, '') };
}

for (const end of ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'symbols warm --stop']) {
  test(`a daemon that ends by ${end} in the middle of an answer: the call answers by itself`, async (t) => {
    const { project, args, call, goOn } = await midAnswer(t);
    if (end.startsWith('SIG')) process.kill(project.keeper(), end);
    else await project.call(['warm', '--stop']);
    goOn();
    const answer = await call.finished;
    assert.match(answer.stdout, /beta/);
    assert.deepEqual(answer, await project.cold(...args));
  });
}

for (const signal of ['SIGINT', 'SIGKILL']) {
  test(`${signal} ends the call as ever, in the middle of an answer, and the server answers the next one`, async (t) => {
    const { project, args, call, goOn } = await midAnswer(t);
    call.kill(signal);
    assert.equal((await call.finished).signal, signal);
    const [server] = project.servers();
    goOn();
    assert.match((await project.same(...args)).stdout, /beta/);
    assert.ok(project.servers().includes(server));
  });
}

test('a server that met a full disk does not stay, nor do its answers', async (t) => {
  const project = warmProject(t, { 'a.txt': 'alpha\n beta\n' });
  const full = join(folder(t), 'full');
  const args = ['--server', fakeServer('disk-full', full), '--language', 'x', 'a.txt'];
  writeFileSync(full, '');
  assert.doesNotMatch((await project.same(...args)).stdout, /hover of/);
  rmSync(full);
  assert.match((await project.same(...args)).stdout, /hover of beta/);
});

test('a kept server that has no hover for a file any more is started anew', async (t) => {
  const project = warmProject(t, { 'a.txt': 'alpha\nbeta\n' });
  const args = [...scripted('loses-its-project'), '--language', 'x', 'a.txt'];
  for (const text of ['alpha\nbeta\n', 'gamma\ndelta\n', 'alpha\n']) {
    project.write('a.txt', text);
    const { stdout, stderr } = await project.same(...args);
    assert.deepEqual([stdout.match(/hover of/g).length, stderr], [text.split('\n').length - 1, '']);
  }
});

test('a runtime folder that others may enter, that cannot be made, or whose socket answers nothing: cold', async (t) => {
  const project = warmProject(t, typescript);
  const { stdout } = await project.cold('a.ts');
  const answer = async (runtime) => {
    const { status, stdout: warm, stderr } = await project.call(['--warm', 'a.ts'], { env: { ...project.env, XDG_RUNTIME_DIR: runtime } });
    assert.deepEqual([status, warm, stderr], [0, stdout, '']);
    assert.equal(project.keeper(), undefined);
  };
  const open = folder(t, {});
  mkdirSync(join(open, 'symbols'), { mode: 0o777 });
  chmodSync(join(open, 'symbols'), 0o777);
  await answer(open);
  await answer('/nonexistent');
  await answer('/dev/full');
  // Somebody listens on the socket and says nothing that is known.
  await project.warm('a.ts');
  const [name] = readdirSync(project.folder).filter((entry) => entry.endsWith('.socket'));
  await project.call(['warm', '--stop']);
  await project.mark.noneLeft();
  const stranger = createServer((connection) => connection.end('??????????????????')).listen(join(project.folder, name));
  t.after(() => stranger.close());
  await answer(project.env.XDG_RUNTIME_DIR);
});

test('a reader that goes ends the call by SIGPIPE', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}.ts`, `export const v = ${i};\nlet x;\n`]));
  const project = warmProject(t, { 'tsconfig.json': '{}', ...files });
  const { stdout } = await run(['-c', '"$0" --warm . | true; echo "${PIPESTATUS[0]}"', symbolsPath], { program: 'bash', cwd: project.cwd, env: project.env });
  assert.equal(stdout, '141\n');
  await project.same('.');
});

// --warm: changes that inotify does not tell, and projects that are removed, moved and replaced; the answer is always that of now.
// SYMBOLS_WARM_CHANGES makes so many at random, SYMBOLS_WARM_SEED chooses which.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { linkSync, mkdirSync, renameSync, rmSync, statfsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { folder, run, symbolsPath } from './program.mjs';
import { below, warmProject } from './warm_project.mjs';

// What a file says is in the answer about another one, which includes it and stays as it is.
const languages = {
  TypeScript: { main: 'b.ts', other: 'a.ts', says: (n) => `export const one = ${n};\n`, answers: (n) => `const two: ${n}\n`,
    rest: { 'tsconfig.json': '{}', 'b.ts': "import { one } from './a';\nexport const two = one;\n" } },
  'C++': { main: 'c.cpp', other: 'h.h', says: (n) => `#pragma once\n#define NAME n${n}\n`, answers: (n) => ` n${n}:`,
    rest: { 'compile_flags.txt': '-std=c++20\n', 'c.cpp': '#include "h.h"\nint NAME();\n' } },
};

/** Writes through memory, by a process that keeps the file mapped. */
function mapper(t) {
  const child = spawn('python3', ['-c', `
import mmap, sys
kept = []
for line in sys.stdin:
    path, text = eval(line)
    file = open(path, 'r+b')
    kept[:] = kept[-9:] + [(file, mmap.mmap(file.fileno(), 0))]
    kept[-1][1][:] = text.encode()
    kept[-1][1].flush()
    print('written', flush=True)
`], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (path, text) => {
    child.stdin.write(`${JSON.stringify([path, text])}\n`);
    assert.deepEqual(await lines.next(), { value: 'written', done: false });
  };
}

// A tmpfs gives what is written through memory no time: docs/warm.md.
const tmpfs = 0x01021994;

for (const [language, { main, other, says, answers, rest }] of Object.entries(languages)) {
  test(`changes of every kind: ${language}`, async (t) => {
    const parent = folder(t, {});
    const project = warmProject(t, {});
    const cwd = join(parent, 'project');
    const path = join(cwd, other);
    let made = 0;
    const make = (where, n) => {
      mkdirSync(where);
      for (const [name, text] of Object.entries({ ...rest, [other]: says(n) })) writeFileSync(join(where, name), text);
    };
    const ask = () => project.call(['--warm', '--format', 'tree', main], { cwd });
    const writeMapped = mapper(t);
    let standing;
    const stand = () => {
      standing?.kill();
      standing = spawn('sleep', ['1d'], { cwd });
    };
    t.after(() => standing?.kill());

    const changes = {
      write: (n) => writeFileSync(path, says(n)),
      'write and write again behind a question': async (n) => {
        writeFileSync(path, says(n - 1));
        const answer = ask();
        writeFileSync(path, says(n));
        await answer;
      },
      'put another in its place': (n) => {
        writeFileSync(`${path}.new`, says(n));
        renameSync(`${path}.new`, path);
      },
      'remove and write': (n) => {
        rmSync(path);
        writeFileSync(path, says(n));
      },
      'write by a hard link outside': (n) => {
        rmSync(join(parent, 'linked'), { force: true });
        linkSync(path, join(parent, 'linked'));
        writeFileSync(join(parent, 'linked'), says(n));
      },
      'remove the project and make it again, with a process in it': (n) => {
        stand();
        rmSync(cwd, { recursive: true });
        make(cwd, n);
      },
      'move the project away, write, and move it back': (n) => {
        renameSync(cwd, join(parent, 'away'));
        writeFileSync(join(parent, 'away', other), says(n));
        renameSync(join(parent, 'away'), cwd);
      },
      'put a link to another in the place of the project, with a process in it': (n) => {
        stand();
        const real = join(parent, `real${++made}`);
        make(real, n);
        renameSync(cwd, join(parent, `before${made}`));
        symlinkSync(real, cwd);
      },
      'move a folder above the project away, and make it again': (n) => {
        const aside = `${parent}.${++made}`;
        renameSync(parent, aside);
        mkdirSync(parent);
        make(cwd, n);
        rmSync(aside, { recursive: true });
      },
    };
    if (statfsSync(parent).type !== tmpfs && spawnSync('python3', ['--version']).status === 0)
      changes['write through memory'] = (n) => writeMapped(path, says(n));

    make(cwd, 100_000);
    assert.ok((await ask()).stdout.includes(answers(100_000)));
    assert.match(await project.kept(), /answers kept: 1/);
    const names = Object.keys(changes);
    const atRandom = Number(process.env.SYMBOLS_WARM_CHANGES ?? 0);
    const rounds = atRandom || 2 * names.length;
    for (let i = 0, n = 100_002; i < rounds; ++i, n += 2) {
      const name = names[atRandom ? below(names.length) : i % names.length];
      await changes[name](n);
      const { stdout, stderr } = await ask();
      assert.ok(stdout.includes(answers(n)), `${i}: ${name}: not ${n}:\n${stdout}${stderr}`);
      assert.ok(project.keeper());
    }
  });
}

const canMount = spawnSync('unshare', ['--mount', 'true']).status === 0;

test('a folder that is mounted over, and a call from another mount namespace', { skip: !canMount && 'it may not mount' }, async (t) => {
  const other = folder(t, { 'a.ts': "export const one = 'x';\n" });
  const project = warmProject(t, { 'tsconfig.json': '{}', 'b.ts': "import { one } from './lib/a';\nexport const two = one;\n", 'lib/a.ts': 'export const one = 1;\n' });
  assert.match((await project.same('--format', 'tree', 'b.ts')).stdout, /const two: 1/);
  const script = `set -eu
    ask() { "$SYMBOLS_PROGRAM" "$@" --format tree b.ts; }
    mount --bind '${other}' lib; ask --warm; ask
    umount lib; ask --warm
    mount --bind '${other}' lib; ask --warm`;
  const { stdout, stderr } = await run(['--mount', 'bash', '-c', script],
    { cwd: project.cwd, env: { ...project.env, SYMBOLS_PROGRAM: symbolsPath }, program: 'unshare' });
  assert.deepEqual(stdout.match(/const two: .*/g), ['"x"', '"x"', '1', '"x"'].map((type) => `const two: ${type}`), stderr);
});

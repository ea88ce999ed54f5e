// A project with a keeper of its own (--warm), and random edits of one: a warm answer is the cold one after each.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dice, folder, isInstalled, marked, run, sourcesFolder, wordsOf } from './program.mjs';

/** A project of these files with a keeper of its own, which has ended, with its servers, when the test has. */
export function warmProject(t, files) {
  const cwd = folder(t, files);
  const runtime = folder(t, {});
  chmodSync(runtime, 0o700);
  const mark = marked();
  const env = { ...mark.env, XDG_RUNTIME_DIR: runtime, SYMBOLS_WARM: '' };
  t.after(() => mark.kill());
  const call = (args, options) => run(args, { cwd, env, ...options });
  const commands = () => mark.pids().map(wordsOf);
  const keeper = () => mark.pids().find((pid) => wordsOf(pid).includes('--serve'));
  return {
    cwd, env, call, commands, keeper, mark, runtime, folder: join(runtime, 'symbols'),
    warm: (...args) => call(['--warm', ...args]),
    cold: (...args) => call(args),
    kept: async () => (await call(['warm'])).stdout,
    write: (name, text) => writeFileSync(join(cwd, name), text),
    servers: () => mark.pids().filter((pid) => pid !== keeper()),
    /** Asserts that the warm answer is the cold one, and gives it. */
    async same(...args) {
      const answer = await call(['--warm', ...args]);
      assert.deepEqual(answer, await call(args), args.join(' '));
      return answer;
    },
  };
}

let draw;  // anew for each test, so that each can run by itself with the same edits
export const below = (end) => draw(end);
/** For each server; scripts/test --all makes more. */
export const rounds = Number(process.env.SYMBOLS_WARM_EDITS ?? 6);
export const kinds = {
  TypeScript: { type: () => ['number', 'string', '{ x: boolean }'][below(3)], name: (i) => `m${i}.ts`, first: { 'tsconfig.json': '{}' },
    text: (i, type, other) => `${other === i ? '' : `import { f${other} } from './m${other}';\n`}/** Text ${below(100)} */\nexport function f${i}(a: ${type}) { return ${other === i ? 'a' : `f${other}`}; }\nclass K${below(9)} { x = f${i}; }\n` },
  clangd: { type: () => ['int', 'long', 'double'][below(3)], name: (i) => (i < 3 ? `h${i}.h` : `s${i}.cpp`), first: { 'compile_flags.txt': '-std=c++20\n' },
    // Lines move, so that no place that was true before is taken for one that is true now.
    text: (i, type, other) => {
      const headers = [...new Set([other % 3, below(3)])].filter((header) => header < Math.min(i, 3));
      return `#pragma once\n${headers.map((header) => `#include "h${header}.h"\n`).join('')}using T${i} = ${headers.length ? `T${headers[0]}` : type};\n/// Text ${below(100)}\n`
        + `inline T${i} g${i}() { return {}; }\n${headers.map((header) => `${'\n'.repeat(below(3))}inline auto u${i}${header}() { return g${header}(); }\n`).join('')}struct S${below(9)} { T${i} x; };\n`;
    } },
  pyright: { type: () => ['int', 'str', 'list[bool]'][below(3)], name: (i) => `m${i}.py`, first: { 'pyrightconfig.json': '{}' },
    text: (i, type, other) => `${other === i ? '' : `from m${other} import f${other}\n`}\ndef f${i}(a: ${type}):\n    """Text ${below(100)}"""\n    return ${other === i ? 'a' : `f${other}`}\n\nclass K${below(9)}:\n    x = f${i}\n` },
  gopls: { type: () => ['int', 'string', '[]bool'][below(3)], name: (i) => `m${i}.go`, first: { 'go.mod': 'module example.com/m\n\ngo 1.19\n' },
    text: (i, type, other) => `package m\n\n// Text ${below(100)}\nfunc F${i}(a ${type}) ${type} { return a }\n\nvar V${i} = ${other === i ? 'F' : 'V'}${other}\n\ntype K${i} struct{ X ${type} }\n` },
};

/** Why there are no edits with this server; false if there are. */
export const isMissing = (server) =>
  server === 'gopls' && !['gopls', 'go'].every(isInstalled) && 'it needs gopls and go';

/** Makes so many edits of a project for that server, with two commits, and after each one asks about a file of it: `ask(project, name, i)`. */
export async function editAtRandom(t, server, count, ask, more = () => ({})) {
  draw = dice(Number(process.env.SYMBOLS_WARM_SEED ?? 1));
  const { type, name, text, first } = kinds[server];
  const project = warmProject(t, first);
  for (const [path, content] of Object.entries(more(project.cwd))) project.write(path, content);
  project.env.PATH = `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}`;
  const git = (...args) => assert.equal(spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=e', ...args], { cwd: project.cwd }).status, 0, args.join(' '));
  const all = [0, 1, 2, 3, 4, 5];
  const fresh = (i) => text(i, type(), below(6));
  git('init', '-q');
  for (const commit of ['one', 'two']) {
    for (const i of all) project.write(name(i), fresh(i));
    if (commit === 'two') rmSync(join(project.cwd, name(below(6))));
    git('add', '-A');
    git('commit', '-qm', commit);
    git('branch', commit);
  }
  for (let round = 0; round < count; ++round) {
    const i = below(6);
    const path = join(project.cwd, name(i));
    const what = below(12);
    if (what < 7) {
      writeFileSync(path, fresh(i));
    } else if (what === 7) {
      writeFileSync(`${path}.new`, fresh(i));
      renameSync(`${path}.new`, path);
    } else if (what === 8) {
      rmSync(path, { force: true });
    } else if (what === 9) {
      mkdirSync(join(project.cwd, `d${below(2)}`), { recursive: true });
      writeFileSync(join(project.cwd, `d${below(2)}`.replace(/d\d/, (d) => (existsSync(join(project.cwd, d)) ? d : '.')), name(i)), fresh(i));
    } else if (what === 10) {
      if (existsSync(path)) renameSync(path, join(project.cwd, name(below(6))));
    } else {
      git('checkout', '-qf', ['one', 'two'][below(2)]);
    }
    const asked = below(6);
    await ask(project, name(asked), asked);
  }
}

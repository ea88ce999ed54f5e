// C and C++ projects as they are cloned, without a compilation database: clangd finds the project's own headers all the same.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ownEnvironment } from './language_servers.mjs';
import { folder, run } from './program.mjs';

const cloned = {
  '.git/HEAD': '',
  'CMakeLists.txt': 'project(store CXX)\nset(CMAKE_CXX_STANDARD 17)\nif(WIN32)\n  set(STORE_SYSTEM STORE_WINDOWS)\nelse()\n  set(STORE_SYSTEM STORE_POSIX)\nendif()\ntarget_compile_definitions(store PRIVATE ${STORE_SYSTEM}=1)\n',
  'include/store/slice.h': '#pragma once\nnamespace store {\nclass Slice {};\n}\n',
  'include/store/status.h': '#pragma once\n#include <store/slice.h>\nnamespace store {\nstruct Status { explicit Status(Slice text) : text_(text) {} Slice text_; };\n}\n',
  'util/mutex.h': '#pragma once\n#if STORE_POSIX\nstruct Mutex {};\n#endif\n',
  'db/write.h': '#pragma once\n#include "store/status.h"\nstore::Status Check(store::Slice key);\n',
  'db/write.cc': '#include "db/write.h"\n#include "util/mutex.h"\nstore::Status Put(store::Slice key, Mutex* lock) { return Check(key); }\n',
};
const put = /store::Status Put\(store::Slice key, Mutex \*lock\)/;

const project = (t, files = {}) => ({ cwd: folder(t, { ...cloned, ...files }), env: ownEnvironment(t) });
const signatures = (...paths) => ['--verbosity', 'signatures', ...paths];

test('a file, a header, a folder and a symbol', async (t) => {
  const { cwd, env } = project(t);
  for (const args of [signatures('db/write.cc'), signatures('.'), ['context', 'db/write.cc', 'Put']]) {
    const { status, stdout, stderr } = await run(args, { cwd, env });
    assert.equal(status, 0, args.join(' '));
    assert.doesNotMatch(stderr, /may be wrong/, args.join(' '));
    assert.match(stdout, put, args.join(' '));
  }
  const { stdout, stderr } = await run(signatures('db/write.h'), { cwd, env });
  assert.equal(stderr, '');
  assert.match(stdout, /store::Status Check\(store::Slice key\)/);
});

test('references in files that are not open, and nothing is written into the project', async (t) => {
  const { cwd, env } = project(t, { 'tools/copy.cc': '#include <store/slice.h>\nstore::Slice copied;\n' });
  t.after(() => run(['warm', '--stop'], { env }));
  env.XDG_CONFIG_HOME = folder(t, { 'clangd/config.yaml': 'Index:\n  StandardLibrary: No\n' });
  const before = readdirSync(cwd, { recursive: true });
  for (const more of [[], ['--no-confine'], ['--trust-project'], ['--warm']]) {
    const { stdout, stderr } = await run(['context', 'include/store/slice.h', 'Slice', ...more], { cwd, env });
    assert.equal(stderr, '', more.join(' '));
    assert.match(stdout, /\n# references 5, by guessed flags\n/, more.join(' '));
    assert.deepEqual(readdirSync(cwd, { recursive: true }), before);
  }
});

test('the index asks again where a header that was found so has changed', async (t) => {
  const { cwd, env } = project(t);
  assert.match((await run(['index'], { cwd, env })).stdout, / 5 asked, 0 kept/);
  assert.match((await run(['index'], { cwd, env })).stdout, / 0 asked, 5 kept/);
  writeFileSync(join(cwd, 'include/store/status.h'), `${cloned['include/store/status.h']}// changed\n`);
  assert.match((await run(['index'], { cwd, env })).stdout, / 3 asked, 2 kept/);
});

test('servers that stay follow the changes', async (t) => {
  const { cwd, env } = project(t);
  t.after(() => run(['warm', '--stop'], { env }));
  const both = async (what) => {
    const cold = await run(signatures('db/write.cc'), { cwd, env });
    assert.deepEqual(await run(['--warm', ...signatures('db/write.cc')], { cwd, env }), cold, what);
    return cold;
  };
  assert.match((await both('at first')).stdout, put);
  mkdirSync(join(cwd, 'public'));
  renameSync(join(cwd, 'include/store'), join(cwd, 'public/store'));
  assert.match((await both('a folder renamed')).stdout, put);
  rmSync(join(cwd, 'util/mutex.h'));
  assert.match((await both('a header removed')).stderr, /'util\/mutex\.h' file not found/);
  writeFileSync(join(cwd, 'util/mutex.h'), cloned['util/mutex.h']);
  writeFileSync(join(cwd, 'CMakeLists.txt'), '');
  assert.match((await both('no definitions')).stderr, /Unknown type name 'Mutex'/);
});

// Where the database is, and of which checkout its commands are.
const elsewhere = '/nowhere/store';
for (const [where, root] of [['out'], ['build/debug'], ['.', elsewhere], ['build', elsewhere]]) {
  test(`a database ${root ? 'of another checkout, ' : ''}in ${where}`, async (t) => {
    const { cwd, env } = project(t, { 'db/write.cc': `${cloned['db/write.cc']}#ifdef BY_DATABASE\nint by_database;\n#endif\n` });
    const at = root ?? cwd;
    const command = `c++ -I${at} -I${at}/include -DSTORE_POSIX -DBY_DATABASE -c ${at}/db/write.cc`;
    mkdirSync(join(cwd, where), { recursive: true });
    writeFileSync(join(cwd, where, 'compile_commands.json'), JSON.stringify([{ directory: at, file: `${at}/db/write.cc`, command }]));
    for (const args of [signatures('db/write.cc'), ['context', 'db/write.cc', 'by_database'], ['--no-confine', ...signatures('db/write.cc')], ['--trust-project', ...signatures('db/write.cc')]]) {
      const { stdout, stderr } = await run(args, { cwd, env });
      assert.equal(stderr, '', args.join(' '));
      assert.match(stdout, /by_database/, args.join(' '));
      if (args[0] === 'context') assert.doesNotMatch(stdout, /open files only/);
    }
    if (!root) return;
    assert.match((await run(['index'], { cwd, env })).stdout, / 5 asked, 0 kept/);
    writeFileSync(join(cwd, 'include/store/slice.h'), `${cloned['include/store/slice.h']}// changed\n`);
    assert.match((await run(['index'], { cwd, env })).stdout, / [45] asked, /, 'its headers are known');
  });
}

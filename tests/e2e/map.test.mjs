// `symbols map`: from a real index, what it shows of each language, and that nothing stale is ever shown.
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, run, sourcesFolder } from './program.mjs';
import { ownEnvironment } from './language_servers.mjs';

async function indexed(t, files) {
  const cwd = folder(t, files);
  // With the project's own pyright.
  const env = { ...ownEnvironment(t), PATH: `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}` };
  const { status, stderr } = await run(['index', '--root', '.'], { cwd, env });
  assert.equal(status, 0, stderr);
  return { cwd, env, map: (args = [], options = {}) => run(['map', ...args], { cwd, env, ...options }) };
}

const typescript = {
  'package.json': '{}',
  'src/a.ts': 'import { used } from "./b";\nexport class Alpha { one() { used(); } two = 1; private three = 2 }\nconst hidden = 1;\nexport const plain = hidden;\n',
  'src/b.ts': 'export const rare = 1;\nexport function used() {}\nexport interface Shape { area: number }\nexport namespace N { export const inner = 1 }\n',
  'src/c.ts': 'import { used } from "./b";\nimport type { Shape } from "./b";\nused();\nfunction listed() {}\nexport { listed };\n',
};

test('TypeScript: names by how many files mention them, and members', async (t) => {
  const { map } = await indexed(t, typescript);
  const { stdout } = await map();
  assert.equal(stdout, 'src/\n a.ts: Alpha{one two three} plain hidden\n b.ts: used Shape{area} rare N{inner}\n c.ts: listed\n');
  assert.equal((await map(['src'])).stdout, stdout);
  assert.equal((await map(['.', '--tokenizer', 'digits'])).stdout, stdout);
});

test('C++ and Python', async (t) => {
  const { map } = await indexed(t, {
    'compile_flags.txt': '-xc++\n-Iinclude\n',
    'include/shape.h': 'namespace shapes {\nclass Other;\nclass Shape {\n public:\n  void draw();\n private:\n  int size_;\n};\nint count(const Shape&);\n}\n',
    'shape.cc': '#include "shape.h"\nnamespace shapes {\nstatic int helper() { return 1; }\nvoid Shape::draw() {}\nint count(const Shape&) { return helper(); }\n}\n',
    'py/tool.py': 'import os\n\ndef run(): pass\n\ndef _private(): pass\n\nclass Tool:\n    def use(self): pass\n    def _off(self): pass\n',
  });
  const { stdout } = await map();
  assert.equal(stdout, './\n shape.cc: helper count\ninclude/\n shape.h: Shape{draw size_} count\npy/\n tool.py: Tool{use _off} run _private\n');
});

test('a file that has changed is left out, with a note', async (t) => {
  const { cwd, map } = await indexed(t, typescript);
  appendFileSync(join(cwd, 'src/a.ts'), 'export const late = 1;\n');
  const { status, stdout, stderr } = await map();
  assert.equal(status, 0);
  assert.ok(!stdout.includes('Alpha'), stdout);
  assert.match(stderr, /^symbols: note: 1 file changed since they were indexed; run symbols index\n$/);
});

test('paths can be used where the person is', async (t) => {
  const { cwd, env, map } = await indexed(t, typescript);
  assert.match((await map([], { cwd: join(cwd, 'src') })).stdout, /^\.\/\n a\.ts:/);
  assert.match((await map([cwd], { cwd: folder(t, {}) })).stdout, new RegExp(`^${cwd}/src/\n a\\.ts:`));
  assert.match((await map(['--root', cwd], { cwd: folder(t, {}), env })).stdout, new RegExp(`^${cwd}/src/\n`));
});

test('what is wrong is said', async (t) => {
  const { cwd, map } = await indexed(t, typescript);
  const fails = async (args, status, message, options) => {
    const done = await map(args, options);
    assert.deepEqual([done.status, done.stdout], [status, ''], done.stderr);
    assert.match(done.stderr, message);
  };
  await fails([], 1, /there is no index of .*; make one with: symbols index/, { cwd: folder(t, {}) });
  await fails(['--root', cwd, '/usr'], 2, /"\/usr" is not in the project/);
  await fails(['--root', cwd, 'src/a.ts'], 2, /"src\/a\.ts" is not a folder/);
  mkdirSync(join(cwd, 'empty'));
  await fails(['empty'], 1, /the index has no file in "empty"; make it with: symbols index/);
});

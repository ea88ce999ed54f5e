// `symbols context` finds references in the whole project, not in open files only: on real sources, against every line that has
// the word.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { folder, quietly, run, sourcesFolder } from './program.mjs';

const packages = join(sourcesFolder, 'node_modules');
const withServers = { PATH: `${join(packages, '.bin')}:${process.env.PATH}` };
const told = (program, ...args) => spawnSync(program, args, { encoding: 'utf8' }).stdout?.trim() ?? '';
const python = told('python3', '-c', 'import json, os; print(os.path.dirname(json.__file__))');
const go = told('which', 'gopls') && join(told('go', 'env', 'GOROOT'), 'src/encoding/csv');

// `declaration`: its line begins with it. `apart`: a line of an import that the server counts as a declaration, not as a reference.
for (const { name, from, mark, files, file, symbol, declaration, apart } of [
  {
    name: 'TypeScript: zod', from: join(packages, 'zod/src/v3'), mark: { 'tsconfig.json': '{}', 'package.json': '{}' }, files: /\.ts$/,
    file: 'helpers/parseUtil.ts', symbol: 'addIssueToContext', declaration: 'export function', apart: 'addIssueToContext,',
  },
  { name: 'Python: json', from: python, mark: { 'pyrightconfig.json': '{}' }, files: /\.py$/, file: 'decoder.py', symbol: 'JSONDecodeError', declaration: 'class' },
  { name: 'Go: encoding/csv', from: go, mark: { 'go.mod': 'module example.com/csv\n' }, files: /\.go$/, file: 'reader.go', symbol: 'validDelim', declaration: 'func' },
]) {
  test(name, { skip: !(from && existsSync(from)) && 'its sources or server are not on this machine' }, async (t) => {
    const cwd = folder(t, mark);
    cpSync(from, cwd, { recursive: true });
    const word = new RegExp(`(?<![\\w'"])${symbol}(?![\\w'"])`);
    const lines = readdirSync(cwd, { recursive: true }).filter((path) => files.test(path)).flatMap((path) =>
      readFileSync(join(cwd, path), 'utf8').split('\n').flatMap((line, i) => word.test(line) && !line.startsWith(`${declaration} ${symbol}`) && line.trim() !== apart ? [`${path}:${i}`] : []));
    assert.ok(lines.some((place) => !place.startsWith(`${file}:`)), 'in a file that is not open');
    const stdout = await quietly(['context', '--format', 'table', file, symbol, '--include', 'references:1000', '--timeout', '300s'], { cwd, env: withServers });
    const [, total, told, list] = /\n# references (\d+), (.*)\n([^#]*)\n#/.exec(stdout);
    assert.equal(told, 'whole project');
    const found = list.split('\n').flatMap((row) => {
      const [path, ranges] = row.split(' | ');
      return ranges.split(' ').map((range) => `${path.slice(cwd.length + 1)}:${range.split(':')[0]}`);
    });
    assert.equal(found.length, Number(total));
    // Servers differ in whether a name in quotes (Python's __all__) is one.
    const quoted = (place) => /['"]/.test(readFileSync(join(cwd, place.split(':')[0]), 'utf8').split('\n')[place.split(':')[1]].split(symbol)[0].slice(-1));
    assert.deepEqual([...new Set(found.filter((place) => !quoted(place)))].sort(), lines.sort());
  });
}

// A package, one that uses it, one that uses what that one exports again, and tests that its own project leaves out.
const workspace = {
  '.git/HEAD': '', 'package.json': '{"name": "all"}', 'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
  'packages/core/package.json': '{"name": "core", "types": "src/index.ts"}',
  'packages/core/src/index.ts': 'export function f() {\n  return 1;\n}\n',
  'packages/core/test/index.test.ts': "import * as core from '../src';\ncore.f();\n",
  'packages/middle/package.json': '{"name": "middle", "types": "src/index.ts", "dependencies": {"core": "workspace:*"}}',
  'packages/middle/src/index.ts': "export * from 'core';\n",
  'packages/far/package.json': '{"name": "far", "dependencies": {"middle": "workspace:*"}}',
  'packages/far/src/index.ts': "import * as all from 'middle';\nall.f();\n",
  ...Object.fromEntries(['core', 'middle', 'far'].map((name) => [`packages/${name}/tsconfig.json`,
    '{"compilerOptions": {"module": "commonjs"}, "include": ["src"]}'])),
};
for (const server of ['typescript', 'typescript-language-server']) {
  test(`${server}: the packages of a workspace that use the one in question, and its tests`, async (t) => {
    const cwd = folder(t, workspace);
    for (const name of ['core', 'middle']) {
      mkdirSync(join(cwd, 'node_modules'), { recursive: true });
      symlinkSync(`../packages/${name}`, join(cwd, 'node_modules', name));
    }
    const env = { ...withServers, XDG_RUNTIME_DIR: folder(t, {}) };
    t.after(() => run(['warm', '--stop'], { env }));
    const question = ['context', 'packages/core/src/index.ts', 'f', '--server', server, '--include', 'references:9,callers:0'];
    for (const args of [question, [...question, '--warm'], [...question, '--warm']]) {
      const { stdout, stderr } = await run(args, { cwd, env });
      assert.equal(stderr, '');
      assert.match(stdout, /^# references 2, whole project$/m);
      for (const file of ['core/test/index.test.ts', 'far/src/index.ts']) assert.ok(stdout.includes(`packages/${file}`), stdout);
    }
  });
}

test('Python: a package without a project file, from whichever folder', async (t) => {
  const cwd = folder(t, {
    'p/pkg/__init__.py': '', 'p/pkg/sub/__init__.py': '', 'p/pkg/sub/loader.py': 'def load():\n    return 1\n',
    'p/pkg/user.py': 'from pkg.sub.loader import load\n\n\ndef use():\n    return load()\n',
  });
  for (const [here, root] of [['p/pkg/sub', '../..'], ['p', 'this folder'], ['.', 'p']]) {
    const path = relative(join(cwd, here), join(cwd, 'p/pkg/sub/loader.py'));
    const { stdout } = await run(['context', path, 'load', '--include', 'callers:5'], { cwd: join(cwd, here), env: withServers });
    assert.ok(stdout.includes(`\n# callers 1, in ${root} only\nuse `), stdout);
  }
});

test('Python: files beside those that the project includes, of a variable with underscores too', async (t) => {
  const cwd = folder(t, {
    '.git/HEAD': '', 'pyproject.toml': '[tool.pyright]\ninclude = ["src"]\n', 'src/pkg/__init__.py': "__version__ = '1'\n\n\ndef size():\n    return 1\n",
    'docs/conf.py': 'import sys\nsys.path.insert(0, "../src")\nimport pkg\nrelease = pkg.__version__\nprint(pkg.size())\n',
  });
  for (const [name, line] of [['__version__', 4], ['size', 5]]) {
    const { stdout } = await run(['context', 'src/pkg/__init__.py', name], { cwd, env: withServers });
    assert.match(stdout, new RegExp(`^# references 1, whole project\ndocs/conf\\.py: ${line}$`, 'm'), name);
  }
});

test('TypeScript: what no server can see, and what may have another name, is not the whole project', async (t) => {
  const cwd = folder(t, {
    '.git/HEAD': '', 'tsconfig.json': '{}', 'a.ts': 'export function seen() {}\nexport function renamed() {}\nexport function shown() {}\n',
    'b.ts': "import { seen, renamed as other } from './a';\nseen();\nother();\n", 'c.vue': '<script>shown()</script>\n',
  });
  for (const [name, word] of [['seen', 'references 1, whole project'], ['renamed', 'references [12], loaded files only'], ['shown', 'references 0, loaded files only']]) {
    const { stdout } = await run(['context', 'a.ts', name], { cwd, env: withServers });
    assert.match(stdout, new RegExp(`^# ${word}$`, 'm'));
  }
});

test('TypeScript: a package that another one uses by its path', async (t) => {
  const cwd = folder(t, {
    '.git/HEAD': '', 'packages/core/tsconfig.json': '{}', 'packages/core/a.ts': 'export function used() {}\n', 'packages/app/tsconfig.json': '{}',
    'packages/app/b.ts': "import { used } from '../core/a';\nused();\n",
  });
  const context = async (...args) => (await run(['context', 'packages/core/a.ts', 'used', ...args], { cwd, env: withServers })).stdout;
  assert.match(await context(), /\n# references 1, whole project\n[^#]*# callers 1, whole project\n/);
  const callers = await context('--include', 'references:0');
  assert.match(callers, /\n# callers 1, whole project\n/);
  assert.doesNotMatch(callers, /# references/);
});

// A method of a class with a base, and uses of both.
for (const { name, files, place, uses, skip } of [
  {
    name: 'C++', place: 'square.cpp:2',
    files: {
      'base.h': '#pragma once\nstruct Shape {\n  virtual ~Shape() = default;\n  virtual double area() const;\n  virtual double area(int) const;\n};\nusing Alias = Shape;\n',
      'square.h': [
        '#pragma once', '#include "base.h"',
        'struct Other {', '  virtual double area() const;', '};',
        'template <class T> struct Of {', '  double area() const;', '};',
        'struct Round : virtual public Alias {', '  double area() const override;', '};',
        'struct Square final  // as Other', '    : public ::Round /* , Other */, private Of<Other> {', '  double area() const noexcept override;', '};', '',
      ].join('\n'),
      'square.cpp': '#include "square.h"\ndouble Square::area() const noexcept { return Round::area(); }\n',
      'use.cpp': '#include "square.h"\ndouble direct(const Square& square) { return square.area(); }\ndouble through(const Shape& shape, const Round& round) {\n  return shape.area() + shape.area(1) +\n         round.area();\n}\ndouble others(const Other& other, const Of<int>& of) { return other.area() + of.area(); }\n',
      'compile_commands.json': (cwd) => JSON.stringify(['square', 'use'].map((unit) => ({ directory: cwd, file: `${unit}.cpp`, command: `c++ -std=c++20 -c ${unit}.cpp` }))),
    },
    uses: [
      '# references 4, whole project', 'use.cpp: 2', 'use.cpp: 4 (names base.h:4)', 'square.cpp: 2 (names square.h:10)', 'use.cpp: 5 (names square.h:10)',
      '# callers 3, whole project', 'direct use.cpp:2: 2', 'through use.cpp:3: 5 (names square.h:10)', 'through use.cpp:3: 4 (names base.h:4)',
    ],
  },
  {
    name: 'Python', place: 'square.py:12',
    files: {
      'pyproject.toml': '',
      'base.py': 'import abc\n\n\nclass Shape(abc.ABC):\n    def area(self) -> float:\n        return 0.0\n\n\nclass Meta(type):\n    def area(self) -> float:\n        return 0.0\n',
      'square.py': 'import base\nfrom base import Shape as S\nfrom typing import Generic, TypeVar\n\nT = TypeVar("T")\n\nclass Round(S, metaclass=base.Meta): ...\n\n\nclass Square(Round,  # of (a: kind\n             Generic[T]):\n    def area(self) -> float:\n        return super().area()\n',
      'use.py': 'from base import Meta, Shape\nfrom square import Square\n\n\ndef direct(square: Square[int]) -> float:\n    return square.area()\n\n\ndef through(shape: Shape, either: Shape | Square[int], meta: Meta) -> float:\n    return shape.area() + either.area(\n    ) + meta.area()\n',
    },
    uses: [
      '# references 3, whole project', 'use.py: 6 10', 'use.py: 10 (names base.py:5)',
      '# callers 3, whole project', 'direct use.py:5: 6', 'through use.py:9: 10', 'through use.py:9: 10 (names base.py:5)',
    ],
  },
  {
    name: 'TypeScript', place: 'square.ts:4',
    files: {
      'tsconfig.json': '{}', 'package.json': '{}',
      'base.ts': 'export interface Shape {\n  area(unit?: number): number;\n}\n',
      'square.ts': "import { Shape } from './base';\nexport class Square implements Shape {\n  area(unit: number): number;\n  area(unit?: string | number): number {\n    return 1;\n  }\n}\n",
      'use.ts': "import { Shape } from './base';\nimport { Square } from './square';\nexport function direct(square: Square): number {\n  return square.area(1);\n}\nexport function through(shape: Shape, square: Square): number {\n  return shape.area() + square.area(2);\n}\n",
    },
    uses: ['# references 3, whole project', 'use.ts: 4 7', 'use.ts: 7 (names base.ts:2)', '# callers 3, whole project', 'direct use.ts:3: 4', 'through use.ts:6: 7', 'through use.ts:6: 7 (names base.ts:2)'],
  },
  {
    name: 'Go', place: 'square.go:5', skip: !go && 'gopls is not on this machine',
    files: {
      'go.mod': 'module example.com/shape\n\ngo 1.19\n',
      'base.go': 'package shape\n\ntype Shape interface {\n\tArea() float64\n}\n',
      'square.go': 'package shape\n\ntype Square struct{}\n\nfunc (s Square) Area() float64 { return 1 }\n',
      'use.go': 'package shape\n\nfunc direct(s Square) float64 { return s.Area() }\n\nfunc through(s Shape) float64 { return s.Area() }\n',
    },
    uses: ['# references 2, whole project', 'use.go: 3', 'use.go: 5 (names base.go:4)', '# callers 2, whole project', 'through use.go:5: 5 (names base.go:4)', 'direct use.go:3: 3'],
  },
]) {
  test(`${name}: uses that name the method of a base`, { skip }, async (t) => {
    const cwd = folder(t, { 'package.json': '' });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(cwd, path), typeof text === 'function' ? text(cwd) : text);
    const stdout = await quietly(['context', '--format', 'tree', place, '--include', 'source:0,diagnostics:0', '--no-hover', '--timeout', '300s'], { cwd, env: withServers });
    assert.deepEqual(stdout.trim().split('\n').slice(1).toSorted(), uses.toSorted());
  });
}

// A project in three languages for the tests of `symbols mcp`, and questions about it, with what the answers say.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownEnvironment } from './language_servers.mjs';
import { fixture, folder, serversFolder, sourcesFolder } from './program.mjs';

const python = 'import os\n\n\nclass Tool:\n    """A tool."""\n\n    def use(self, times: int) -> str:\n        return os.sep * times\n\n\ndef run() -> str:\n    return Tool().use("x")\n';

/** `cwd`, and an `env` with a cache of its own; `config`: more files of XDG_CONFIG_HOME. */
export const mcpProject = (t, config) => ({
  cwd: folder(t, {
    'package.json': '{}',
    'compile_flags.txt': '-std=c++20\n',
    'pyproject.toml': '',
    'src/geometry.ts': readFileSync(fixture('geometry.ts')),
    'src/geometry.cpp': readFileSync(fixture('geometry.cpp')),
    'py/tool.py': python,
  }),
  env: { ...ownEnvironment(t, config), PATH: `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}`, SYMBOLS_SERVERS_DIR: serversFolder },
});

export const toolNames = ['outline', 'find', 'context', 'map', 'impact', 'diagnostics', 'hover'];

export const questions = [
  ['outline', { paths: ['src/geometry.ts', 'src/geometry.cpp', 'py'] }, /^# 23 symbols: .*; \d levels\n/m],
  ['outline', { paths: 'src/geometry.cpp', verbosity: 'signatures', kind: ['Function'] }, /f10 calculate_area\(double, double\) -> double/],
  ['outline', { paths: ['src/geometry.cpp'], children: 'no' }, /^n2-32 geometry f34 main$/],
  ['outline', { paths: ['src/geometry.cpp'], children: '2' }, / f10 calculate_area /],
  ['outline', { paths: ['src/geometry.cpp'], children: 2 }, / f10 calculate_area /],
  ['outline', { paths: ['py/tool.py'], verbosity: 'full' }, /c4-8 Tool.*\tclass Tool\(\) - A tool\./],
  ['find', { query: 'Rectangle' }, /\nsrc\/geometry\.ts:28 \| Class \|  \| Rectangle/],
  ['find', { query: 'Tool.use', kind: ['Method'] }, /\npy\/tool\.py:7 \| Method \| Tool \| use$/],
  ['map', {}, /^py\/\n tool\.py: Tool\{use\b.*\nsrc\/\n geometry\.cpp: /],
  ['map', { folder: 'py', max_tokens: 200 }, /^py\/\n tool\.py: [^\n]*$/],
  ['context', { name: 'Rectangle' },
    /^c28-44 Rectangle.*\tclass Rectangle\n[^]*\n# source src\/geometry\.ts:28-44\n export class Rectangle[^]*\n# references 4, whole project\nsrc\/geometry\.ts: 15 33 41 42\n# callers 1, whole project\nscale src\/geometry\.ts:41: 42\n/],
  ['context', { path: 'py/tool.py', name: 'run', source: 0, references: 0 }, /\n# callers 0, whole project\n# diagnostics\n1 diagnostic:\n12:23 {2}error {2}Argument of type/],
  ['impact', { path: 'py/tool.py', line: 4 }, /^# 1 symbol in 1 file\npy\/tool\.py\n given c4 Tool.*\n# used in 1 line in 1 file, .*\npy\/tool\.py\n 12/],
  ['hover', { path: 'src/geometry.cpp', line: 10 }, /^f10 calculate_area.*\tdouble calculate_area\(double width, double height\) - Calculates the area of a rectangle\./],
  ['diagnostics', { paths: ['py/tool.py'] }, /^py\/tool\.py: 1 diagnostic:\n12:23 {2}error {2}Argument of type/],
  ['diagnostics', { paths: ['src/geometry.ts'] }, /^no diagnostics in 1 file$/],
];

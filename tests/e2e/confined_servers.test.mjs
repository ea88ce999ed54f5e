// Every server that scripts/setup --slow installs gives the same rows confined as not. Prints the table of docs/servers.md.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from './language_servers.mjs';
import { cells, folder, printed, project, serversFolder, sourcesFolder } from './program.mjs';

const folders = [serversFolder, sourcesFolder, join(project, 'tests/servers')].map((packages) => join(packages, 'node_modules/.bin'));
const PATH = [...folders, process.env.PATH].join(':');
const isInstalled = (program) => PATH.split(':').some((place) => existsSync(join(place, program)));

const cpp = '#include <string>\n\nstruct Pair {\n  std::string key;\n  int value = 0;\n};\nint sum(const Pair& one, const Pair& two) { return one.value + two.value; }\n';
const ts = 'export interface Shape { area(): number }\nexport class Square implements Shape {\n  constructor(readonly side: number) {}\n  area() { return this.side ** 2; }\n}\n';
const py = 'import os\n\nclass Place:\n    """A folder."""\n    def __init__(self, path: str) -> None:\n        self.path = path\n\n    def names(self) -> list[str]:\n        return os.listdir(self.path)\n';
const page = '<!DOCTYPE html>\n<html lang="en">\n<head><title>A page</title></head>\n<body><main id="all"><p class="first">Text</p></main></body>\n</html>\n';

// name of the server: its program, a file, its text, and other files of the folder.
const servers = {
  clangd: ['clangd-19', 'a.cpp', cpp],
  ccls: ['ccls', 'a.cpp', cpp],
  typescript: ['tsc', 'a.ts', ts],
  'typescript-language-server': ['typescript-language-server', 'a.ts', ts],
  pyright: ['pyright-langserver', 'a.py', py],
  basedpyright: ['basedpyright-langserver', 'a.py', py],
  pylsp: ['pylsp', 'a.py', py],
  gopls: ['gopls', 'a.go', 'package main\n\n// Sum adds.\nfunc Sum(a, b int) int { return a + b }\n\nfunc main() { println(Sum(1, 2)) }\n', { 'go.mod': 'module a\n\ngo 1.19\n' }],
  'bash-language-server': ['bash-language-server', 'a.sh', '#!/bin/bash\nname=world\ngreet() {\n  local what=$1\n  echo "hello $what"\n}\ngreet "$name"\n'],
  css: ['vscode-css-language-server', 'a.css', '.first { color: red; }\n@media print { .first { display: none; } }\n'],
  html: ['vscode-html-language-server', 'a.html', page],
  json: ['vscode-json-language-server', 'a.json', '{ "name": "a", "files": ["b", "c"], "more": { "deep": true } }\n'],
  'yaml-language-server': ['yaml-language-server', 'a.yaml', 'name: a\nsteps:\n  - run: make\n  - run: make test\n'],
  docker: ['docker-langserver', 'Dockerfile', 'FROM debian:12 AS base\nRUN apt-get update\nCOPY . /src\n'],
  fortls: ['fortls', 'a.f90', 'module shapes\ncontains\n  !> The area of a square.\n  function area(side) result(a)\n    real, intent(in) :: side\n    real :: a\n    a = side * side\n  end function area\nend module shapes\n'],
  intelephense: ['intelephense', 'a.php', '<?php\nnamespace Shapes;\n\n/** A square. */\nclass Square {\n    public function __construct(private float $side) {}\n    public function area(): float { return $this->side ** 2; }\n}\n'],
  svelte: ['svelteserver', 'a.svelte', '<script>\n  export let name = "world";\n  function greet() { return `hello ${name}`; }\n</script>\n<p class="first">{greet()}</p>\n'],
  'vim-language-server': ['vim-language-server', 'a.vim', 'let g:name = "world"\nfunction! Greet(what) abort\n  echo "hello " . a:what\nendfunction\n'],
};

for (const [name, [program, file, text, more = {}]] of Object.entries(servers)) {
  test(`${name} answers confined as it does otherwise`, { skip: !isInstalled(program) && `${program} is not here` }, async (t) => {
    const cwd = folder(t, { [file]: text, ...more });
    const home = folder(t, serverSettings);  // where an unconfined one may write
    const ask = async (...options) => {
      const stdout = await printed([...options, '--server', name, '--format', 'table', file], { cwd, env: { PATH, HOME: home, XDG_CONFIG_HOME: home } });
      return stdout;
    };
    const [free, confined] = [await ask('--no-confine', '--trust-project'), await ask('--confine')];
    assert.ok(cells(free).length > 0, free);
    t.diagnostic(`${name} | ${cells(confined).length} | ${cells(free).length}`);
    assert.equal(confined, free);
  });
}

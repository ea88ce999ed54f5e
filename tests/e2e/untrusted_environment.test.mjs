// No variable and no working folder has a server run what lies in the project. Each row is a program that is started as the server, and
// what of the user's environment would have it run a file of the project: which it does with --trust-project, to show that it would. Which
// variables are inherited, and which elements of lists: tests/proxy/servers/trust_boundary_test.cc.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { folder, isInstalled, run } from './program.mjs';

/** A project with a file that each of these languages would load. */
function trap(t) {
  const place = folder(t, { 'project/a.x': 'x\n', 'project/.git/HEAD': '', 'outside/.keep': '' });
  const project = join(place, 'project');
  const ran = join(project, 'ran');
  const shell = `#!/bin/sh\necho TRAP >&2\necho >>'${ran}'\nexit 1\n`;
  const python = `import sys\nprint("TRAP", file=sys.stderr)\nopen(${JSON.stringify(ran)}, "a").close()\n`;
  const texts = {
    'trap.sh': shell, 'trap.py': python, 'sitecustomize.py': python,
    'trap.js': `console.error('TRAP'); require('fs').appendFileSync(${JSON.stringify(ran)}, '');\n`,
    'trap.pm': `BEGIN { print STDERR "TRAP\\n"; open(my $file, '>>', '${ran}'); } 1;\n`,
    'trap.rb': `STDERR.puts 'TRAP'; File.write('${ran}', '')\n`,
    'bin/python': shell, 'git-trap': shell, cc1: shell, TRAP: shell,
    '.gitconfig': `[alias]\n\ttrap = !'${project}/trap.sh'\n`, 'git/config': `[alias]\n\ttrap = !'${project}/trap.sh'\n`,
    'go/a.go': 'package a\n', 'go/go.mod': 'module a\n', 'go.env': `GOFLAGS=-toolexec=${project}/trap.sh\n`,
    'a.cpp': 'int a;\n', 'compile_commands.json': JSON.stringify([{ directory: project, file: 'a.cpp', command: `${project}/TRAP -c a.cpp` }]),  // clangd names a compiler that fails
  };
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(project, name)), { recursive: true });
    writeFileSync(join(project, name), text);
    if (text === shell) chmodSync(join(project, name), 0o755);
  }
  return { project, ran, log: join(place, 'log') };
}

/** The interpreter, with these variables. */
const given = (server, env) => (place) => ({ server, env: typeof env === 'function' ? env(place) : env });
/** What the server starts itself, in the project's folder as gopls does. */
const inProject = (command, env, more = '') => (place) =>
  ({ server: `sh -c 'cd ${place.project} && ${more} ${command}'`, env: typeof env === 'function' ? env(place) : env });
const goes = (env) => inProject('go build ./...', env, 'export GOCACHE=${GOCACHE:-$PWD/../outside/cache}; cd go;');
const python = (value) => given(`python3 -c ''`, value);

const rows = {
  'the working folder: python3': ['python3', given(`python3 -c 'import trap'`, {})],
  'the working folder: sh': ['sh', given(`sh -c 'exec ./trap.sh'`, {})],
  PYTHONPATH: ['python3', python(({ project }) => ({ PYTHONPATH: `/x:${project}` }))],
  'CONDA_PREFIX': ['sh', given(`sh -c 'exec "$CONDA_PREFIX/bin/python"'`, ({ project }) => ({ CONDA_PREFIX: project }))],
  'NODE_OPTIONS': ['node', given(`node -e ''`, { NODE_OPTIONS: '--require ./trap.js' })],
  'NODE_PATH': ['node', given(`node -e 'require("trap")'`, ({ project }) => ({ NODE_PATH: project }))],
  'PERL5OPT': ['perl', given(`perl -e ''`, { PERL5OPT: '-I. -Mtrap' })],
  'RUBYOPT': ['ruby', given(`ruby -e ''`, { RUBYOPT: '-r./trap' })],
  // It says so on standard error when it takes an option from there.
  'JAVA_TOOL_OPTIONS': ['java', given('java -version', { JAVA_TOOL_OPTIONS: '-Dx=TRAP' })],
  'GOFLAGS': ['go', goes({ GOFLAGS: '-toolexec=../trap.sh' })],
  'GOENV': ['go', goes(({ project }) => ({ GOENV: join(project, 'go.env') }))],
  'GIT_EXEC_PATH': ['git', inProject('git trap', { GIT_EXEC_PATH: '.' })],
  'GIT_CONFIG_GLOBAL': ['git', inProject('git trap', ({ project }) => ({ GIT_CONFIG_GLOBAL: join(project, '.gitconfig') }))],
  'HOME': ['git', given('git trap', ({ project }) => ({ HOME: project, XDG_CONFIG_HOME: undefined }))],
  'XDG_CONFIG_HOME': ['git', given('git trap', ({ project }) => ({ XDG_CONFIG_HOME: project }))],
  'BASH_ENV': ['bash', given(`bash -c ''`, { BASH_ENV: './trap.sh' })],
  'COMPILER_PATH': ['gcc', given('gcc -c -x c /dev/null -o /dev/null', ({ project }) => ({ COMPILER_PATH: project }))],
  'CLANGD_FLAGS': ['clangd', () => ({ server: 'clangd', env: { CLANGD_FLAGS: '--query-driver=**' }, file: 'a.cpp' })],
};

for (const [what, [needs, make]] of Object.entries(rows)) {
  test(`no code of the project is run by ${what}`, { skip: !isInstalled(needs) && `${needs} is not installed` }, async (t) => {
    const place = trap(t);
    const { server, env, file } = make(place);
    const ask = async (...options) => {
      rmSync(place.log, { force: true });
      rmSync(place.ran, { force: true });
      await run([...options, '--log', place.log, '--server', server, ...(file ? [file] : ['--language', 'x', 'a.x'])], { cwd: place.project, env });
      assert.ok(existsSync(place.log), 'the server was not started');
      return readFileSync(place.log, 'utf8').includes('TRAP') || existsSync(place.ran);
    };
    assert.ok(!await ask(), 'by default');
    assert.ok(!await ask('--no-confine'), 'with --no-confine');
    assert.ok(await ask('--trust-project'), 'the trap is none');
  });
}

test('a server gets what it needs of the environment, and our own variables', async (t) => {
  const place = folder(t, { 'project/a.x': 'x\n' });
  const [cwd, log] = [join(place, 'project'), join(place, 'log')];
  const env = { LC_ALL: 'C', TZ: 'UTC', GOPRIVATE: 'example.com', PYTHONPATH: `${cwd}:/opt/python`, SYMBOLS_TEST_RUN: 'mine', SECRET_TOKEN: 'secret' };
  const variables = async (...options) => {
    rmSync(log, { force: true });
    await run([...options, '--log', log, '--language', 'x', '--server', `sh -c 'env >&2'`, 'a.x'], { cwd, env });
    return Object.keys(env).filter((name) => readFileSync(log, 'utf8').includes(`${name}=`));
  };
  assert.deepEqual(await variables(), ['LC_ALL', 'TZ', 'GOPRIVATE', 'PYTHONPATH', 'SYMBOLS_TEST_RUN']);
  assert.deepEqual(await variables('--trust-project'), Object.keys(env));
});

test('a path of the command line is one from where you are', async (t) => {
  const cwd = folder(t, { 'project/.git/HEAD': '', 'project/src/a.x': 'x\n', 'project/src/server.js': 'console.error("started", process.argv[2]);\n' });
  for (const options of [[], ['--trust-project']]) {
    const { stderr } = await run([...options, '--language', 'x', '--server', 'node ./server.js --config=../b', 'a.x'], { cwd: join(cwd, 'project/src') });
    assert.match(stderr, /its stderr ends with: started --config=\/.*\/src\/\.\.\/b/);
  }
});

// Nothing that lies in the folder being looked at is run, however it offers itself.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { languageServers } from './language_servers.mjs';
import { openInServer } from './plain_client.mjs';
import { eventually, folder, marked, run, writeProgram } from './program.mjs';

/** A project full of programs that would leave a file `ran` if anybody ran them. */
function trap(t) {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', 'a.cpp': 'int a;\n', 'package.json': '{"name":"trap"}', 'tsconfig.json': '{"compilerOptions":{"plugins":[{"name":"trap-plugin"}]}}' });
  const ran = join(cwd, 'ran');
  const script = `#!/bin/sh\necho "$0" >> '${ran}'\n`;
  const program = (path, text = script) => writeProgram(join(cwd, path), text);
  const js = `require('fs').appendFileSync(${JSON.stringify(ran)}, __filename + '\\n');`;
  for (const name of ['tsc', 'tsgo', 'typescript-language-server', 'clangd', 'clangd-99', 'node', 'git']) {
    program(`node_modules/.bin/${name}`);
    program(name);
  }
  program('node_modules/typescript/package.json', '{"name":"typescript","version":"7.9.9"}');
  for (const name of ['tsserver.js', '_tsserver.js', 'typescript.js', 'tsc.js']) program(`node_modules/typescript/lib/${name}`, js);
  program('node_modules/@typescript/typescript-linux-x64/lib/tsc');
  program('node_modules/trap-plugin/index.js', js);
  program('node_modules/trap-plugin/package.json', '{"name":"trap-plugin","main":"index.js"}');
  execFileSync('git', ['init', '-q'], { cwd });
  execFileSync('git', ['config', 'core.fsmonitor', join(cwd, 'git')], { cwd });
  return { cwd, ran };
}

for (const server of [[], ['--server', 'typescript-language-server']]) {
  test(`the project's own programs are not run: symbols ${server.join(' ')} .`, async (t) => {
    const { cwd, ran } = trap(t);
    const PATH = [join(cwd, 'node_modules/.bin'), '.', '', process.env.PATH].join(delimiter);
    const paths = server.length > 0 ? ['a.ts'] : ['.'];
    const { status, stderr } = await run([...server, ...paths], { cwd, env: { PATH } });
    assert.ok(!existsSync(ran), `${existsSync(ran) && execFileSync('cat', [ran])}`);
    assert.equal(status, 0, stderr);
  });
}

test('TypeScript 7 is kept from running npm', async (t) => {
  const cwd = folder(t, { 'a.ts': 'const a = 1;\n', 'b.js': 'require("lodash");\n' });
  const ran = join(cwd, 'ran');
  writeProgram(join(cwd, 'bin/npm'), `#!/bin/sh\necho "$@" >> '${ran}'\n`);
  const PATH = join(cwd, 'bin') + delimiter + process.env.PATH;
  for (const trust of [[], ['--trust-project']]) {
    const mark = marked();
    const { status } = await run([...trust, 'a.ts', 'b.js'], { cwd, env: { ...mark.env, PATH } });
    assert.equal(status, 0);
    await mark.noneLeft();
    assert.ok(!existsSync(ran), 'npm was run');
  }
  // By itself it runs npm.
  const { command, args } = languageServers['TypeScript 7'];
  const session = await openInServer('env', [`PATH=${PATH}`, command, ...args], join(cwd, 'b.js'), 'javascript');
  await eventually(() => existsSync(ran)).finally(session.finish);
});

test('a server found only inside of the project is refused with a word on --trust-project', async (t) => {
  const { cwd, ran } = trap(t);
  const only = { PATH: join(cwd, 'node_modules/.bin'), SYMBOLS_SERVERS_DIR: '/nonexistent' };
  const { status, stderr } = await run(['a.cpp'], { cwd, env: only });
  assert.equal(status, 1);
  assert.match(stderr, /--trust-project/);
  assert.ok(!existsSync(ran));
  await run(['--trust-project', '--timeout', '5s', 'a.cpp'], { cwd, env: { PATH: `${only.PATH}:/bin`, SYMBOLS_SERVERS_DIR: '/nonexistent' } });
  assert.ok(existsSync(ran), 'with --trust-project it is run');
});

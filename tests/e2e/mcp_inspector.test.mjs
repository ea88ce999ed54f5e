// `symbols mcp` with the command line of the official inspector, in the protocol's two forms: each call starts a server, asks one thing
// and ends it. mcp_official_clients.test.mjs has the same tools in three languages.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { newNode } from './harness_programs.mjs';
import { serverSettings } from './language_servers.mjs';
import { clientsFolder, folder, folderWith, marked, run, symbolsPath } from './program.mjs';

const program = join(clientsFolder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');

/** A folder with one file, whose index is made, and an environment with it. */
async function indexedProject(t) {
  const cwd = folderWith(t, 'geometry.cpp');
  const home = folder(t, serverSettings);
  const env = { XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  const { status, stderr } = await run(['index', cwd], { env });
  assert.equal(status, 0, stderr);
  return { cwd, env };
}

const tools = {
  outline: [{ paths: ['geometry.cpp'] }, /^n2-32 geometry\n[^]*\n f10 calculate_area\n/],
  find: [{ query: 'Circle' }, /\ngeometry\.cpp:20 \| Class \| geometry \| Circle\n/],
  context: [{ name: 'calculate_area' }, /^f10 calculate_area.*\tdouble calculate_area\([^]*\n# callers 1\b[^]*\nno diagnostics$/],
  map: [{}, /\n geometry\.cpp: .*calculate_area/],
  diagnostics: [{ paths: ['geometry.cpp'] }, /^no diagnostics in 1 file$/],
  hover: [{ path: 'geometry.cpp', line: 10 }, /^f10 calculate_area.*Calculates the area of a rectangle/],
};

/** What the inspector prints, as JSON where it succeeds, and its exit status. */
async function inspect(t, { cwd, env }, args) {
  const mark = marked();
  const child = spawn(newNode, [program, '--cli', ...args, '--format', 'json', '--quiet', '--connect-timeout', '0', symbolsPath, 'mcp', '--root', cwd], {
    cwd: folder(t), env: { ...process.env, ...env, ...mark.env, HOME: folder(t) }, stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  const status = await new Promise((resolve) => child.on('close', resolve));
  await mark.noneLeft();
  return { status, ...output, result: output.stdout.trim() && JSON.parse(output.stdout).result };
}

for (const era of ['legacy', 'modern']) {
  test(`${era}: every tool, whose schemas every client can use`, async (t) => {
    const project = await indexedProject(t);
    const { status, result, stderr } = await inspect(t, project, ['--protocol-era', era, '--method', 'tools/list', '--strict']);
    assert.equal(status, 0, stderr);
    assert.deepEqual(result.tools.map(({ name }) => name), Object.keys(tools));
    assert.match(stderr, /^(0 errors, 0 warnings.*\n)?$/);

    const call = (tool, args) => inspect(t, project, ['--protocol-era', era, '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)]);
    for (const [tool, [args, expected]] of Object.entries(tools)) {
      const { status, result, stderr } = await call(tool, args);
      assert.equal(status, 0, stderr);
      assert.match(result.content[0].text, expected, tool);
    }
    const wrong = await call('outline', { paths: ['nowhere'] });
    assert.equal(wrong.status, 5);  // its own status for an answer with isError
    assert.match(wrong.result.content[0].text, /^"nowhere" is not in "/);
    const unknown = await call('outlin', {});
    assert.deepEqual([unknown.status, unknown.stdout], [5, '']);
    assert.match(unknown.stderr, /outlin/);
  });
}

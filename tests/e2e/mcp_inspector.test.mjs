// `symbols mcp` with the command line of the official inspector: each call starts a server, asks one thing and ends it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { newNode } from './harness_programs.mjs';
import { clientsFolder, eventually, folder, marked, symbolsPath, timeFactor } from './program.mjs';
import { questions, realProject } from './real_project.mjs';

const program = join(clientsFolder, 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js');
const limit = 300_000 * timeFactor;

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
  test(`${era}: the tools, whose schemas every client can use`, async (t) => {
    const project = realProject(t);
    const { status, result, stderr } = await inspect(t, project, ['--protocol-era', era, '--method', 'tools/list', '--strict']);
    assert.equal(status, 0, stderr);
    assert.deepEqual(result.tools.map(({ name }) => name), ['outline', 'find', 'context', 'map', 'diagnostics', 'hover']);
    assert.match(stderr, /^(0 errors, 0 warnings.*\n)?$/);
  });

  test(`${era}: every tool`, async (t) => {
    const project = realProject(t);
    const call = (tool, args) => inspect(t, project, ['--protocol-era', era, '--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(args)]);
    const text = async (tool, args) => {
      const { status, result, stderr } = await call(tool, args);
      assert.equal(status, 0, stderr);
      return result.content[0].text;
    };
    await eventually(async () => !/still being indexed/.test(await text('find', { query: 'Subject' })), limit);
    const asked = new Set();
    const languages = Object.values(questions);
    for (const [i, ofLanguage] of languages.entries()) {
      // A server for each call: two tools of each language.
      const ofTools = ['outline', 'find', 'context', 'map', 'diagnostics', 'hover'].filter((_, at) => at % languages.length === i);
      for (const tool of ofTools) {
        const [, args, expected] = ofLanguage.find(([one, given]) => one === tool && !JSON.stringify(given).includes('wrong'));
        assert.match(await text(tool, args), expected, `${tool} ${JSON.stringify(args)}`);
        asked.add(tool);
      }
    }
    assert.equal(asked.size, 6);

    const wrong = await call('outline', { paths: ['nowhere'] });
    assert.equal(wrong.status, 5);  // its own status for an answer with isError
    assert.match(wrong.result.content[0].text, /^"nowhere" is not in "/);
    const unknown = await call('outlin', {});
    assert.deepEqual([unknown.status, unknown.stdout], [5, '']);
    assert.match(unknown.stderr, /outlin/);
  });
}

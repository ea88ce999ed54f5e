// CodeMirror with @codemirror/lsp-client in Chromium: it has hovers and symbols through `symbols proxy --format standard`, and the extension that
// editors/codemirror ships shows the table and goes to its symbols.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from '../e2e/language_servers.mjs';
import { frame, frameSplitter } from '../e2e/lsp_stream.mjs';
import { fixture, folder, inOneOrder, marked, printed as print, project, proxied, timeFactor } from '../e2e/program.mjs';
import { forWholeFile, startBrowser } from './code_server.mjs';

const modules = join(project, 'tests', 'editors', 'npm', 'node_modules');
const { WebSocketServer } = await import(pathToFileURL(join(modules, 'ws', 'wrapper.mjs')));

/**
 * Serves `script` as a page of its own, and under `/NAME` the command of that name: an array of program and arguments. Gives the
 * address without its scheme.
 */
async function startBridge(t, { script, commands, cwd, env }) {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : '<!doctype html><title>CodeMirror</title><body><script type="module" src="page.js"></script>');
  });
  const { env: mark, kill } = marked();
  new WebSocketServer({ server }).on('connection', (socket, { url }) => {
    const [program, ...args] = commands[decodeURIComponent(url.slice(1))];
    const child = spawn(program, args, { cwd, env: { ...env, ...mark }, stdio: ['pipe', 'pipe', 'ignore'] });
    child.on('close', () => socket.close());
    child.stdin.on('error', () => {});
    socket.on('message', (message) => child.stdin.write(frame(message)));
    socket.on('close', () => child.stdin.end());
    child.stdout.on('data', frameSplitter((_header, body) => socket.send(body.toString('utf8'))));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
    return kill();
  });
  return `127.0.0.1:${server.address().port}`;
}

const limit = 90_000 * timeFactor;
const whole = forWholeFile();
let browser;
let script;

before(async () => {
  const esbuild = (await import(pathToFileURL(join(modules, 'esbuild', 'lib', 'main.js')))).default;
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(project, 'tests', 'editors', 'codemirror_page.mjs')],
    bundle: true, format: 'esm', write: false, nodePaths: [modules],
  });
  script = outputFiles[0].text;
  browser = await startBrowser(whole);
});

for (const { server, name, word, row } of [
  { server: 'clangd', name: 'geometry.cpp', word: 'calculate_area', row: 'radius_' },
  { server: 'TypeScript 7', name: 'geometry.ts', word: 'calculateArea', row: 'totalArea' },
  { server: 'typescript-language-server', name: 'geometry.ts', word: 'calculateArea', row: 'totalArea' },
]) {
  test(`${server}: hovers and symbols through the proxy, and the table beside them`, async (t) => {
    const text = readFileSync(fixture(name), 'utf8');
    const cwd = realpathSync(folder(t, { [name]: text }));
    const env = { ...process.env, XDG_CONFIG_HOME: folder(t, serverSettings) };
    const { command, args, language, initializationOptions } = languageServers[server];
    const direct = [command, ...args];
    const commands = { direct, proxied: proxied(['--format', 'standard'], direct) };
    const address = await startBridge(t, { script, commands, cwd, env });

    const open = async (way) => {
      const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });  // all of the file is to be seen
      page.setDefaultTimeout(limit);
      t.after(() => page.close());
      await page.goto(`http://${address}/`);
      await page.waitForFunction(() => window.openEditor);
      await page.evaluate((options) => window.openEditor(options), {
        address: `ws://${address}/${way}`, rootUri: pathToFileURL(cwd).href, uri: pathToFileURL(join(cwd, name)).href,
        languageId: language, text, timeout: limit, initializationOptions,
      });
      return page;
    };
    const without = await open('direct');
    assert.match(await without.evaluate(() => window.symbols({})), /^failed: the language server does not run behind symbols: start it as /);

    const page = await open('proxied');
    assert.match(JSON.stringify(await page.evaluate(() => window.documentSymbols())), new RegExp(`"name":"${word}`));
    // The middle of the word's second character.
    const { x, y } = await page.evaluate((at) => new Promise((resolve) => window.view.requestMeasure({
      read: (view) => view.coordsAtPos(at),
      write: ({ left, top, bottom }) => resolve({ x: left + 2, y: (top + bottom) / 2 }),
    })), text.indexOf(word) + 1);
    await page.mouse.move(x, y);
    await page.locator('.cm-lsp-hover-tooltip', { hasText: word }).waitFor();
    const printed = async (...options) =>
      inOneOrder(await print(['--server', server === 'TypeScript 7' ? 'typescript' : server, ...options, name], { cwd, env })).replace(/\n$/, '');
    const table = await printed();
    assert.equal(inOneOrder(await page.evaluate(() => window.symbols({}))), table);

    // By the key that is shipped; a click on a row goes to its symbol.
    const rows = page.locator('.symbols-table > div');
    await page.evaluate(() => window.view.focus());
    await page.keyboard.press('Control+Alt+o');
    await rows.first().waitFor();
    assert.equal(inOneOrder((await rows.allTextContents()).join('\n')), await printed('--format', 'outline', '--kind-names'));
    const shownRow = rows.filter({ hasText: new RegExp(`\\) ${row}$`) });
    await shownRow.click();
    const cells = table.split('\n').find((line) => line.startsWith(`${row} | `)).split(' | ');
    const [line, character] = cells[3].split(/[:-]/).map(Number);
    /** The line and character of the cursor, from 0, in an editor that has the keyboard. */
    const cursor = () => page.evaluate(() => {
      const { head } = window.view.state.selection.main;
      const { number, from } = window.view.state.doc.lineAt(head);
      return window.view.hasFocus && [number - 1, head - from];
    });
    assert.deepEqual(await cursor(), [line, character]);

    // Rows go along with the text, typed while the table is there or before it has come; a note says so.
    const note = page.locator('.symbols-table > p');
    assert.equal(await note.isVisible(), false);
    await page.evaluate(() => window.edit('\n\n', 0));
    await note.waitFor();
    await shownRow.click();
    assert.deepEqual(await cursor(), [line + 2, character]);
    await page.evaluate(async () => {
      window.edit('', 0, 2);
      const shown = window.showTable();
      await new Promise((resolve) => setTimeout(resolve, 0));  // the answer is on its way
      window.edit('\n', 0);
      await shown;
    });
    await note.waitFor();
    await shownRow.click();
    assert.deepEqual(await cursor(), [line + 1, character]);
    await page.evaluate(() => window.edit('', 0, 1));

    // Escape, with the keyboard in the editor and in the table.
    for (const there of [() => page.evaluate(() => window.view.focus()), () => rows.nth(1).focus()]) {
      await page.keyboard.press('Control+Alt+o');
      await rows.first().waitFor();
      await note.waitFor({ state: 'hidden' });  // a new table
      await there();
      await page.keyboard.press('Escape');
      await rows.first().waitFor({ state: 'detached' });
      assert.ok(await cursor());
    }
    assert.match(await page.evaluate(() => window.symbols({ format: 'tree' })), new RegExp(` ${row}\\b`));
    assert.match(await page.evaluate(() => window.symbols({ format: 'json' })), /^failed: the format json gives no text: take another, or /);

    // Of the text as it is in the editor.
    await page.evaluate((added) => window.edit(added), language === 'cpp' ? '\nint just_typed;\n' : '\nlet just_typed = 1;\n');
    assert.match(await page.evaluate(() => window.symbols({ include_hover: false })), /^just_typed \| 13 \| /m);
  });
}

// CodeMirror with @codemirror/lsp-client in Chromium: its hovers and symbols through `symbols proxy --format standard` are those
// without it, and the extension that editors/codemirror ships shows the table and goes to its symbols.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { languageServers, serverSettings } from '../e2e/language_servers.mjs';
import { frame, frameSplitter } from '../e2e/lsp_stream.mjs';
import { fixture, folder, inOneOrder, project, proxied, run, timeFactor } from '../e2e/program.mjs';
import { startBrowser } from './code_server.mjs';

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
  const children = new Set();
  new WebSocketServer({ server }).on('connection', (socket, { url }) => {
    const [program, ...args] = commands[decodeURIComponent(url.slice(1))];
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    children.add(child);
    child.on('close', () => { children.delete(child); socket.close(); });
    child.stdin.on('error', () => {});
    socket.on('message', (message) => child.stdin.write(frame(message)));
    socket.on('close', () => child.stdin.end());
    child.stdout.on('data', frameSplitter((_header, body) => socket.send(body.toString('utf8'))));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const { pid } of children) {
      try { process.kill(-pid, 'SIGKILL'); } catch { /* it has ended */ }
    }
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${server.address().port}`;
}

const limit = 90_000 * timeFactor;
const ends = [];
let browser;
let script;

before(async () => {
  const esbuild = (await import(pathToFileURL(join(modules, 'esbuild', 'lib', 'main.js')))).default;
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(project, 'tests', 'editors', 'codemirror_page.mjs')],
    bundle: true, format: 'esm', write: false, nodePaths: [modules],
  });
  script = outputFiles[0].text;
  browser = await startBrowser({ after: (end) => ends.push(end) });
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

for (const { server, name, word, row } of [
  { server: 'clangd', name: 'geometry.cpp', word: 'calculate_area', row: 'radius_' },
  { server: 'TypeScript 7', name: 'geometry.ts', word: 'calculateArea', row: 'totalArea' },
  { server: 'typescript-language-server', name: 'geometry.ts', word: 'calculateArea', row: 'totalArea' },
]) {
  test(`${server}: hovers and symbols as without the proxy; the table beside them`, async (t) => {
    const text = readFileSync(fixture(name), 'utf8');
    const cwd = realpathSync(folder(t, { [name]: text }));
    const env = { ...process.env, XDG_CONFIG_HOME: folder(t, serverSettings) };
    const { command, args, language, initializationOptions } = languageServers[server];
    const direct = [command, ...args];
    const commands = { direct, proxied: proxied(['--format', 'standard'], direct) };
    const address = await startBridge(t, { script, commands, cwd, env });

    const open = async (way, withTable) => {
      const page = await browser.newPage({ viewport: { width: 1200, height: 1600 } });  // all of the file is to be seen
      page.setDefaultTimeout(limit);
      t.after(() => page.close());
      await page.goto(`http://${address}/`);
      await page.waitForFunction(() => window.openEditor);
      await page.evaluate((options) => window.openEditor(options), {
        address: `ws://${address}/${way}`, rootUri: pathToFileURL(cwd).href, uri: pathToFileURL(join(cwd, name)).href,
        languageId: language, text, withTable, timeout: limit, initializationOptions,
      });
      return page;
    };
    /** The symbols as the client got them, and the tooltip as it is to be seen. */
    const seen = async (page) => {
      const symbols = await page.evaluate(() => window.editor.documentSymbols());
      const { x, y } = await page.evaluate((at) => window.editor.coordinates(at), word);
      await page.mouse.move(x, y);
      const tooltip = page.locator('.cm-lsp-hover-tooltip');
      await tooltip.waitFor();
      return { symbols, hover: await tooltip.innerText() };
    };

    const expected = await seen(await open('direct', false));
    assert.ok(expected.symbols.length > 5 && expected.symbols.every(({ location }) => location), 'this client gets SymbolInformation[]');
    assert.match(expected.hover, new RegExp(word));
    assert.deepEqual(await seen(await open('proxied', false)), expected);

    const page = await open('proxied', true);
    assert.equal((await seen(page)).hover, expected.hover);
    const printed = await run(['--server', server === 'TypeScript 7' ? 'typescript' : server, name], { cwd, env });
    assert.equal(printed.status, 0, printed.stderr);
    const table = inOneOrder(printed.stdout.replace(/\n$/, ''));
    assert.equal(inOneOrder(await page.evaluate(() => window.editor.symbols({}))), table);

    // By the key that is shipped; a click on a row goes to its symbol.
    const rows = page.locator('.symbols-table > div');
    await page.evaluate(() => window.editor.focus());
    await page.keyboard.press('Control+Alt+o');
    await rows.first().waitFor();
    const outline = await run(['--server', server === 'TypeScript 7' ? 'typescript' : server, '--format', 'outline', '--kind-names', name], { cwd, env });
    assert.equal(inOneOrder((await rows.allTextContents()).join('\n')), inOneOrder(outline.stdout.replace(/\n$/, '')));
    const shownRow = rows.filter({ hasText: new RegExp(`\\) ${row}$`) });
    await shownRow.click();
    const cells = table.split('\n').find((line) => line.startsWith(`${row} | `)).split(' | ');
    assert.deepEqual(await page.evaluate(() => window.editor.cursor()), { focused: true, place: cells[3].split('-')[0] });

    // Rows go along with the text, typed while the table is there or before it has come; a note says so.
    const moved = (cell, lines) => cell.split('-')[0].replace(/^\d+/, (line) => Number(line) + lines);
    const note = page.locator('.symbols-table > p');
    assert.equal(await note.isVisible(), false);
    await page.evaluate(() => window.editor.prepend('\n\n'));
    await note.waitFor();
    await shownRow.click();
    assert.equal((await page.evaluate(() => window.editor.cursor())).place, moved(cells[3], 2));
    await page.evaluate(() => window.editor.remove(2));
    await page.evaluate(() => window.editor.showAndPrepend('\n'));
    await note.waitFor();
    await shownRow.click();
    assert.equal((await page.evaluate(() => window.editor.cursor())).place, moved(cells[3], 1));
    await page.evaluate(() => window.editor.remove(1));

    // Escape, with the keyboard in the editor and in the table.
    for (const there of [() => page.evaluate(() => window.editor.focus()), () => rows.nth(1).focus()]) {
      await page.keyboard.press('Control+Alt+o');
      await rows.first().waitFor();
      await note.waitFor({ state: 'hidden' });  // a new table
      await there();
      await page.keyboard.press('Escape');
      await rows.first().waitFor({ state: 'detached' });
      assert.ok((await page.evaluate(() => window.editor.cursor())).focused);
    }
    assert.match(await page.evaluate(() => window.editor.symbols({ format: 'tree' })), new RegExp(` ${row}\\b`));
    assert.match(await page.evaluate(() => window.editor.symbols({ format: 'json' })), /^failed: the format json gives no text: take another, or /);

    // Of the text as it is in the editor.
    await page.evaluate((added) => window.editor.append(added), language === 'cpp' ? '\nint just_typed;\n' : '\nlet just_typed = 1;\n');
    assert.match(await page.evaluate(() => window.editor.symbols({ include_hover: false })), /^just_typed \| 13 \| /m);

    const without = await open('direct', true);
    assert.match(await without.evaluate(() => window.editor.symbols({})), /^failed: the language server does not run behind symbols: start it as /);
  });
}

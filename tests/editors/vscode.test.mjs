// The VS Code extension as it is packed, in the real VS Code, with real language servers: what its commands show, copy and open, and
// that VS Code's own outline and hovers stay what they are without it.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startBrowser, startVsCode } from './code_server.mjs';
import { serverSettings } from '../e2e/language_servers.mjs';
import { eventually, fixture, folder, inOneOrder, printed as print, project, run, serversFolder, symbolsPath, wordsOf } from '../e2e/program.mjs';

const files = Object.fromEntries(['geometry.cpp', 'geometry.ts'].map((name) => [name, readFileSync(fixture(name), 'utf8')]));
// What all of the file shares, which ends with it.
const ends = [];
const whole = { after: (end) => ends.push(end) };
let browser;
let extension;

before(async () => {
  extension = join(folder(whole), 'symbols.vsix');
  const packed = await run([extension], { program: join(project, 'editors', 'vscode', 'package.sh') });
  assert.equal(packed.status, 0, packed.stdout + packed.stderr);
  browser = await startBrowser(whole);
});
after(async () => {
  for (const end of ends.reverse()) await end();
});

function pathWith(t, programs) {
  const path = folder(t);
  for (const [name, target] of Object.entries(programs)) symlinkSync(target, join(path, name));
  return path;
}
const clangd = { clangd: '/usr/bin/clangd-19' };
const typescript = { 'typescript-language-server': join(serversFolder, 'node_modules', '.bin', 'typescript-language-server'), node: process.execPath };

function start(t, options) {
  const env = { XDG_CONFIG_HOME: folder(t, serverSettings), SYMBOLS_SERVERS_DIR: serversFolder };
  return startVsCode(t, { browser, env, ...options });
}

const printed = async (args, cwd) => inOneOrder((await print(args, { cwd, env: { XDG_CONFIG_HOME: folder(whole, serverSettings) } })).replace(/\n$/, ''));

/** The line of an outline (from 1) that shows this name, and the place of its table's row (line:column, from 1). */
function rowOf(outline, table, name) {
  const row = outline.split('\n').findIndex((line) => line.endsWith(`) ${name}`));
  const cells = table.split('\n').find((line) => line.startsWith(`${name} | `)).split(' | ');
  const [line, character] = cells[3].split(/[:-]/).map(Number);
  return { row: row + 1, place: `${line + 1}:${character + 1}` };
}

async function showTable(vs, name, expected) {
  await vs.open(name);
  await vs.command('Symbols: Show Symbols');
  await vs.until('the table in front', async () => await vs.activeTab() === `${name}.symbols`);
  await vs.until('the whole table', async () => inOneOrder(await vs.text()) === expected).catch(async () => assert.equal(inOneOrder(await vs.text()), expected));
}

test('the outline opens beside the file, is what symbols prints, and leads to its symbols; the table is copied', async (t) => {
  const cwd = realpathSync(folder(t, files));
  const path = pathWith(t, { symbols: symbolsPath, ...clangd, ...typescript });
  const vs = await start(t, { cwd, path, extensions: [extension] });
  const expected = {
    'geometry.cpp': await printed(['geometry.cpp'], cwd),
    'geometry.ts': await printed(['--server', 'typescript-language-server', 'geometry.ts'], cwd),
  };

  const outline = ['--format', 'outline', '--kind-names'];
  const shown = {
    'geometry.cpp': await printed([...outline, 'geometry.cpp'], cwd),
    'geometry.ts': await printed([...outline, '--server', 'typescript-language-server', 'geometry.ts'], cwd),
  };

  for (const [name, symbol] of [['geometry.cpp', 'calculate_area'], ['geometry.ts', 'totalArea']]) {
    await showTable(vs, name, shown[name]);
    const { row, place } = rowOf(shown[name], expected[name], symbol);
    for (const key of ['Enter', 'F12']) {
      await vs.open(name);
      await vs.goTo(1);
      await showTable(vs, name, shown[name]);
      await vs.goTo(row);
      await vs.press(key);
      await vs.until(`${key} on the row of ${symbol} at ${place}`, async () =>
        await vs.activeTab() === name && await vs.place() === place);
    }
    await vs.open(name);
    assert.equal(inOneOrder(await vs.copied('Symbols: Copy Symbol Table')), expected[name]);
  }

  await t.test('a symbol and its context, at the cursor', async () => {
    await vs.open('geometry.cpp');
    await vs.goTo(10, 10);
    assert.equal(await vs.copied('Symbols: Copy Symbol and Context'), await printed(['context', '--format', 'table', 'geometry.cpp:10:10'], cwd));
  });

  await t.test('the tables of all open editors', async () => {
    const copied = inOneOrder(await vs.copied('Symbols: Copy Symbol Tables of All Open Editors'));
    const parts = Object.fromEntries(copied.split(/^==> /m).slice(1).map((part) => {
      const [name, ...lines] = part.split('\n');
      return [name.replace(/ <==$/, ''), lines.join('\n').replace(/\n$/, '')];
    }));
    assert.deepEqual(parts, expected);
  });

  await t.test('what is typed and not saved', async () => {
    await vs.open('geometry.cpp');
    await vs.press('Control+End');
    await vs.page.keyboard.type('\nint typed_just_now;\n');
    assert.match(await vs.copied('Symbols: Copy Symbol Table'), /^typed_just_now \| 13 \| /m);
    assert.equal(readFileSync(join(cwd, 'geometry.cpp'), 'utf8'), files['geometry.cpp']);
    await vs.command('File: Revert File');
    await vs.until('the table of the file as it was', async () =>
      await vs.copied('Symbols: Copy Symbol Table') === expected['geometry.cpp']);
  });

  await t.test('a row of a table that is older than the text leads there, with a note', async () => {
    await showTable(vs, 'geometry.cpp', shown['geometry.cpp']);
    await vs.goTo(2);
    await vs.open('geometry.cpp');
    await vs.press('Control+Home');
    await vs.page.keyboard.type('int typed_just_now;\n');
    await vs.command('View: Open Previous Recently Used Editor In Group');
    await vs.until('the table in front', async () => await vs.activeTab() === 'geometry.cpp.symbols');
    await vs.press('Enter');
    await vs.page.locator('.statusbar', { hasText: 'the file has changed since its table was made' }).waitFor();
    await vs.open('geometry.cpp');
    await vs.command('File: Revert File');
    await vs.until('the table of the file as it was', async () =>
      await vs.copied('Symbols: Copy Symbol Table') === expected['geometry.cpp']);
  });

  await t.test('Restart ends the servers, and the next command starts them anew', async () => {
    const isProxy = (pid) => wordsOf(pid).includes('proxy');
    const proxies = () => vs.pids().filter(isProxy);
    const before = proxies();
    assert.equal(before.length, 2, 'one for each server');
    await vs.command('Symbols: Restart');
    await eventually(() => !proxies().some((pid) => before.includes(pid)), 30_000);
    await vs.open('geometry.ts');
    assert.match(await vs.copied('Symbols: Copy Symbol Table'), /calculateArea/);
    assert.equal(proxies().length, 1);
  });
});

/** What VS Code's own TypeScript extension shows of geometry.ts, and its outline of geometry.cpp, for which it has no server. */
async function outlineAndHover(vs) {
  // Only what is to be seen is there to be read: the outline gets the room of the files.
  const filesPane = vs.page.locator('.explorer-viewlet .pane-header').first();
  if (await filesPane.getAttribute('aria-expanded') === 'true') await filesPane.click();
  const outline = async (name, known) => {
    await vs.open(name);
    await vs.command('Explorer: Focus on Outline View');
    return vs.until(`an outline of ${name}`, async () => {
      const rows = await vs.page.locator('.outline-pane .monaco-list-row').allInnerTexts();
      const message = await vs.page.locator('.outline-pane .outline-message').allInnerTexts();
      return known ? rows.some((row) => row.includes(known)) && rows : message.some((text) => /No symbols found/.test(text)) && message;
    });
  };
  const typescriptOutline = await outline('geometry.ts', 'totalArea');
  await vs.open('geometry.ts');
  await vs.goTo(57 + 1, 20);
  const hover = await vs.until('a hover of totalArea', async () => {
    await vs.command('Show or Focus Hover');
    const texts = await vs.page.locator('.monaco-editor .monaco-hover .hover-contents').allInnerTexts();
    const shown = texts.map((text) => text.trim()).filter((text) => text !== '' && !text.startsWith('Loading'));
    return shown.some((text) => text.includes('totalArea')) && shown;
  });
  return { typescriptOutline, hover, cppOutline: await outline('geometry.cpp') };
}

test('outline and hover are those of VS Code\'s own extensions, with the extension and without', async (t) => {
  const cwd = realpathSync(folder(t, files));
  const path = pathWith(t, { symbols: symbolsPath, ...clangd, ...typescript });
  const without = await start(t, { cwd, path });
  const expected = await outlineAndHover(without);
  await without.close();
  assert.ok(expected.typescriptOutline.length >= 20, expected.typescriptOutline.join());

  const vs = await start(t, { cwd, path, extensions: [extension] });
  // At work, not only installed.
  assert.match(await vs.open('geometry.ts').then(() => vs.copied('Symbols: Copy Symbol Table')), /^totalArea \| 12 \| /m);
  await showTable(vs, 'geometry.cpp', await printed(['--format', 'outline', '--kind-names', 'geometry.cpp'], cwd));
  assert.deepEqual(await outlineAndHover(vs), expected);
});

test('what is missing is told, and what to do', async (t) => {
  const cwd = realpathSync(folder(t, files));
  const path = pathWith(t, { 'clangd-19': '/usr/bin/clangd-19' });
  const vs = await start(t, { cwd, path, extensions: [extension] });
  const message = (pattern) => vs.until(`a message ${pattern}`, async () => (await vs.messages()).find((text) => pattern.test(text)));

  await vs.open('geometry.cpp');
  await vs.command('Symbols: Show Symbols');
  await message(/cannot start the program 'symbols' \(not on the PATH\): install symbols .* setting symbols\.path/);
  await vs.page.getByRole('button', { name: 'Open Setting' }).click();
  await vs.until('the setting', async () => /Settings/.test(await vs.activeTab()));

  // `clangd`, which the settings name, is not there: the program itself finds clangd-19.
  symlinkSync(symbolsPath, join(path, 'symbols'));
  await vs.open('geometry.cpp');
  assert.equal(await vs.copied('Symbols: Copy Symbol Table'), await printed(['geometry.cpp'], cwd));

  writeFileSync(join(cwd, 'notes.txt'), 'No server knows this.\n');
  await vs.open('notes.txt');
  await vs.command('Symbols: Copy Symbol Table');
  await message(/notes\.txt/);

  await vs.command('File: New Untitled Text File');
  // An editor that takes the keyboard late would close the palette.
  await vs.until('the new file', async () => await vs.activeTab() === 'Untitled-1');
  await vs.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  assert.equal(await vs.copied('Symbols: Copy Symbol Tables of All Open Editors'),
    `==> geometry.cpp <==\n${await printed(['geometry.cpp'], cwd)}\n`);
  await message(/1 of the open editors could not be answered: notes\.txt: .*no language server is known.*; left out: Untitled-1 \(never saved\)/);
});

test('each server has its settings; one that refuses or hangs, and text that is not saved, are told', async (t) => {
  const cwd = realpathSync(folder(t, { ...files, 'refuses.css': 'alpha\n', 'hangs.html': 'alpha\n' }));
  const fake = (language, scenario) => ({ languages: [language], command: [process.execPath, join(project, 'tests/e2e/fake_server.mjs'), scenario] });
  const vs = await start(t, { cwd, path: pathWith(t, { symbols: symbolsPath, ...clangd, node: process.execPath }), extensions: [extension], settings: {
    'symbols.servers': [{ languages: ['cpp'], command: ['clangd'] }, fake('css', 'initialize-refused'), fake('html', 'silent-at-once')],
    'symbols.arguments': ['--no-hover'], 'symbols.fileArguments': ['--children', 'no'],
  } });
  const copied = async (name) => {
    await vs.open(name);
    return inOneOrder(await vs.copied('Symbols: Copy Symbol Table'));
  };
  assert.equal(await copied('geometry.cpp'), await printed(['--no-hover', 'geometry.cpp'], cwd));
  assert.equal(await copied('geometry.ts'), await printed(['--children', 'no', 'geometry.ts'], cwd));
  const fails = async (name, pattern, meanwhile = () => {}) => {
    await vs.open(name);
    await vs.command('Symbols: Copy Symbol Table');
    await meanwhile();
    await vs.until(`a message ${pattern}`, async () => (await vs.messages()).find((text) => pattern.test(text)));
  };
  await fails('refuses.css', /licence expired/);
  const hanging = () => vs.pids().filter((pid) => wordsOf(pid).includes('silent-at-once'));
  await fails('hangs.html', /was ended before it had answered/, async () => {
    await vs.until('the server', async () => hanging().length > 0);
    await vs.command('Symbols: Restart');
  });
  await vs.until('its end', async () => hanging().length === 0);
  // What `symbols FILE` answers about is what is saved.
  await vs.open('geometry.ts');
  await vs.page.keyboard.type('const typed = 1;\n');
  await fails('geometry.ts', /'geometry\.ts' has changes that are not saved.*save the file first/);
});

test('packed with the program, the extension needs none; a workspace may choose the format; Show Output opens the channel', async (t) => {
  const brings = join(folder(t), 'symbols.vsix');
  const packed = await run(['--program', symbolsPath, brings], { program: join(project, 'editors', 'vscode', 'package.sh') });
  assert.equal(packed.status, 0, packed.stdout + packed.stderr);
  const spied = join(folder(t), 'spied');
  const spy = join(folder(t, { spy: `#!/bin/sh\ntouch '${spied}'\n` }), 'spy');
  chmodSync(spy, 0o755);
  const cwd = realpathSync(folder(t, { ...files, '.vscode/settings.json': JSON.stringify({
    'symbols.path': spy, 'symbols.servers': [{ languages: ['cpp'], command: [spy] }], 'symbols.arguments': ['--nonsense'],
    'symbols.fileArguments': ['--nonsense'], 'symbols.format': 'tree',
  }) }));
  const vs = await start(t, { cwd, path: pathWith(t, clangd), extensions: [brings] });
  await vs.open('geometry.cpp');
  assert.equal(await vs.copied('Symbols: Copy Symbol Table'), await printed(['--format', 'tree', 'geometry.cpp'], cwd));
  assert.equal(existsSync(spied), false);

  await vs.command('Symbols: Show Output');
  // Which channel it is. Its text is none here: VS Code keeps that with a compiled module, which this one does without.
  await vs.until('the channel', async () =>
    await vs.page.locator('.panel .title-actions select').evaluateAll((lists) => lists.some((list) => list.selectedOptions[0]?.text === 'Symbols')));
});

test('a folder that is not trusted gets no language server', async (t) => {
  const cwd = realpathSync(folder(t, files));
  const path = pathWith(t, { symbols: symbolsPath, ...clangd });
  const vs = await start(t, { cwd, path, extensions: [extension], trusted: false });
  const inPalette = async () => {
    await vs.press('F1');
    await vs.page.locator('.quick-input-widget .quick-input-box input').fill('>Symbols: Copy Symbol Table');
    const rows = await vs.until('entries of the palette', async () => {
      const found = await vs.page.locator('.quick-input-list .monaco-list-row .label-name').allInnerTexts();
      return found.length > 0 && found;
    });
    await vs.press('Escape');
    return rows.includes('Symbols: Copy Symbol Table');
  };
  await vs.page.locator('.statusbar', { hasText: 'Restricted Mode' }).waitFor();
  assert.equal(await inPalette(), false);
  await vs.command('Workspaces: Manage Workspace Trust');
  await vs.page.getByRole('button', { name: 'Trust', exact: true }).first().click();
  await vs.until('the command, once the folder is trusted', inPalette);
});

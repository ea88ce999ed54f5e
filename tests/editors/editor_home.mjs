// What the tests of editors share: a home of its own for an editor, with its configuration, the programs on its PATH and nothing of
// the user's; sources; and what the program prints of these.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programFolder, serverSettings } from '../e2e/language_servers.mjs';
import { fixture, folder, marked, printed as print, project, run, serversFolder, timeFactor } from '../e2e/program.mjs';

/** How long one thing in an editor is waited for, in milliseconds, on a machine that does much else. */
export const waitLimit = 150_000 * timeFactor;
/** How long an editor may run, and a test, which may run two. */
export const runLimit = 2 * waitLimit;
export const limit = { timeout: 2 * runLimit };

export const shipped = (...names) => join(project, 'editors', ...names);

// Symbols behind characters of two, three and four bytes in their line.
export const sources = {
  'geometry.cpp': readFileSync(fixture('geometry.cpp'), 'utf8'),
  'geometry.ts': readFileSync(fixture('geometry.ts'), 'utf8'),
  'names.cpp': `/* é */ int accented = 1; /* 漢字 */ int wide = 2; /* 😀 */ int astral = 3;
struct Größe { /* 😀😀 */ int höhe; };
	int tabbed(int a) { return a; }
`,
  // The name of the callback holds a real newline and a bar.
  'names.ts': `declare function test(name: string, body: () => void): void;
/* é 漢字 😀 */ export const behind = 1; /* 😀 */ export function größe(a: number) { /* 😀 */ const inner = a; return inner; }
test(\`first | second
third\`, () => { const /* é */ nested = 1; });
class A { "a | b f1:2-3" = 1; 'with \\\\ backslash' = 2; constructor() {} }
export default function () { return "漢字"; }
`,
};

/**
 * A home with these files, and with `links` (path in the home: what it points to); `programs` (names, see language_servers.mjs) are on the PATH,
 * before the system's own. `setup`: with what `symbols setup NAME --write` puts there besides, which alone says where the programs are then.
 * Gives { home, env, place } where `place` is a path in it.
 */
export function editorHome(t, { files = {}, links = {}, setup, programs = setup && ['symbols'] } = {}) {
  const settings = Object.fromEntries(Object.entries(serverSettings).map(([name, text]) => [join('.config', name), text]));
  const home = folder(t, { ...settings, ...files });
  const place = (...names) => join(home, ...names);
  for (const [name, target] of Object.entries(links)) {
    mkdirSync(dirname(place(name)), { recursive: true });
    symlinkSync(target, place(name));
  }
  const bin = programFolder(t, programs);
  const systemPath = '/usr/local/bin:/usr/bin:/bin';
  const env = {
    PATH: `${bin}:${systemPath}`,
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: home,
    XDG_CONFIG_HOME: place('.config'),
    XDG_DATA_HOME: place('.local/share'),
    XDG_STATE_HOME: place('.local/state'),
    XDG_CACHE_HOME: place('.cache'),
    XDG_RUNTIME_DIR: home,
    SYMBOLS_SERVERS_DIR: serversFolder,
  };
  if (setup) {
    const { status, stderr } = spawnSync('symbols', ['setup', setup, '--write'], { env, cwd: home, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    env.PATH = systemPath;
  }
  return { home, env, place };
}

export const printed = async (args, { env, home }) => (await print(args, { env, cwd: home })).replace(/\n$/, '');

/** What the program prints, and where each line leads: `{ file, line, byte }`, from 0, of its first symbol's name; or false. */
export async function printedRows(args, file, place) {
  const source = readFileSync(join(place.home, file), 'utf8').split('\n');
  const answer = await printed([...args, '--positions', file], place);
  const lines = answer.split('\n').map((line) => /^(?:(\d+):(\d+)\t)?(.*)$/.exec(line));
  return {
    text: lines.map(([, , , text]) => text).join('\n'),
    starts: lines.map(([, line, character]) =>
      line !== undefined && { file, line: Number(line), byte: Buffer.byteLength(source[line].slice(0, character)) }),
  };
}

/** Runs a program to its end, at most for `runLimit`. It is to leave none of the processes that it has started. Gives { status, signal, output }. */
export async function runToEnd(t, program, args, { env, cwd }) {
  const { env: mark, noneLeft, kill } = marked();
  t.after(kill);
  const nothingElse = Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined]));
  const { status, signal, stdout, stderr } = await run(args, { program, cwd, env: { ...nothingElse, ...env, ...mark }, stdio: ['ignore', 'pipe', 'pipe'], limit: runLimit });
  const output = stdout + stderr;
  await noneLeft().catch((error) => { throw new Error(`${program} ended with ${signal ?? status}, but ${error.message}\n${output}`); });
  return { status, signal, output };
}

/** A context that the command printed, as an editor has it, whose clangd has no index. */
export const withoutIndex = (context) => context.replace(/^(# (?:references|callers) [^,\n]*), .*$/gm, '$1, open files only');

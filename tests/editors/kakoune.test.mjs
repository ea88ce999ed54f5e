// Debian's Kakoune with the command of editors/kakoune: what it shows is what the program prints, and each row leads back.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { test } from 'node:test';
import { eventually, marked } from '../e2e/program.mjs';
import { editorHome, limit, printed, printedRows, shipped, sources, waitLimit } from './editor_home.mjs';

/**
 * Starts a session with `file` open, whose kakrc is `kakrc` after the shipped file; with `setup` what `symbols setup` writes. Gives what runs commands in
 * its client.
 */
async function startKakoune(t, { file = 'geometry.cpp', files = { [file]: sources[file] }, programs, kakrc = '', setup }) {
  const kakrcFile = setup ? {} : { '.config/kak/kakrc': `source ${shipped('kakoune', 'symbols.kak')}\n${kakrc}\n` };
  const { home, env, place } = editorHome(t, { files: { ...kakrcFile, ...files }, programs, setup });
  const { env: mark, noneLeft, kill } = marked();
  const kak = spawn('kak', ['-s', 'tested', '-ui', 'dummy', file], {
    env: { ...env, ...mark }, cwd: home, detached: true, stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [kak.stdout, kak.stderr]) stream.on('data', (chunk) => { output += chunk; });
  const ended = new Promise((resolve) => { kak.on('close', resolve); });
  const send = (commands) => spawnSync('kak', ['-p', 'tested'], { env, cwd: home, input: commands, timeout: waitLimit }).status === 0;
  // Its session ended, nothing of it is left, and no program that it has started.
  t.after(async () => {
    try {
      send('kill!\n');
      await noneLeft();
    } finally {
      await kill();
      await ended;
    }
  });

  const answer = place('answer');
  /** Runs commands in the client, and gives the file that they wrote. */
  const ask = async (commands) => {
    rmSync(answer, { force: true });
    const kakoune = `try %{ evaluate-commands -client client0 %{ ${commands} } } catch %{ echo -to-file ${answer}.part "error: %val{error}" }
      nop %sh{ mv '${answer}.part' '${answer}' }\n`;
    if (!send(kakoune)) throw new Error(`kak -p failed\n${output}`);
    await eventually(() => existsSync(answer), waitLimit, 'an answer of Kakoune');
    return readFileSync(answer, 'utf8');
  };
  await eventually(() => send('nop\n'), waitLimit, 'the session');
  return {
    home, env, place,
    do: (commands) => ask(`${commands}\necho -to-file ${answer}.part ''`),
    /** Name of the buffer that the client shows after these commands, whether they fail or not; one-based line, byte column. */
    state: async (commands = 'nop') => {
      const text = await ask(`try %{ ${commands} }
        echo -to-file ${answer}.part "%val{bufname}
%val{cursor_line} %val{cursor_column}"`);
      const [buffer, position] = text.split('\n');
      const [line, column] = position.split(' ').map(Number);
      return { buffer, line, column };
    },
    text: () => ask(`evaluate-commands -draft %{ execute-keys '%' ; echo -to-file ${answer}.part -- %val{selection} }`),
    option: (name) => ask(`echo -to-file ${answer}.part -- %opt{${name}}`),
    debug: () => ask(`evaluate-commands -buffer *debug* %{ execute-keys '%' ; echo -to-file ${answer}.part -- %val{selection} }`),
  };
}

/** Gives the command, and waits for its buffer; fails with what Kakoune says instead. */
async function shown(kakoune, command) {
  assert.equal(await kakoune.do(command), '');
  await eventually(async () => (await kakoune.state()).buffer === '*symbols*', waitLimit, () => kakoune.debug());
  return kakoune.text();
}

for (const file of ['names.cpp', 'names.ts']) {
  test(`${file}: each format is what the program prints, and each row leads to its symbol`, limit, async (t) => {
    const kakoune = await startKakoune(t, { file });
    for (const format of ['table', 'tree', 'outline']) {
      const { text, starts } = await printedRows(['--format', format], file, kakoune);
      assert.equal(await shown(kakoune, `symbols ${format}`), `${text}\n`);
      for (const [i, start] of starts.entries()) {
        const place = await kakoune.state(`buffer *symbols*; select ${i + 1}.1,${i + 1}.1; execute-keys -with-maps <ret>`);
        assert.deepEqual(place, start ? { buffer: file, line: start.line + 1, column: start.byte + 1 } : { buffer: '*symbols*', line: i + 1, column: 1 });
      }
      await kakoune.do(`buffer ${file}`);
    }
  });
}

test('no format: the outline, for people, leads to its symbols; the table where it is configured', limit, async (t) => {
  const kakoune = await startKakoune(t, {});
  const print = (...args) => printed([...args, 'geometry.cpp'], kakoune);
  const text = await shown(kakoune, 'symbols');
  assert.equal(text, `${await print('--format', 'outline', '--kind-names')}\n`);
  const row = text.split('\n').findIndex((line) => line.includes('] (Function) calculate_area')) + 1;
  assert.deepEqual(await kakoune.state(`buffer *symbols*; select ${row}.1,${row}.1; execute-keys -with-maps <ret>`),
    { buffer: 'geometry.cpp', line: 10, column: 8 });
  await kakoune.do('set-option global symbols_format table');
  assert.equal(await shown(kakoune, 'symbols'), `${await print('--format', 'table')}\n`);
});

test('options go to the program', limit, async (t) => {
  const kakoune = await startKakoune(t, { kakrc: 'set-option global symbols_format tree' });
  const text = await shown(kakoune, 'symbols --no-hover --kind Method --children yes');
  assert.equal(text, `${await printed(['--format', 'tree', '--no-hover', '--kind', 'Method', 'geometry.cpp'], kakoune)}\n`);
});

test('a buffer that is closed leaves nothing behind', limit, async (t) => {
  const kakoune = await startKakoune(t, {});
  const left = () => readdirSync(kakoune.home).filter((name) => name.startsWith('kak-symbols.'));
  await shown(kakoune, 'symbols tree');
  assert.equal(left().length, 1);
  assert.equal(await kakoune.do('delete-buffer *symbols*'), '');
  assert.deepEqual(left(), []);
});

for (const [name, { programs, shown: first, command, says }] of Object.entries({
  'no such format': { command: 'symbols yaml', says: 'symbols: there is no such format; there are table, tree, outline, tsv, toon and packed' },
  'a buffer without a file': { command: 'edit -scratch; symbols', says: 'symbols: this buffer has no file' },
  'unsaved changes': { command: 'execute-keys ix<esc>; symbols', says: 'symbols: the file lacks what was changed in the buffer; write it first' },
  'the program is not found': {
    programs: ['clangd'], command: 'symbols',
    says: 'symbols: the program is not found; install it, or say where it is: set-option global symbols_program /path/to/symbols',
  },
  'no rows in packed': {
    shown: 'symbols packed', command: 'symbols-jump', says: 'symbols: packed has no rows to jump from; use another format',
  },
  'the heading is no row': { shown: 'symbols table', command: 'execute-keys gg; symbols-jump', says: 'symbols: no symbol stands in this line' },
})) {
  test(`wrong: ${name}`, limit, async (t) => {
    const kakoune = await startKakoune(t, { programs });
    if (first) await shown(kakoune, first);
    const message = await kakoune.do(command);
    assert.ok(message.includes(says), message);
  });
}

test("the program's own message is shown", limit, async (t) => {
  const kakoune = await startKakoune(t, { file: 'notes.unknown', files: { 'notes.unknown': 'text\n' } });
  await kakoune.do('symbols');
  const message = await eventually(() => kakoune.debug().then((text) => /symbols: .*notes\.unknown/.exec(text)?.[0]), waitLimit);
  assert.match(message, /symbols: notes\.unknown|notes\.unknown: /);
});

test('a table that is older than the text says so', limit, async (t) => {
  const kakoune = await startKakoune(t, {});
  await shown(kakoune, 'symbols tree');
  await kakoune.do('buffer geometry.cpp; execute-keys ggOnew<esc>');
  assert.equal(await kakoune.do('buffer *symbols*; execute-keys gg; execute-keys -with-maps <ret>'), '');
  assert.deepEqual(await kakoune.state(), { buffer: 'geometry.cpp', line: 2, column: 11 });
});

test("the servers of kak-lsp are behind the proxy, and its own hooks are gone", limit, async (t) => {
  const kakoune = await startKakoune(t, {
    kakrc: `declare-option str lsp_servers
      hook -group lsp-filetype-c-family global BufSetOption filetype=cpp %{ echo -debug 'still there' }
      source ${shipped('kakoune', 'kak-lsp.kak')}`,
    files: { 'a.cpp': '', 'a.ts': '' }, file: 'a.cpp',
  });
  for (const [file, filetype, server] of [['a.cpp', 'cpp', 'clangd'], ['a.ts', 'typescript', 'typescript-language-server']]) {
    assert.equal(await kakoune.do(`edit ${file}; set-option buffer filetype ${filetype}`), '');
    assert.match(await kakoune.option('lsp_servers'), new RegExp(`\\[${server}\\]\n *command = "symbols"\n`));
  }
  assert.doesNotMatch(await kakoune.debug(), /still there|error.*(?:kak-lsp|BufSetOption)/);
});

test('what symbols setup writes: the command, with this machine\'s program', limit, async (t) => {
  const kakoune = await startKakoune(t, { setup: 'kakoune' });
  assert.match(await kakoune.option('symbols_program'), /^\/.*\/bin\/symbols$/);
  assert.match(await kakoune.do('symbols nonsense'), /symbols: there is no such format/);
});

// `symbols completions`: its scripts in real shells, at a terminal. A word is typed in part, Tab completes it, and Enter runs the
// line: what the shell then calls is what was completed. And the manual pages, checked by groff and mandoc.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, folder, hangLimit, isInstalled, project, run, start, symbolsPath } from './program.mjs';

// How each is started without anybody's settings, and reads the script.
const shells = {
  bash: (script) => ({ command: 'bash --noprofile --norc -i', setUp: `PS1='ready> '; bind 'set bell-style none'; source ${script}` }),
  zsh: (script) => ({ command: 'zsh -f -i', setUp: `PS1='ready> '; unsetopt beep; autoload -U compinit; compinit -D -u; source ${script}` }),
  fish: (script) => ({ command: 'fish --no-config -i', setUp: `function fish_prompt; echo 'ready> '; end; source ${script}` }),
};

// What is typed, \t for Tab, and the words that the program is then called with.
const cases = [
  ['compl\tzs\t', ['completions', 'zsh']],
  ['--format=tre\t', ['--format=tree']],
  ['proxy -f stan\t -- my-lang\t', ['proxy', '-f', 'standard', '--', 'my-language-server']],
  ['convert --fr\tpac\t--to toon repl\t', ['convert', '--from', 'packed', '--to', 'toon', 'reply.json']],
  ['find -k Class,Interf\t', ['find', '-k', 'Class,Interface']],
  ['--server my-own\t', ['--server', 'my-own-server']],
  ['index an\t', ['index', 'an-inner/']],
  ['context an-o\t', ['context', 'an-odd name.ts']],
];

// zsh joins an option that it completes with its value, and leaves out the slash at the end of a folder.
const parts = (word) => (word.startsWith('--') ? word.split('=') : [word.replace(/\/$/, '')]);

for (const [shell, how] of Object.entries(shells)) {
  const skip = isInstalled(shell) && isInstalled('script') ? false : `${shell} is not here`;
  test(`${shell} completes commands, options, values, servers, targets and files`, { skip }, async (t) => {
    const home = folder(t, {
      'work/an-odd name.ts': '', 'work/an-inner/a.ts': '', 'work/reply.json': '[]',
      // Completes as the real one does, and records with which words it is called otherwise.
      'bin/symbols': `#!/bin/sh\nif [ "$1" = __complete ]; then exec '${symbolsPath}' "$@"; fi\n` +
        `printf '%s\\0' "$@" >"$HOME/words.new"; mv "$HOME/words.new" "$HOME/words"\n`,
      'bin/my-language-server': '#!/bin/sh\n',
      'config/symbols/servers.json': JSON.stringify({ servers: [{ name: 'my-own-server', command: ['my-language-server'], languages: [{ id: 'mine', extensions: ['.mine'] }] }] }),
    });
    for (const name of readdirSync(join(home, 'bin'))) chmodSync(join(home, 'bin', name), 0o755);
    const { stdout, status } = await run(['completions', shell]);
    assert.equal(status, 0);
    const script = join(home, 'script');
    writeFileSync(script, stdout);
    const { command, setUp } = how(script);
    const child = start(['-qefc', command, '/dev/null'], {
      program: 'script', cwd: join(home, 'work'), stdio: ['pipe', 'pipe', 'pipe'], keepInput: true,
      env: { HOME: home, XDG_CONFIG_HOME: join(home, 'config'), XDG_DATA_HOME: join(home, 'data'), TERM: 'xterm', PATH: `${join(home, 'bin')}:${process.env.PATH}` },
    });
    t.after(() => child.kill('SIGKILL'));
    let shown = '';
    child.stdout.on('data', (chunk) => { shown += chunk; });
    const type = (text) => child.stdin.write(text);
    // The set-up is read when the prompt that it asks for is there.
    type(`${setUp}\r`);
    await eventually(() => /(^|[\r\n\x1b\w])[^']*ready> (?!')/.test(shown.split(setUp).at(-1)), hangLimit, () => shown);
    const words = join(home, 'words');
    for (const [typed, expected] of cases) {
      type(`symbols ${typed}\r`);
      await eventually(() => existsSync(words), hangLimit, () => `${typed}: ${shown.slice(-2000)}`);
      assert.deepEqual(readFileSync(words, 'utf8').split('\0').slice(0, -1).flatMap(parts), expected.flatMap(parts), typed);
      rmSync(words);
    }
    type('exit\r');
    await child.finished;
  });
}

test('a manual page for the program and one for each command, without a mistake in it', async (t) => {
  const made = join(folder(t), 'made');
  execFileSync('sh', [join(project, 'cmake/made_files.sh'), symbolsPath, made]);
  const pages = join(made, 'man/man1');
  const { stdout: help } = await run(['--help']);
  const commands = help.slice(help.indexOf('Subcommands:'), help.indexOf('Examples:')).match(/^ {2}[a-z]+/gm).map((name) => name.trim());
  assert.ok(commands.length > 10, commands);
  assert.deepEqual(readdirSync(pages).sort(), ['symbols.1', ...commands.map((name) => `symbols-${name}.1`)].sort());
  for (const name of readdirSync(pages)) {
    const page = join(pages, name);
    const command = name === 'symbols.1' ? [] : [name.slice('symbols-'.length, -2)];
    if (isInstalled('groff')) assert.equal(execFileSync('groff', ['-ww', '-man', '-z', page], { encoding: 'utf8' }), '', name);
    if (isInstalled('mandoc')) assert.equal(execFileSync('mandoc', ['-T', 'lint', '-W', 'error', page], { encoding: 'utf8' }), '', name);
    // Every option that the help names is in the page.
    if (!isInstalled('man')) continue;
    const { stdout: long } = await run([...command, '--help']);
    const text = execFileSync('man', ['-l', page], { encoding: 'utf8', env: { ...process.env, MANWIDTH: '100', LC_ALL: 'C.UTF-8' } });
    for (const option of long.match(/(?<=^ {2,5}(-\w,)?)--[a-z-]+/gm)) assert.ok(text.includes(option), `${name}: ${option}`);
  }
});

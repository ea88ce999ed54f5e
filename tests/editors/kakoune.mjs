// Runs Debian's Kakoune without a screen, with the command of editors/kakoune. A session is driven as by its user: commands
// are sent to it, and it is asked what its client shows.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { eventually, marked } from '../e2e/program.mjs';
import { editorHome, shipped, waitLimit } from './editor_home.mjs';

/** Starts a session whose kakrc is \`kakrc\` after the shipped file. `.do(commands)` runs them in its client; `.state()`. */
export async function startKakoune(t, { files = {}, programs, kakrc = '', file }) {
  const { home, env, place } = editorHome(t, {
    files: { '.config/kak/kakrc': `source ${shipped('kakoune', 'symbols.kak')}\n${kakrc}\n`, ...files },
    programs,
  });
  const { env: mark, noneLeft, kill } = marked();
  const kak = spawn('kak', ['-s', 'tested', '-ui', 'dummy', ...(file ? [file] : [])], {
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
    /** The message with which the commands failed, or ''. */
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
    text: async () => {
      await ask(`evaluate-commands -draft %{ execute-keys '%' ; echo -to-file ${answer}.part -- %val{selection} }`);
      return readFileSync(answer, 'utf8');
    },
    option: (name) => ask(`echo -to-file ${answer}.part -- %opt{${name}}`),
    debug: async () => ask(`evaluate-commands -buffer *debug* %{ execute-keys '%' ; echo -to-file ${answer}.part -- %val{selection} }`),
  };
}

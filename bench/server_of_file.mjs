// Which server `symbols FILE` starts for a file and how, and which files `symbols index` asks about, so that what it is measured
// against does the same.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fail, project, temporaryFolder } from './arguments.mjs';

const program = process.env.SYMBOLS ?? join(project, 'build/symbols');

/**
 * The server's command, and as environment of bench/plain_client or bench/hover_client its root and options, from what
 * symbols itself does with these arguments: its --log tells.
 */
export function whatIsStarted(args) {
  const log = join(temporaryFolder(), 'log');
  const { status, stderr, error } = spawnSync(program, ['--log', log, ...args], { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
  if (status !== 0) fail(`${program} ${args.join(' ')}: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
  const [run, initialize] = readFileSync(log, 'utf8').split('\n').map((line) => line.replace(/^(\S+ ){3}/, ''));
  const { params } = JSON.parse(initialize);
  return {
    command: JSON.parse(run),
    env: {
      // symbols keeps TypeScript 7 from running npm; what it costs is not to be counted against the other.
      ...(JSON.parse(run)[0].endsWith('/tsc') && { SERVER_PATH: '' }),
      ROOT: decodeURIComponent(params.rootUri.slice(7)),
      ...(params.initializationOptions && { INITIALIZATION_OPTIONS: JSON.stringify(params.initializationOptions) }),
    },
  };
}

const languages = { '.ts': 'typescript', '.mts': 'typescript', '.tsx': 'typescriptreact', '.js': 'javascript', '.mjs': 'javascript', '.cc': 'cpp', '.cpp': 'cpp', '.h': 'cpp', '.hpp': 'cpp', '.c': 'c', '.py': 'python', '.go': 'go' };
export const languageOf = (path) => languages[extname(path)];

/** The paths of the sources in a folder, sorted. */
export const sourcesIn = (folder) => readdirSync(folder, { recursive: true }).sort()
  .filter((name) => languageOf(name) && !/(^|\/)(node_modules|build|\.git)\//.test(name)).map((name) => join(folder, name));

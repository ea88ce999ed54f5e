// Sources of three projects, in as many languages, for those who ask about a whole project: rxjs, a Python package of oh-my-opencode,
// and a part of this one. And questions about them, with what the answers say.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ownEnvironment } from './language_servers.mjs';
import { clientsFolder, folder, project, serversFolder, sourcesFolder } from './program.mjs';

const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal');
const engine = join(clientsFolder, 'node_modules/oh-my-opencode/packages/shared-skills/skills/ultimate-browsing/engine');

function copy(from, to, isWanted) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from).filter((one) => isWanted.test(one))) cpSync(join(from, name), join(to, name), { recursive: true });
}

/**
 * `cwd`: a folder with all three; `env`: an environment with a cache of its own, and with what starts the servers of all three.
 * `config`: more files of XDG_CONFIG_HOME.
 */
export function realProject(t, config = {}) {
  const cwd = folder(t, {
    'rxjs/package.json': '{"name": "rxjs"}',
    'rxjs/tsconfig.json': '{"compilerOptions": {"strict": true, "target": "es2020", "lib": ["es2020", "dom"], "types": []}}',
    'cpp/compile_flags.txt': '-xc++\n-std=c++20\n-I.\n',
    'python/pyproject.toml': '[project]\nname = "engine"\nversion = "1"\n',
    'python/wrong.py': 'from engine.summary import format_summary\n\nresult: int = format_summary\n',
  });
  copy(rxjs, join(cwd, 'rxjs/src'), /^[A-Z]\w+\.ts$|^(types|config|firstValueFrom|lastValueFrom)\.ts$|^(util|symbol|scheduler)$/);
  copy(engine, join(cwd, 'python/engine'), /\.py$/);
  copy(join(project, 'base'), join(cwd, 'cpp/base'), /\.(h|cc)$/);
  copy(join(project, 'lsp'), join(cwd, 'cpp/lsp'), /^(uri|unicode)\.(h|cc)$/);
  return {
    cwd,
    env: { ...ownEnvironment(t, config), PATH: `${join(sourcesFolder, 'node_modules/.bin')}:${process.env.PATH}`, SYMBOLS_SERVERS_DIR: serversFolder },
  };
}

export const questions = {
  TypeScript: [
    ['outline', { paths: ['rxjs/src/Subject.ts'] }, /^# \d+ symbols: .*\nc17-157 Subject\n p18 closed p20 currentObservers[^]*\nc159-185 AnonymousSubject\n/],
    ['outline', { paths: ['rxjs/src/scheduler'], kind: ['Class'], verbosity: 'signatures' }, /^==> rxjs\/src\/scheduler\/Action\.ts <==\n# signatures\nc17 Action<T>\n[^]*==> rxjs\/src\/scheduler\/VirtualTimeScheduler\.ts <==\n/],
    ['find', { query: 'createErrorClass' }, /\nrxjs\/src\/util\/createErrorClass\.ts:\d+ \| Function \|  \| createErrorClass\n/],
    ['find', { query: 'Subject.next', kind: ['Method'] }, /\nrxjs\/src\/Subject\.ts:59 \| Method \| Subject \| next\b/],
    ['context', { name: 'BehaviorSubject' }, /^c\d+-\d+ BehaviorSubject.*\tclass BehaviorSubject<T> - A variant of Subject that requires an initial value[^]*\n# source rxjs\/src\/BehaviorSubject\.ts:\d+-\d+\n export class BehaviorSubject<T> extends Subject<T> \{/],
    ['context', { path: 'rxjs/src/util/isFunction.ts', name: 'isFunction', callers: 50 }, /\n# references \d+ of \d+, .*\nrxjs\/src\/[^]*\n# callers \d+, .*\n[^]*\nisObserver rxjs\/src\/Observable\.ts:481: 482\n/],
    ['map', { folder: 'rxjs/src/util', max_tokens: 300 }, /^rxjs\/src\/util\/.*\n[^]*createErrorClass/],
    ['diagnostics', { paths: ['rxjs/src/config.ts'] }, /^no diagnostics in 1 file$/],
    ['hover', { path: 'rxjs/src/Subject.ts', line: 59 }, /^m59-71 next:?.*\t\(method\) Subject<T>\.next\(value: T\): void$/],
  ],
  'C++': [
    ['outline', { paths: ['cpp/lsp/uri.h'] }, /^n\d+ symbols\n n\d+ lsp\n  f\d+ file_uri f\d+ file_path$/],
    ['outline', { paths: ['cpp/lsp', 'cpp/base'], match: 'file_' }, /==> cpp\/lsp\/uri\.cc <==\n[^]*file_path[^]*==> cpp\/lsp\/uri\.h <==\n/],
    ['find', { query: 'file_path' }, /\ncpp\/lsp\/uri\.cc:\d+ \| Function \| lsp \| file_path\ncpp\/lsp\/uri\.h:\d+ \| Function \| lsp \| file_path\b/],
    ['context', { path: 'cpp/lsp/uri.h', name: 'file_path' }, /^f\d+ file_path.*\t.*std::optional<std::string> file_path\(std::string_view uri\) - The path of a file URI[^]*\n# source cpp\/lsp\/uri\.h:\d+\n std::optional<std::string> file_path\(std::string_view uri\);\n[^]*\nno diagnostics$/],
    ['map', { folder: 'cpp' }, /^cpp\/base\/[^]* result(\.h)?: Error[^]*\ncpp\/lsp\/\n[^]*file_path/],
    ['diagnostics', { paths: ['cpp/lsp/uri.cc', 'cpp/lsp/unicode.cc'] }, /^no diagnostics in 2 files$/],
    ['hover', { path: 'cpp/lsp/uri.h', name: 'file_uri' }, /^f\d+ file_uri.*\t.*std::string file_uri\(/],
  ],
  Python: [
    ['outline', { paths: ['python/engine/result_schema.py'], verbosity: 'signatures' }, /^(?:# \d+ symbols: .*\n)?# signatures\nc7 Attempt\(phase: str, executor: str, [^]*\nc26-45 FetchResult\(ok: bool, [^]*\n m36 to_dict\(\)/],
    ['find', { query: 'FetchResult' }, /\npython\/engine\/result_schema\.py:27 \| Class \|  \| FetchResult\b/],
    ['context', { name: 'Attempt' }, /^c7-23 Attempt.*\tclass Attempt\(phase: str, [^]*\n# references 10 of \d+, .*\npython\/engine\/[^]*\n# callers 3, .*\nrun_attempt python\/engine\/curl_probe\.py:55: 71\n/],
    ['map', { folder: 'python', max_tokens: 400 }, /^python\/\n?[^]*engine\/[^]*result_schema/],
    ['diagnostics', { paths: ['python/engine/result_schema.py', 'python/wrong.py'] }, /python\/wrong\.py: 1 diagnostic:\n3:15 {2}error {2}Type "\(trace: list\[Attempt\], /],
    ['hover', { path: 'python/engine/summary.py', name: 'format_summary' }, /^f\d+-\d+ format_summary.*\t\(function\) def format_summary\(/],
  ],
};

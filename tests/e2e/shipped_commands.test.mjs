// Every command line of the configurations that editors/ ships for harnesses and language clients that cannot be run here, with the
// arguments that they add, before the real server.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { serverSettings } from './language_servers.mjs';
import { openInServer } from './plain_client.mjs';
import { folder } from './program.mjs';
import { commandLines, questions, server, shipped, shippedPrograms, shippedProject, typescriptOptions } from './shipped.mjs';

/** Serena's `ls_base_cmd`s (flow sequences, which are JSON) and the arguments that it appends for each language. */
function serenaLines(config) {
  const appended = { cpp: ['--background-index'], typescript: ['--stdio'] };
  return [...config.matchAll(/^ {2}(\w+):\n {4}ls_base_cmd: (\[.*\])$/gm)].map(([, language, line]) => [...JSON.parse(line), ...appended[language]]);
}

/** What mcp-language-server starts: the program behind --lsp, with the arguments behind its own `--`. */
const mcpLines = (config) => Object.values(JSON.parse(config).mcpServers).map(({ args }) =>
  [args[args.indexOf('--lsp') + 1], ...args.slice(args.indexOf('--') + 1)]);

/** Of Sublime Text, whose JSON has comments. */
const sublimeLines = (config) => commandLines(config.replace(/^\s*\/\/.*$/gm, ''));
const zedLines = (config) => Object.values(JSON.parse(config).lsp).map(({ binary }) => [binary.path, ...binary.arguments]);
/** Of kak-lsp, TOML whose strings and arrays are JSON too. */
const kakouneLines = (config) => [...config.matchAll(/command = (".*")\n *args = (\[.*\])/g)].map(([, command, args]) => [JSON.parse(command), ...JSON.parse(args)]);

const configurations = [
  { parts: ['crush', 'crush.json'], hover: 'standard' },
  { parts: ['serena', 'serena_config.yml'], hover: 'text', lines: serenaLines },
  { parts: ['mcp-language-server', 'mcp.json'], hover: 'text', lines: mcpLines },
  { parts: ['sublime', 'LSP.sublime-settings'], hover: 'standard', lines: sublimeLines },
  { parts: ['sublime', 'LanguageServers.sublime-settings'], hover: 'standard', lines: sublimeLines },
  { parts: ['zed', 'settings.json'], hover: 'standard', lines: zedLines },
  { parts: ['kakoune', 'kak-lsp.kak'], hover: 'standard', lines: kakouneLines },
];

/** What a server answers: its symbols and the hover at the symbol that `questions` names. `variables`: NAME=value. */
async function ask(variables, commandLine, { cwd, file, languageId, line, character }) {
  const { uri, request, finish } = await openInServer('env', [...variables, ...commandLine], join(cwd, file), languageId, typescriptOptions, cwd);
  const textDocument = { uri };
  const symbols = (await request('textDocument/documentSymbol', { textDocument })).result;
  const hover = (await request('textDocument/hover', { textDocument, position: { line: line - 1, character: character - 1 } })).result;
  await finish();
  return { symbols, hover };
}

const cases = [['cpp', 'clangd'], ['ts', 'typescript-language-server']];
for (const [language, name] of cases) {
  test(`${name}: what each harness is given`, async (t) => {
    const variables = [`PATH=${shippedPrograms(t)}`, `XDG_CONFIG_HOME=${folder(t, serverSettings)}`];
    const { says, ...question } = { ...questions[language], cwd: shippedProject(t), languageId: { cpp: 'cpp', ts: 'typescript' }[language] };
    // Several harnesses have the same command line.
    const answers = {};
    const asked = (line) => answers[line] ??= ask(variables, line, question);
    for (const { parts, hover, lines = commandLines } of configurations) {
      await t.test(parts.join('/'), async () => {
        const all = lines(shipped(...parts));
        assert.deepEqual(all.map((one) => server(one)[0]).sort(), cases.map(([, program]) => program).sort());
        const line = all.find((one) => server(one)[0] === name);
        const bare = await asked(server(line));
        const answer = await asked(line);

        assert.deepEqual(answer.symbols, bare.symbols);
        if (hover === 'standard') assert.deepEqual(answer.hover, bare.hover);
        else {
          assert.deepEqual([answer.hover.contents.kind, answer.hover.range], ['plaintext', bare.hover.range]);
          assert.ok(!answer.hover.contents.value.includes('\n'));
        }
        assert.match(JSON.stringify(answer.hover), says);
      });
    }
  });
}

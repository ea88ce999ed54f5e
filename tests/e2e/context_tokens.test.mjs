// What one `symbols context` costs a language model, and what the replies cost that it stands for: those to documentSymbol,
// hover, references and incomingCalls, minified, as an agent gets them from a server itself. Counted with the tokenizer's own
// vocabulary, o200k_base.
import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { languageServers, serverSettings } from './language_servers.mjs';
import { inPreOrder, openInServer } from './plain_client.mjs';
import { folder, run, sourcesFolder } from './program.mjs';
import { countTokens } from './tokens.mjs';

const zod = join(sourcesFolder, 'node_modules/zod/src/v3');
const rxjs = join(sourcesFolder, 'node_modules/rxjs/src/internal');

/** The raw results for the symbol of this name. */
async function fourReplies({ command, args, language }, file, name) {
  const { uri, request, finish } = await openInServer(command, args, file, language);
  const textDocument = { uri };
  const symbols = (await request('textDocument/documentSymbol', { textDocument })).result;
  const symbol = inPreOrder(symbols).find((one) => one.name === name);
  const at = { textDocument, position: symbol.selectionRange.start };
  const hover = (await request('textDocument/hover', at)).result;
  const references = (await request('textDocument/references', { ...at, context: { includeDeclaration: false } })).result;
  const prepared = (await request('textDocument/prepareCallHierarchy', at)).result;
  const callers = prepared?.length ? (await request('callHierarchy/incomingCalls', { item: prepared[0] })).result : null;
  await finish();
  delete symbol.parent;  // inPreOrder's own
  return { symbols, symbol, hover, references, callers };
}

/** One hover reply has none of them. */
function withoutHoversOfChildren(context) {
  const lines = context.split('\n');
  for (let i = 2; i < lines.length && lines[i].endsWith(' | <<<'); ++i) lines[i] = [...lines[i].split(' | ').slice(0, 5), '', '<<<'].join(' | ');
  return lines.join('\n');
}

for (const [server, file, name] of [
  ['clangd', '/usr/include/rapidjson/document.h', 'GenericStringRef'],
  ['TypeScript 7', join(zod, 'helpers/parseUtil.ts'), 'addIssueToContext'],
  ['TypeScript 7', join(zod, 'types.ts'), 'processCreateParams'],
  ['TypeScript 7', join(rxjs, 'Observable.ts'), 'Observable'],
]) {
  test(`${server}: ${name} in one answer, at no more than half of what four replies cost`, async (t) => {
    const raw = await fourReplies(languageServers[server], file, name);
    const { line, character } = raw.symbol.selectionRange.start;
    const ask = async (...options) => {
      const args = ['context', '--format', 'table', `${file}:${line + 1}:${character + 1}`, '--root', dirname(file), ...options];
      if (server === 'clangd') args.push('--language', 'cpp');
      const { status, stdout, stderr } = await run(args, { env: { XDG_CONFIG_HOME: folder(t, serverSettings) } });
      assert.equal(status, 0, stderr);
      assert.ok(stdout.split('\n')[1].startsWith(`${name} | `), stdout);
      return stdout;
    };
    const minified = (...results) => countTokens(JSON.stringify(results));
    // As it comes: limits on the long lists, but source lines and diagnostics too.
    const usual = countTokens(await ask());
    const replies = minified(raw.symbols, raw.hover, raw.references, raw.callers);
    // The same content: nothing of the replies left out and nothing added, of the document's symbols no others.
    const everything = await ask('--include', 'references:10000,callers:10000,children:10000,source:0,diagnostics:0', '--children', 'yes');
    const same = countTokens(withoutHoversOfChildren(everything));
    const ofSymbol = minified(raw.symbol, raw.hover, raw.references, raw.callers);
    t.diagnostic(`context ${usual}, four replies ${replies}; same content: context ${same}, four replies ${ofSymbol}`);
    assert.ok(usual <= replies / 2, `${usual} tokens, the replies ${replies}`);
    assert.ok(same <= ofSymbol / 2, `${same} tokens, the replies ${ofSymbol}`);

    const told = (part) => Number(new RegExp(`^# ${part} (\\d+)(, .*)?$`, 'm').exec(everything)?.[1] ?? 0);
    assert.equal(told('references'), raw.references.length);
    assert.equal(told('callers'), raw.callers?.length ?? 0);
    assert.ok(raw.references.length > 1);
  });
}

// A language server that answers at a size that no real one reaches. A request `die` ends it with status 9.
//
//   node large_server.mjs NAME=NUMBER…
//
// symbols   how many symbols each documentSymbol reply has (2)
// deep      1: each is the child of the one before
// padding   bytes of `detail` of each symbol (0)
// hover     bytes of each hover's text (10); 0: hovers are never answered
// reply     bytes of the result of every other request (10)
// behind    1: ids stand behind the results
// announce  not 0: the length that the header of a documentSymbol reply announces, of which no byte comes
// hold      nothing is answered before so many requests have come, initialize not counted (0)
import { frameSplitter } from './lsp_stream.mjs';

const numbers = { symbols: 2, deep: 0, padding: 0, hover: 10, reply: 10, behind: 0, hold: 0, announce: 0 };
for (const argument of process.argv.slice(2)) {
  const [name, number] = argument.split('=');
  if (!(name in numbers)) throw new Error(`no ${name}`);
  numbers[name] = Number(number);
}

function symbol(line, last) {
  const name = `f${line}`;
  const padding = numbers.padding ? `"detail":"${'x'.repeat(numbers.padding)}",` : '';
  return `{"name":"${name}","kind":12,${padding}"range":{"start":{"line":${line},"character":0},"end":{"line":${last},"character":20}},` +
    `"selectionRange":{"start":{"line":${line},"character":2},"end":{"line":${line},"character":${2 + name.length}}}`;
}

function symbolsJson() {
  const { symbols: count, deep } = numbers;
  const parts = [];
  for (let line = 0; line < count; ++line) parts.push(symbol(line, deep ? 2 * count - line : line) + (deep ? ',"children":[' : '}'));
  return Buffer.from(deep ? `[${parts.join('')}${']}'.repeat(count)}]` : `[${parts.join(',')}]`);
}

const filled = (before, size, letter, after) => Buffer.concat([Buffer.from(before), Buffer.alloc(size, letter), Buffer.from(after)]);
const made = {};
const text = (name, make) => (made[name] ??= Buffer.from(make()));
const results = {
  initialize: () => text('initialize', () => JSON.stringify({ capabilities: { documentSymbolProvider: true, hoverProvider: true, textDocumentSync: 2 } })),
  'textDocument/documentSymbol': () => text('symbols', symbolsJson),
  'textDocument/hover': () => text('hover', () => filled('{"contents":{"kind":"plaintext","value":"', numbers.hover, 'h', '"}}')),
  shutdown: () => text('null', () => 'null'),
};

const held = [];
process.stdin.on('data', frameSplitter((header, body) => {
  const { id, method } = JSON.parse(body);
  if (method === 'exit') process.exit(0);
  if (method === 'die') process.exit(9);
  if (id === undefined || method === undefined || (method === 'textDocument/hover' && numbers.hover === 0)) return;
  if (method === 'initialize' || numbers.hold === 0) return answer(id, method);
  held.push([id, method]);
  if (held.length < numbers.hold) return;
  numbers.hold = 0;
  for (const one of held.splice(0)) answer(...one);
}));
process.stdin.on('end', () => process.exit(0));

function answer(id, method) {
  if (numbers.announce && method === 'textDocument/documentSymbol') return process.stdout.write(`Content-Length: ${numbers.announce}\r\n\r\n`);
  const result = results[method]?.() ?? text('reply', () => filled('"', numbers.reply, 'r', '"'));
  const before = Buffer.from(numbers.behind ? '{"jsonrpc":"2.0","result":' : `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`);
  const after = Buffer.from(numbers.behind ? `,"id":${JSON.stringify(id)}}` : '}');
  const length = before.length + result.length + after.length;
  process.stdout.write(`Content-Length: ${length}\r\n\r\n`);
  process.stdout.write(before);
  process.stdout.write(result);
  process.stdout.write(after);
}

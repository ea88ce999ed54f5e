// Messages as no sane peer writes them and as the protocol, or its readers, allow them all the same: a seeded generator.
import { frame } from './lsp_stream.mjs';

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
export function random(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let z = Math.imul(state ^ (state >>> 15), 1 | state);
    z = (z + Math.imul(z ^ (z >>> 7), 61 | z)) ^ z;
    return ((z ^ (z >>> 14)) >>> 0) / 2 ** 32;
  };
}

const latin1 = (text) => Buffer.from(text).toString('latin1');

const blanks = ['', '', '', '', ' ', '  ', '\n', '\r\n', '\t', ' \n  '];
const numbers = [
  '0', '1', '-0', '1.0', '1E5', '1e+05', '-1.50e-7', '0.1', '123456789012345678901234567890', '9007199254740993',
  '-9223372036854775809', '1e400', '0.30000000000000000000000000000004', '3.0e0',
];
const ids = [
  '1', '"1"', '0', '-7', '1.0', '1E5', '"a"', '""', '9007199254740993', '18446744073709551617', '"9007199254740993"',
  '"\\u0031"', '"é"', 'null', '"💥"', '123456789012345678901234567890', '"\\"id\\":3"',
];
const strings = [
  '""', '"a"', '"é ü 漢字 💥"', '"\\u00e9"', '"\\u00E9"', '"\\/ / \\\\ \\" \\b\\f\\n\\r\\t"', '"\\ud83d\\udca5"', '"\\ud83d alone"',
  '"\\u0000"', '"Content-Length: 5\\r\\n\\r\\n{}"', '"\\u2028"', '"\u2028\u2029\ufeff"', '"\u007f\u0085"', '"}]"', '"\\"id\\":1,"',
  '"textDocument/hover"', '"file:///tmp/a%20b.ts"', `"${'x'.repeat(5000)}"`,
];
// As latin1: bytes that are no UTF-8, and control characters that JSON forbids.
const brokenStrings = ['"\xff\xfe"', '"\xc0\x80"', '"\xed\xa0\x80"', '"\xe2\x82"', '"a\x00b"', '"line\nend"', '"\x80\xbf"'];
const words = ['true', 'false', 'null'];
const noJson = [
  '', ' ', '\r\n\r\n', 'not { json', '{', '}', '[', '{"jsonrpc":"2.0"', '{"jsonrpc":"2.0","method":', '"text"', '5', 'null', 'true', '[]', '{}',
  '[[[[', '{"a":1}}', '{"id":1}{"id":2}', "{'id':1}", '{"method":5}', '{"method":null,"id":1}', '{"id":{},"method":"m"}',
  '{"id":1,"method":"a","id":2,"method":"b"}', '{"result":1,"result":2,"id":7}', 'Content-Length: 7\r\n\r\n', '\x00\x01\x02\xff',
  '{"jsonrpc":"2.0","method":"m","params":{"a":[1,2}}', '{"jsonrpc":"2.0","id":01,"method":"m"}', '\xef\xbb\xbf{"jsonrpc":"2.0","method":"bom"}',
  '{"jsonrpc":"2.0","id":1,"method":"m","params":NaN}', '{"jsonrpc":"2.0","method":"m",}', '{"id":1,"result":1,"error":{"code":1,"message":"both"}}',
  '{"id":1}', '{"jsonrpc":"2.0","result":null}', '{"method":"$/cancelRequest"}', '{"method":"$/cancelRequest","params":{}}',
  '{"method":"$/cancelRequest","params":{"id":"never asked"}}', '{"method":"textDocument/hover"}', '{"method":"textDocument/documentSymbol","params":5}',
  '{"method":"workspace/executeCommand","id":3,"params":null}', '{"method":"textDocument/didOpen","params":null}', '{"method":"textDocument/didClose"}',
  '{"method":"textDocument/didChange","params":{"textDocument":{"uri":7}}}',
];
const headers = [
  (length) => `Content-Length: ${length}\r\n\r\n`,
  (length) => `content-length: ${length}\r\n\r\n`,
  (length) => `CONTENT-LENGTH:${length}\r\n\r\n`,
  (length) => `Content-Length:   ${length}  \r\n\r\n`,
  (length) => `Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: ${length}\r\n\r\n`,
  (length) => `Content-Length: ${length}\r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n`,
  (length) => `content-type:x\r\ncontent-length:${length}\r\nX-Trace: "a:b"; é\r\n\r\n`,
  (length) => `Content-Length: ${length}\n\n`,
  (length) => `Content-Length: 000${length}\r\n\r\n`,
  (length) => `X-Long: ${'y'.repeat(3000)}\r\nContent-Length: ${length}\r\n\r\n`,
];

// Not intercepted in any format. Requests on documents name one that is nowhere, so that nobody opens it for them.
const clientMethods = [
  'textDocument/completion', 'textDocument/definition', 'textDocument/semanticTokens/full', 'textDocument/didSave', 'workspace/symbol', '$/setTrace',
  'textDocument\\/references', 'custom/étrange', 'textDocument/hovers', 'workspace/didChangeConfiguration', '', 'x'.repeat(300),
  'workspace/willRenameFiles', '$/progress',
];
const serverMethods = [
  'textDocument/publishDiagnostics', 'window/logMessage', 'window/showMessageRequest', 'workspace/configuration', 'client/registerCapability',
  '$/progress', 'telemetry/event', 'workspace/applyEdit', 'custom\\/method', 'textDocument/documentSymbol', 'textDocument/hover', 'initialize', '',
];

/** A generator of `side`'s messages ('client' or 'server'); `.message()` gives a whole frame. */
export class OddTraffic {
  constructor(seed, side) {
    this.random = random(seed);
    this.methods = side === 'client' ? clientMethods : serverMethods;
    this.requests = [];  // the ids (latin1) of all requests so far
  }

  below(limit) {
    return Math.floor(this.random() * limit);
  }
  one(list) {
    return list[this.below(list.length)];
  }

  /** The raw bytes, as latin1, of a value. */
  value(depth = 0) {
    const kind = this.below(depth > 4 ? 7 : 10);
    const blank = this.one(blanks);
    if (kind < 2) return blank + this.one(numbers) + blank;
    if (kind < 5) return blank + latin1(this.one(strings)) + blank;
    if (kind === 5) return this.one(this.below(4) ? strings.slice(0, 2) : brokenStrings);
    if (kind === 6) return this.one(words);
    const values = Array.from({ length: this.below(5) }, () => this.value(depth + 1));
    if (kind === 7) return `[${blank}${values.join(`${blank},`)}]`;
    // Keys come twice, and look like the envelope's.
    const key = () => this.one(['"a"', '"a"', '"id"', '"method"', '"result"', '"\\u0061"', '""', '"textDocument"', '"uri"']);
    return `{${blank}${values.map((value) => `${key()}${blank}:${value}`).join(`,${blank}`)}}`;
  }

  /** The outermost members of a request, notification, reply or error. */
  members() {
    const id = () => ['"id"', latin1(this.one(ids))];
    const request = (member) => {
      this.requests.push(member[1]);
      return member;
    };
    const method = ['"method"', latin1(`"${this.one(this.methods)}"`)];
    const params = this.below(4) === 0 ? ['"params"', `{"textDocument":{"uri":"file:///nonexistent/${this.below(9)}.ts"},"position":{"line":1.0,"character":1E0}}`]
      : ['"params"', this.value()];
    switch (this.below(5)) {
      case 0:
        return [request(id()), method, params];
      case 1:
        return [method, params];
      case 2:
        return [method];
      case 3:
        return [id(), ['"result"', this.value()]];
      default:
        return [id(), ['"error"', `{"code":-32603.0,"message":"\\u00e9\xc3\xa9","data":${this.value()}}`]];
    }
  }

  /** The raw bytes, as latin1, of a body. */
  body(nested = false) {
    const kind = this.below(20);
    if (kind === 0 && !nested) return this.one(noJson);
    if (kind === 1 && !nested) return `[${Array.from({ length: 1 + this.below(4) }, () => this.body(true)).join(',')}]`;
    if (kind === 2 && !nested) return '['.repeat(this.below(20_000));
    const members = this.members();
    if (this.below(4)) members.unshift(['"jsonrpc"', '"2.0"']);
    if (this.below(6) === 0) members.push(['"extra"', this.value()]);
    if (this.below(3) === 0) members.sort(() => this.random() - 0.5);
    const [a, b, c] = [this.one(blanks), this.one(blanks), this.one(blanks)];
    return `${c}{${a}${members.map(([key, value]) => `${key}${b}:${a}${value}`).join(`${b},${a}`)}${b}}${c}`;
  }

  message() {
    return frame(Buffer.from(this.body(), 'latin1'), this.below(3) ? headers[0] : this.one(headers));
  }

  messages(count) {
    return Array.from({ length: count }, () => this.message());
  }
}

/**
 * Replies to all requests of some odd traffic, so that none is left open when its session ends. Bodies that are hardly messages
 * may be taken for requests with ids from 0 to 9 and one of the strings above.
 */
export function repliesToAll(traffic) {
  const all = [...traffic.requests, ...ids.map(latin1), ...Array.from({ length: 10 }, (_, i) => String(i)), '{}', '01'];
  return all.map((id) => frame(Buffer.from(`{"jsonrpc":"2.0","id":${id},"result":1E0}`, 'latin1')));
}

/** Odd messages each way, so many from each side, and at last the server's replies: { client, server } of Buffers. */
export function oddSession(seed, count) {
  const [client, server] = [new OddTraffic(seed, 'client'), new OddTraffic(1000 + seed, 'server')];
  const messages = { client: client.messages(count), server: server.messages(count) };
  return { client: messages.client, server: messages.server, last: repliesToAll(client) };
}

/** A message of a client or a server whose body has about `size` bytes, its id behind all the rest. */
export function bigMessage(size, id) {
  const items = `{"label":"é\\u00e9 1.0","data":[1.0,1E5,null]},`.repeat(Math.ceil(size / 48));
  return frame(`{"jsonrpc":"2.0","result":[${items}0],"id":${id}}`);
}

// Messages as no sane peer writes them and as the protocol, or its readers, allow them all the same.
import { frame } from './lsp_stream.mjs';

const blanks = ['', ' ', '', '\n', '', '\r\n', '\t', ' \n  ', ''];
const ids = [
  '1', '"1"', '0', '-7', '1.0', '1E5', '"a"', '""', '9007199254740993', '18446744073709551617', '"9007199254740993"',
  '"\\u0031"', '"é"', 'null', '"💥"', '123456789012345678901234567890', '"\\"id\\":3"',
];
// Bodies are latin1 here: bytes that are not UTF-8, and control characters that JSON forbids, are among them.
const latin1 = (text) => Buffer.from(text).toString('latin1');
const values = [
  '0', '1', '-0', '1.0', '1E5', '1e+05', '-1.50e-7', '0.1', '123456789012345678901234567890', '9007199254740993',
  '-9223372036854775809', '1e400', '0.30000000000000000000000000000004', '3.0e0', 'true', 'false', 'null',
  ...[
    '""', '"a"', '"é ü 漢字 💥"', '"\\u00e9"', '"\\u00E9"', '"\\/ / \\\\ \\" \\b\\f\\n\\r\\t"', '"\\ud83d\\udca5"', '"\\ud83d alone"',
    '"\\u0000"', '"Content-Length: 5\\r\\n\\r\\n{}"', '"\\u2028"', '"\u2028\u2029\ufeff"', '"\u007f\u0085"', '"}]"', '"\\"id\\":1,"',
    '"textDocument/hover"', '"file:///tmp/a%20b.ts"', `"${'x'.repeat(5000)}"`,
  ].map(latin1),
  '"\xff\xfe"', '"\xc0\x80"', '"\xed\xa0\x80"', '"\xe2\x82"', '"a\x00b"', '"line\nend"', '"\x80\xbf"',
  '[]', '{}', '[1.0,[true,{"a":[1E5]}],"é"]', '{"id":7,"\\u0061":1,"a":{"method":"m","result":[{}]},"a":2}',
];
const notMessages = [
  '', ' ', '\r\n\r\n', 'not { json', '{', '}', '[', '{"jsonrpc":"2.0"', '{"jsonrpc":"2.0","method":', '"text"', '5', 'null', 'true', '[]', '{}',
  '['.repeat(20_000), '{"a":1}}', '{"id":1}{"id":2}', "{'id':1}", '{"method":5}', '{"method":null,"id":1}', '{"id":{},"method":"m"}',
  '{"id":1,"method":"a","id":2,"method":"b"}', '{"result":1,"result":2,"id":7}', 'Content-Length: 7\r\n\r\n', '\x00\x01\x02\xff',
  '{"jsonrpc":"2.0","method":"m","params":{"a":[1,2}}', '{"jsonrpc":"2.0","id":01,"method":"m"}', '\xef\xbb\xbf{"jsonrpc":"2.0","method":"bom"}',
  '{"jsonrpc":"2.0","id":1,"method":"m","params":NaN}', '{"jsonrpc":"2.0","method":"m",}', '{"id":1,"result":1,"error":{"code":1,"message":"both"}}',
  '{"id":1}', '{"jsonrpc":"2.0","result":null}', '{"method":"$/cancelRequest"}', '{"method":"$/cancelRequest","params":{}}',
  '{"method":"$/cancelRequest","params":{"id":"never asked"}}', '{"method":"textDocument/hover"}', '{"method":"textDocument/documentSymbol","params":5}',
  '{"method":"workspace/executeCommand","id":3,"params":null}', '{"method":"textDocument/didOpen","params":null}', '{"method":"textDocument/didClose"}',
  '{"method":"textDocument/didChange","params":{"textDocument":{"uri":7}}}', '[{"id":1,"method":"a"},{"method":"b"}]',
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
  (length) => `Content-Length: ${length}\r\n\r\n`,
];

// Not intercepted in any format. Requests on documents name one that is nowhere, so that it is not opened for them.
const methods = {
  client: [
    'textDocument/completion', 'textDocument/definition', 'textDocument/semanticTokens/full', 'textDocument/didSave', 'workspace/symbol', '$/setTrace',
    'textDocument\\/references', 'custom/étrange', 'textDocument/hovers', 'workspace/didChangeConfiguration', '', 'x'.repeat(300), '$/progress',
  ],
  server: [
    'textDocument/publishDiagnostics', 'window/logMessage', 'window/showMessageRequest', 'workspace/configuration', 'client/registerCapability',
    '$/progress', 'telemetry/event', 'workspace/applyEdit', 'custom\\/method', 'textDocument/documentSymbol', 'textDocument/hover', 'initialize', '',
  ],
};

const at = (list, i) => list[i % list.length];

/** The body number `i` of a side: each of the lists above is gone through, at its own pace. */
function body(i, side) {
  if (i % 7 === 0) return at(notMessages, i / 7);
  const id = ['"id"', latin1(at(ids, i))];
  const method = ['"method"', latin1(`"${at(methods[side], i)}"`)];
  const params = ['"params"', i % 4 ? at(values, i) : `{"textDocument":{"uri":"file:///nonexistent/${i % 9}.ts"},"position":{"line":1.0,"character":1E0}}`];
  const members = at([
    [id, method, params], [params, method, id], [method, params], [method], [id, ['"result"', at(values, i)]], [['"result"', at(values, i)], id],
    [['"jsonrpc"', '"2.0"'], id, ['"error"', `{"code":-32603.0,"message":"\\u00e9\xc3\xa9","data":${at(values, i)}}`]],
    [id, ['"extra"', at(values, i)], method, ['"jsonrpc"', '"2.0"'], params],
  ], i);
  const blank = at(blanks, i);
  return `${blank}{${blank}${members.map(([key, value]) => `${key}${blank}:${blank}${value}`).join(`${blank},`)}${blank}}${blank}`;
}

/**
 * So many messages (frames) of each side, and at last the server's replies to all requests of the client, so that none is open when the
 * session ends: { client, server, last }.
 */
export function oddSession(count) {
  const messages = (side) => Array.from({ length: count }, (_, i) => frame(Buffer.from(body(i, side), 'latin1'), at(headers, i)));
  const asked = [...ids, ...Array.from({ length: 10 }, (_, i) => String(i)), '{}', '01'];
  return { client: messages('client'), server: messages('server'), last: asked.map((id) => frame(`{"jsonrpc":"2.0","id":${id},"result":1E0}`)) };
}

/** A message of a client or a server whose body has about `size` bytes, its id behind all the rest. */
export function bigMessage(size, id) {
  const items = `{"label":"é\\u00e9 1.0","data":[1.0,1E5,null]},`.repeat(Math.ceil(size / 48));
  return frame(`{"jsonrpc":"2.0","result":[${items}0],"id":${id}}`);
}

// LSP frames over a pair of Node streams, for the scripted server and the plain client of these tests: an implementation of
// its own, so that it cannot share a mistake with the program under test.

/** Calls `receive(message)` for every message that comes on `readable`. */
export function readMessages(readable, receive) {
  let buffer = Buffer.alloc(0);
  readable.on('data', (chunk) => {
    buffer = Buffer.concat([buffer, chunk]);
    for (;;) {
      const header = buffer.indexOf('\r\n\r\n');
      if (header < 0) return;
      const match = /content-length: *(\d+)/i.exec(buffer.subarray(0, header).toString('latin1'));
      if (!match) throw new Error(`no Content-Length in ${buffer.subarray(0, header)}`);
      const end = header + 4 + Number(match[1]);
      if (buffer.length < end) return;
      const body = buffer.subarray(header + 4, end).toString('utf8');
      buffer = buffer.subarray(end);
      receive(JSON.parse(body));
    }
  });
}

/** Writes one message, an object or the text of its body. */
export function writeMessage(writable, message) {
  const body = Buffer.from(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
  writable.write(`Content-Length: ${body.length}\r\n\r\n`);
  writable.write(body);
}

// LSP frames over a pair of Node streams, for the scripted servers and clients of these tests: an implementation of its own,
// so that it cannot share a mistake with the program under test.

/** `body`, a Buffer or a text, with its header. */
export function frame(body, header = (length) => `Content-Length: ${length}\r\n\r\n`) {
  const bytes = Buffer.from(body);
  return Buffer.concat([Buffer.from(header(bytes.length), 'latin1'), bytes]);
}

/** Takes portions of bytes and calls `receive(header, body)`, two Buffers, for each whole frame. */
export function frameSplitter(receive) {
  let portions = [];
  let size = 0;
  let needed = 1;  // bytes, before there is anything to look at
  return (portion) => {
    portions.push(portion);
    size += portion.length;
    while (size >= needed) {
      const bytes = portions.length === 1 ? portions[0] : Buffer.concat(portions);
      portions = [bytes];
      const start = bytes.subarray(0, 8192);
      const ends = ['\n\r\n', '\n\n'].map((end) => [start.indexOf(end), end.length]).filter(([at]) => at >= 0);
      if (ends.length === 0) {
        needed = size + 1;
        return;
      }
      const header = start.toString('latin1', 0, Math.min(...ends.map(([at, length]) => at + length)));
      const length = /^content-length:[ \t]*(\d+)/im.exec(header)?.[1];
      if (length === undefined) throw new Error(`no Content-Length in ${header}`);
      needed = header.length + Number(length);
      if (size < needed) return;
      const body = bytes.subarray(header.length, needed);
      portions = [bytes.subarray(needed)];
      size -= needed;
      needed = 1;
      receive(bytes.subarray(0, header.length), body);
    }
  };
}

/** The frames of `bytes`: [{ header, body }]. */
export function frames(bytes) {
  const all = [];
  frameSplitter((header, body) => all.push({ header, body }))(bytes);
  return all;
}

export function readMessages(readable, receive) {
  readable.on('data', frameSplitter((header, body) => receive(JSON.parse(body.toString('utf8')))));
}

/** Writes one message, an object or the text of its body. */
export function writeMessage(writable, message) {
  writable.write(frame(typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...message })));
}

// Scenarios: a test that plays a client and, by way of scripted_server.mjs, its server, with the proxy between them. Each step
// waits for what the step before has caused, nothing for the clock.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { frame, frameSplitter } from './lsp_stream.mjs';
import { assertQuiet, cells, eventually, folder, hangLimit, marked, symbolsPath, transferred, untilAsleep, untilStill } from './program.mjs';

const scriptedServer = join(dirname(fileURLToPath(import.meta.url)), 'scripted_server.mjs');

/** Messages in the order in which they came, each taken once by what waits for it. */
class Inbox {
  constructor() {
    this.messages = [];
    this.waiting = [];
    this.closed = undefined;
  }
  put(message) {
    const index = this.waiting.findIndex(({ wanted }) => wanted(message));
    if (index < 0) this.messages.push(message);
    else this.waiting.splice(index, 1)[0].resolve(message);
  }
  /** The first message that is `wanted`, now or when it comes; `name` says what for whoever waits in vain. */
  take(wanted, name = String(wanted)) {
    const index = this.messages.findIndex(wanted);
    if (index >= 0) return Promise.resolve(this.messages.splice(index, 1)[0]);
    const message = new Promise((resolve, reject) => {
      if (this.closed) reject(new Error(`${this.closed} before ${name} came`));
      else this.waiting.push({ wanted, name, resolve, reject });
    });
    message.catch(() => {});  // not everybody cares
    return message;
  }
  close(reason) {
    this.closed = reason;
    for (const { name, reject } of this.waiting.splice(0)) reject(new Error(`${reason} before ${name} came`));
  }
  toString() {
    const briefly = this.messages.map((message) => JSON.stringify(message).slice(0, 200));
    return `waits for [${this.waiting.map(({ name }) => name).join(', ')}], has not looked at [${briefly.join(', ')}]`;
  }
}

const isReply = (message) => message.method === undefined;

/** What client and server have in common: they send messages and wait for some. A subclass has write(bytes). */
class Peer {
  constructor() {
    this.inbox = new Inbox();
    this.handlers = new Map();
    this.count = 0;
  }
  send(message) {
    return this.write(frame(JSON.stringify({ jsonrpc: '2.0', ...message })));
  }
  sendRaw(body) {
    return this.write(frame(body));
  }
  notify(method, params) {
    return this.send({ method, params });
  }
  reply(id, result) {
    return this.send({ id, result });
  }
  /** Every message of this method goes to `handler` from now on, instead of waiting to be received. */
  on(method, handler) {
    this.handlers.set(method, handler);
  }
  receives(method) {
    return this.inbox.take((message) => message.method === method, method);
  }
  async receivesAll(method, count) {
    const all = [];
    while (all.length < count) all.push(await this.receives(method));
    return all;
  }
  receivesReply(id) {
    return this.inbox.take((message) => isReply(message) && message.id === id, `the reply to ${JSON.stringify(id)}`);
  }
  came(message) {
    const handler = this.handlers.get(message.method);
    if (handler) handler(message);
    else this.inbox.put(message);
  }
  /** What came and nobody has waited for. */
  get unclaimed() {
    return this.inbox.messages;
  }
}

class Client extends Peer {
  constructor(child) {
    super();
    this.stdin = child.stdin;
    this.stdout = child.stdout;
    this.bytes = 0;
    this.texts = [];  // of all replies, as they came
    this.stdin.on('error', () => {});
    this.floods = 0;  // messages test/flood, which are only counted
    const split = frameSplitter((header, body) => {
      if (body.subarray(0, 100).includes('"test/flood"')) {
        ++this.floods;
        return;
      }
      const text = body.toString('utf8');
      const message = JSON.parse(text);
      if (isReply(message)) this.texts.push(text);
      this.came(message);
    });
    this.stdout.on('close', () => this.inbox.close("the proxy's output ended"));
    this.stdout.on('data', (portion) => {
      this.bytes += portion.length;
      split(portion);
    });
  }
  write(bytes) {
    return new Promise((resolve) => this.stdin.write(bytes, resolve));
  }
  request(method, params, id = ++this.count) {
    this.send({ id, method, params });
    return this.receivesReply(id);
  }
  open(uri, text = 'x\n', version = 1) {
    return this.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'x', version, text } });
  }
  change(uri, text, version = 2) {
    return this.notify('textDocument/didChange', { textDocument: { uri, version }, contentChanges: [{ text }] });
  }
  symbols(uri, options = {}) {
    return this.request('textDocument/documentSymbol', { textDocument: { uri }, ...options });
  }
  hover(uri, line = 0, character = 0) {
    return this.request('textDocument/hover', { textDocument: { uri }, position: { line, character } });
  }
}

class Server extends Peer {
  constructor() {
    super();
    this.commands = new Map();
    this.signals = [];
    this.errors = '';  // what it wrote on standard error
    this.started = new Promise((resolve) => (this.setStarted = resolve));
    this.ended = new Promise((resolve) => (this.setEnded = resolve));
  }
  connect(socket) {
    this.socket = socket;
    socket.on('error', () => {});
    socket.on('close', () => {
      this.inbox.close('the server ended');
      this.setEnded();
    });
    createInterface({ input: socket }).on('line', (line) => this.told(JSON.parse(line)));
  }
  told({ pid, body, done, result, signal }) {
    if (pid) this.setStarted((this.pid = pid));
    if (done !== undefined) this.commands.get(done)(result);
    if (signal) this.signals.push(signal);
    if (body !== undefined) this.came(JSON.parse(Buffer.from(body, 'base64').toString('utf8')));
  }
  command(command, rest = {}) {
    const number = ++this.count;
    this.socket.write(`${JSON.stringify({ number, command, ...rest })}\n`);
    return new Promise((resolve) => this.commands.set(number, resolve));
  }
  write(bytes) {
    return this.command('write', { bytes: bytes.toString('base64') });
  }
  complain(text) {
    this.errors += text;
    return this.command('stderr', { text });
  }
  exit(status) {
    this.command('exit', { status });
    return this.ended;
  }
  kill(signal) {
    this.command('kill', { signal });
    return this.ended;
  }
}

export const position = (line, character) => ({ line, character });
export const range = (line, start, end) => ({ start: position(line, start), end: position(line, end) });
export const symbolsNamed = (names) =>
  names.map((name, line) => ({ name, kind: 12, range: range(line, 0, 20), selectionRange: range(line, 2, 2 + name.length) }));
export const textNaming = (names) => names.map((name) => `  ${name}\n`).join('');
export const hoverSaying = (value) => ({ contents: { kind: 'markdown', value } });
export const hovers = (table) => cells(table).map((row) => [row[0], row[5]]);

export const capabilities = { documentSymbolProvider: true, hoverProvider: true, textDocumentSync: 2, executeCommandProvider: { commands: ['own'] } };

/**
 * Starts the proxy (`args` its options) with a scripted server behind it; all of it ends with the test. `behind` may put something
 * between the two, `launcher` is a command that runs the proxy's, which it is given as arguments.
 */
async function startSession(t, { args = [], stay = false, behind = (server) => server, launcher = [], env } = {}) {
  const path = join(folder(t), 'control');
  const server = new Server();
  // With --restart others follow, each for whoever waits for the next one.
  const others = new Inbox();
  let connections = 0;
  const listener = createServer((socket) => {
    const other = connections++ === 0 ? server : new Server();
    other.connect(socket);
    if (other !== server) others.put(other);
  }).listen(path);
  await new Promise((resolve) => listener.on('listening', resolve));
  const mark = marked();
  const command = behind([process.execPath, scriptedServer, path, ...(stay ? ['stay'] : [])]);
  const [program, ...rest] = [...launcher, symbolsPath, 'proxy', ...args, '--', ...command];
  const proxy = spawn(program, rest, {
    stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, XDG_CONFIG_HOME: '/nonexistent', ...mark.env, ...env },
  });
  proxy.errors = '';
  proxy.stderr.on('data', (portion) => (proxy.errors += portion));
  // With what it wrote read to the end.
  proxy.finished = new Promise((resolve) => proxy.on('close', (status, signal) => resolve({ status, signal })));
  proxy.exited = new Promise((resolve) => proxy.on('exit', (status, signal) => resolve({ status, signal })));
  const client = new Client(proxy);
  t.after(() => {
    listener.close();
    server.socket?.destroy();
    for (const other of others.messages) other.socket.destroy();
    return mark.kill();
  });
  const barrier = (from, to) => {
    const token = ++client.count;
    from.notify('test/barrier', { token });
    return to.inbox.take(({ method, params }) => method === 'test/barrier' && params.token === token, 'the barrier');
  };
  const session = {
    client, server, proxy, pids: mark.pids,
    /** The server that was started in the place of one that ended. */
    nextServer: () => others.take(() => true, 'another server'),
    /** All that the client has sent so far has come to the server. */
    serverIsUpToDate: () => barrier(client, server),
    /** All that the server has sent so far has come to the client. */
    clientIsUpToDate: () => barrier(server, client),
    /** The proxy has read what was sent to it, and has done what can be done about it. */
    proxyIsIdle: () => untilAsleep(proxy.pid),
    /** The client reads nothing more, and what the server writes waits for it, in the proxy and before it. */
    async clientIsFull() {
      client.stdout.pause();
      await eventually(() => client.stdout.readableLength >= client.stdout.readableHighWaterMark);
      await untilStill([server.pid, proxy.pid]);
    },
    /** What the client writes waits for the server, which reads nothing. */
    async serverIsFull() {
      // The proxy may splice: then only the queue of the client's system calls shrinks.
      await untilStill([proxy.pid], () => client.stdin._handle.writeQueueSize);
      assert.ok(client.stdin.writableLength > 0, 'all was read');
    },
    async initialize(params = {}, result = { capabilities }) {
      const reply = client.request('initialize', { processId: null, rootUri: null, capabilities: {}, ...params });
      const request = await server.receives('initialize');
      server.reply(request.id, result);
      const answer = await reply;
      client.notify('initialized', {});
      await server.receives('initialized');
      return { request, answer };
    },
    /** The proxy ends with this status, and nothing of it is left. */
    async ends(status, signal = null) {
      session.over = true;
      assert.deepEqual(await proxy.finished, { status, signal }, proxy.errors);
      await eventually(() => mark.pids().length === 0);
    },
    /** Ends the session, of which `present` is the server by now, as the protocol says, with nothing left over: no message, no process. */
    async finish(present = server) {
      present.on('shutdown', ({ id }) => present.reply(id, null));
      assert.equal((await client.request('shutdown')).result, null);
      client.notify('exit');
      await present.receives('exit');
      await session.ends(0);
      assert.deepEqual(present.unclaimed, [], 'came to the server unexpectedly');
      assert.deepEqual(client.unclaimed, [], 'came to the client unexpectedly');
      assertQuiet(proxy.errors.replace(server.errors, ''));
    },
  };
  return session;
}

/** Fails, when nothing moves any more, with what client and server are waiting for. */
async function limited(session, play) {
  let timer;
  const late = new Promise((resolve, reject) => {
    const { client, server, proxy } = session;
    const progress = () => [client.bytes, transferred(proxy.pid), transferred(server.pid)].join();
    let before = progress();
    timer = setInterval(() => {
      if (before !== (before = progress())) return;
      const state = proxy.exitCode ?? proxy.signalCode ?? 'running';
      reject(new Error(`nothing moves since ${hangLimit} ms; the client ${client.inbox}; the server ${server.inbox}; the proxy (${state}) said: ${proxy.errors.slice(-1000)}`));
    }, hangLimit);
  });
  try {
    await Promise.race([play(), late]);
  } finally {
    clearInterval(timer);
  }
}

/**
 * A test with a session that is initialized before `play` and ended properly after it, unless `play` has ended it.
 * `initialized: false` leaves that to `play`; the rest is for startSession.
 */
export function scenario(name, play, { initialized = true, ...options } = {}) {
  test(name, async (t) => {
    const session = await startSession(t, options);
    await limited(session, async () => {
      await session.server.started;
      if (initialized) await session.initialize();
      await play(session, t);
      if (!session.over) await session.finish();
    });
  });
}

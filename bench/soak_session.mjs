// One client's session before a server or the proxy, for bench/soak: every request is counted, and so is what comes back.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { readMessages, writeMessage } from '../tests/e2e/lsp_stream.mjs';

/** How long an answer may take, with servers that start anew on a busy machine. */
export const answerLimit = 180_000;
/** After which time the log is looked at, which forgets. */
const suspicious = 45_000;

/** What a client has asked and got; `errors` by code. */
export const newTally = () => ({ requests: 0, replies: 0, cancelled: 0, questions: 0, errors: new Map() });

export class Session {
  errors = '';  // the end of its standard error
  restarts = 0;
  #pending = new Map();
  #answered = new Set();  // ids of late, for they could come twice
  #asked = new Set();  // the server's requests that are not answered yet
  #last = 0;
  #ended = false;

  /** `fail(what, detail)` is called where an invariant does not hold; `log`: the proxy's --log, if it has one. */
  constructor({ name, command, cwd, env, tally, dice, fail, log }) {
    Object.assign(this, { name, tally, cwd, log });
    this.dice = dice;
    this.fail = fail;
    const [program, ...args] = command;
    this.child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => resolve({ error }));
      this.child.on('close', (status, signal) => resolve({ status, signal }));
    });
    this.ended.then(({ error, status, signal }) => {
      if (!this.#ended) this.fail('the proxy ended by itself', `${name}: ${error?.message ?? signal ?? `status ${status}`}; ${this.errors.slice(-1000)}`);
      for (const { resolve } of this.#pending.values()) resolve({ error: { code: 0, message: 'the session has ended' } });
      this.#pending.clear();
    });
    this.child.stdin.on('error', () => {});
    this.child.stderr.on('data', (portion) => {
      this.restarts += portion.toString('latin1').split(' runs again').length - 1;
      this.errors = (this.errors + portion).slice(-16384);
    });
    readMessages(this.child.stdout, (message) => this.#receive(message));
  }

  notify(method, params) { writeMessage(this.child.stdin, { method, params }); }

  /** Sends a request: { id, reply }, the latter a promise of the whole response. */
  send(method, params) {
    const id = this.dice.oneIn(3) ? `id ${++this.#last}` : ++this.#last;
    ++this.tally.requests;
    const reply = new Promise((resolve) => this.#pending.set(id, { resolve, method, since: Date.now() }));
    writeMessage(this.child.stdin, { id, method, params });
    return { id, reply };
  }

  cancel(id) {
    ++this.tally.cancelled;
    this.notify('$/cancelRequest', { id });
  }

  /** The result; asks once more where the server has been started anew, or the document was changed, meanwhile. */
  async ask(method, params, times = 10) {
    for (let i = 1; ; ++i) {
      const response = await Promise.race([this.send(method, params).reply, sleep(answerLimit, undefined, { ref: false })]);
      if (response === undefined) throw new Error(`${this.name}: ${method}: no reply for ${answerLimit / 1000} s`);
      const { result, error } = response;
      if (error === undefined) return result;
      if (i === times || ![-32803, -32801, -32802].includes(error.code)) throw new Error(`${this.name}: ${method}: ${JSON.stringify(error)}`);
      await sleep(200 * i);
    }
  }

  /** Gives the encoding of positions. */
  async initialize(encodings, initializationOptions) {
    const uri = pathToFileURL(this.cwd).href;
    const { capabilities, offsetEncoding } = await this.ask('initialize', {
      processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: basename(this.cwd) }], initializationOptions,
      capabilities: {
        general: { positionEncodings: encodings },
        offsetEncoding: encodings,  // clangd's own name of it
        textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true }, hover: { contentFormat: ['markdown'] } },
        workspace: { configuration: true, workspaceFolders: true },
        window: { workDoneProgress: true },
      },
    }, 1);
    this.notify('initialized', {});
    return capabilities.positionEncoding ?? offsetEncoding ?? 'utf-16';
  }

  get waiting() { return this.#pending.size; }

  /** Reads nothing for so many milliseconds. */
  async stall(milliseconds) {
    this.child.stdout.pause();
    await sleep(milliseconds);
    this.child.stdout.resume();
  }

  /** Waits until every request is answered; those that are not by the limit fail. */
  async quiet(limit = answerLimit) {
    for (const end = Date.now() + limit; this.#pending.size > 0; await sleep(20)) {
      for (const [id, request] of this.#pending) {
        if (Date.now() - request.since > suspicious) request.trail ??= trailOf(this.log, id);
      }
      if (Date.now() < end) continue;
      for (const [id, { method, since, trail }] of this.#pending) {
        this.fail('a request has no reply', `${this.name}: ${method}, id ${JSON.stringify(id)}, for ${Date.now() - since} ms${trail ?? ''}`);
      }
      this.#pending.clear();
    }
  }

  /** shutdown and exit; { status, signal } of the process. */
  async finish() {
    await this.quiet();
    await Promise.race([this.send('shutdown').reply, sleep(answerLimit, undefined, { ref: false })]);
    await this.quiet(0);
    this.#ended = true;
    this.notify('exit');
    const ended = await Promise.race([this.ended, sleep(30_000, undefined, { ref: false })]);
    if (ended === undefined) {
      this.fail('the proxy does not end after exit', this.name);
      this.child.kill('SIGKILL');
    }
    return ended;
  }

  #receive(message) {
    if (message.method !== undefined) {
      if (message.id !== undefined) this.#answer(message);
      return;
    }
    const request = this.#pending.get(message.id);
    if (request === undefined) {
      this.fail(this.#answered.has(message.id) ? 'a request has two replies' : 'a reply to nothing that was asked',
        `${this.name}: ${JSON.stringify(message).slice(0, 300)}`);
      return;
    }
    this.#pending.delete(message.id);
    this.#answered.add(message.id);
    ++this.tally.replies;
    if (message.error) this.tally.errors.set(message.error.code, (this.tally.errors.get(message.error.code) ?? 0) + 1);
    request.resolve(message);
  }

  /** Answers the server, sometimes late: two of its requests must not have the same id meanwhile. */
  async #answer({ id, method, params }) {
    ++this.tally.questions;
    if (this.#asked.has(id)) this.fail('two requests of the server have the same id', `${this.name}: ${method}, ${JSON.stringify(id)}`);
    this.#asked.add(id);
    if (this.dice.oneIn(4)) await sleep(this.dice.between(100, 1500));
    this.#asked.delete(id);
    writeMessage(this.child.stdin, { id, result: method === 'workspace/configuration' ? params.items.map(() => null) : null });
  }
}

/** What the log of a proxy has about a request of the client's, and about the proxy's own that followed it; a line each. */
function trailOf(log, id) {
  if (log === undefined) return '';
  const lines = readFileSync(log, 'latin1').replace(/\0+/g, '').split('\n');
  const key = `"id":${JSON.stringify(id)}`;
  const asked = lines.findIndex((line) => line.includes(' client --> ') && (line.includes(`${key},`) || line.includes(`${key}}`)));
  if (asked < 0) return '; the log has forgotten it';
  const own = lines.slice(asked, asked + 4).map((line) => / server --> .*?("id":"symbols-proxy-[^"]+")/.exec(line)?.[1]).find(Boolean);
  const about = lines.slice(asked).filter((line) => line.includes(`${key},`) || line.includes(`${key}}`) || (own && line.includes(own)));
  return ['', ...about.slice(0, 12), `last: ${lines.at(-2)}`].map((line) => line.slice(0, 220)).join('\n    ');
}

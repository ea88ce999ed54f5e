// A client of bench/soak: does at random, for as long as it is told to, what editors and agents do in front of the proxy.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { Session, newTally } from './soak_session.mjs';
import { EditedText } from './soak_text.mjs';

// How often the client does what, in relation to the rest.
const habits = { edit: 30, symbols: 14, hover: 20, passing: 20, context: 2, reopen: 4, settings: 1 };
const passing = { 'textDocument/definition': 8, 'textDocument/references': 3, 'textDocument/completion': 5, 'textDocument/documentHighlight': 4, 'workspace/symbol': 1 };
const symbolOptions = [{}, { return_children: 'yes' }, { return_children: 'yes', format: 'tree' }, { format: 'json' },
  { return_children: 'yes', include_hover: false }, { max_tokens: 500 }];
const waitingLimit = 12;  // requests at a time, when the client does not stall
const whole = { return_children: 'yes', include_hover: true, timeout_ms: 120_000 };

export class SoakClient {
  tally = newTally();
  stalls = 0;
  compared = 0;
  comparedAgain = 0;  // tables that were a fresh server's only when both were asked once more
  crashed = 0;  // comparisons that the server did not survive
  #documents = new Map();  // by path, in the order in which they were opened
  #reopened = Promise.resolve();  // when what is to be closed and opened again has been

  /**
   * `server`: of soak_projects.mjs; `cwd` its project; `proxy(options)` gives the proxy's command line; `log`: its --log.
   * `alone(work)` has only one fresh server run at a time.
   */
  constructor({ server, cwd, env, proxy, log, dice, freshDice, fail, alone }) {
    Object.assign(this, { server, cwd, env: { ...env, ...server.env }, proxy, log, dice, freshDice, fail, alone });
    this.name = server.name;
  }

  async start() {
    this.session = this.#session(this.name, ['--log', this.log], this.tally, this.dice);
    this.encoding = await this.session.initialize(this.server.encodings);
    for (const path of this.server.open) this.#open(path);
  }

  #session(name, options, tally, dice) {
    return new Session({ name, command: this.proxy(options, this.server.command), cwd: this.cwd, env: this.env, tally, dice, fail: this.fail,
      log: options.length > 0 ? this.log : undefined });
  }

  get pid() { return this.session.child.pid; }
  get restarts() { return this.session.restarts; }

  /** Acts until `isOver()`; stalls and compares every so many seconds on average. */
  async run(isOver, { stallEvery, compareEvery }) {
    let [stallAt, compareAt] = [stallEvery, compareEvery].map((every) => Date.now() + this.dice.between(0.3, 1.2) * every * 1000);
    while (!isOver()) {
      if (Date.now() > stallAt) {
        await this.#stall(isOver);
        stallAt = Date.now() + this.dice.between(0.5, 1.5) * stallEvery * 1000;
      } else if (Date.now() > compareAt) {
        await this.alone(() => this.compare([this.dice.pick([...this.#documents.keys()])]));
        compareAt = Date.now() + this.dice.between(0.5, 1.5) * compareEvery * 1000;
      } else if (this.session.waiting < waitingLimit) {
        this.#act();
      }
      await sleep(this.dice.between(5, 150));
    }
  }

  /** Closes everything, and has the documents open as they are on the disk, with their tables asked: the same state each time. */
  async settle() {
    await this.#reopened;
    await this.session.quiet();
    try {
      for (const path of [...this.#documents.keys()]) {
        await this.#hasBeenRead(path);
        this.#close(path);
      }
      for (const path of this.server.open) this.#open(path);
      for (const path of this.#documents.keys()) await this.#table(this.session, path);
    } catch (error) {
      this.fail('a table cannot be had', error.message);
    }
    await this.session.quiet();
  }

  /** The tables of these documents, or of all, are those of a fresh server behind a fresh proxy. */
  async compare(paths = [...this.#documents.keys()]) {
    await this.#reopened;
    await this.session.quiet();
    const fresh = this.#session(`fresh ${this.name}`, [], newTally(), this.freshDice);
    try {
      await fresh.initialize([this.encoding]);
      for (const [path, { model }] of this.#documents) fresh.notify('textDocument/didOpen', this.#opened(path, 1, model.text));
      for (const path of paths) await this.#compareTable(fresh, path);
    } catch (error) {
      // clangd 19 crashes on some texts that chance makes, every time that it is asked about them.
      if (/ended by signal (6|11) /.test(error.message)) {
        ++this.crashed;
        for (const path of [...this.#documents.keys()]) this.#reopen(path);
      } else {
        this.fail('a table cannot be had', error.message);
      }
    }
    await fresh.finish();
  }

  async finish() { return this.session.finish(); }

  async #compareTable(fresh, path) {
    ++this.compared;
    let difference;
    for (let times = 0; times < 4; ++times) {
      if (times === 1) ++this.comparedAgain;
      const [table, expected] = [await this.#table(this.session, path), await this.#table(fresh, path)];
      difference = firstDifference(table, expected, this.server.keepsComments);
      if (difference === undefined) return;
      await sleep(1000);
    }
    this.fail('a table is not that of a fresh server', `${this.name}: ${path}: ${difference}`);
  }

  #table(session, path) { return session.ask('textDocument/documentSymbol', { textDocument: { uri: this.#uri(path) }, ...whole }); }

  /** Reads nothing for some seconds, and asks for much meanwhile, so that the queues fill. */
  async #stall(isOver) {
    ++this.stalls;
    const stalled = this.session.stall(this.dice.between(2000, 6000));
    for (let i = 0; i < 60 && !isOver(); ++i) {
      this.#act(i % 3 ? 'passing' : 'edit');
      await sleep(this.dice.between(0, 20));
    }
    await stalled;
  }

  #act(what = this.dice.weighted(habits)) {
    const path = this.dice.pick([...this.#documents.keys()]);
    const { model } = this.#documents.get(path);
    const textDocument = { uri: this.#uri(path) };
    const position = model.wordPosition(this.dice, this.encoding) ?? { line: 0, character: 0 };
    switch (what) {
      case 'edit': return this.#edit(path);
      case 'symbols': return this.#request('textDocument/documentSymbol', { textDocument, ...this.dice.pick(symbolOptions) });
      case 'hover': return this.#request('textDocument/hover', { textDocument, position });
      case 'context':
        return this.#request('workspace/executeCommand', { command: 'symbols.context', arguments: [{ textDocument, position, include: 'references:5,callers:2' }] });
      case 'passing': {
        const method = this.dice.weighted(passing);
        if (method === 'workspace/symbol') return this.#request(method, { query: this.dice.pick(['a', 'sub', 'path', 'read']) });
        return this.#request(method, { textDocument, position, ...(method.endsWith('references') && { context: { includeDeclaration: true } }) });
      }
      case 'reopen': {
        // One after the other; what has no answer is found by quiet().
        this.#reopened = this.#reopened.then(() => this.#hasBeenRead(path)).then(() => this.#reopen(path), () => {});
        return undefined;
      }
      default:
        return this.session.notify('$/setTrace', { value: 'off' });
    }
  }

  #request(method, params) {
    const { id, reply } = this.session.send(method, params);
    if (!this.dice.oneIn(7)) return;
    // At once, some time later, or when the reply is there, which is allowed too.
    if (this.dice.oneIn(2)) this.session.cancel(id);
    else if (this.dice.oneIn(4)) reply.then(() => this.session.cancel(id));
    else sleep(this.dice.between(1, 300)).then(() => this.session.cancel(id));
  }

  #edit(path) {
    const document = this.#documents.get(path);
    const contentChanges = document.model.change(this.dice, this.encoding);
    this.session.notify('textDocument/didChange', { textDocument: { uri: this.#uri(path), version: ++document.version }, contentChanges });
  }

  #open(path) {
    const model = new EditedText(readFileSync(join(this.cwd, path), 'utf8'), this.server.language);
    this.#documents.set(path, { model, version: 1 });
    this.session.notify('textDocument/didOpen', this.#opened(path, 1, model.text));
  }

  #reopen(path) {
    this.#close(path);
    this.#open(path);
  }

  /** Waits until the server has answered a request about the document, where it is to be closed only then. */
  async #hasBeenRead(path) {
    if (!this.server.mustReadBeforeClose) return;
    await this.session.ask('textDocument/documentSymbol', { textDocument: { uri: this.#uri(path) }, format: 'json' });
  }

  #close(path) {
    this.#documents.delete(path);
    this.session.notify('textDocument/didClose', { textDocument: { uri: this.#uri(path) } });
  }

  #opened(path, version, text) { return { textDocument: { uri: this.#uri(path), languageId: this.server.languageId, version, text } }; }
  #uri(path) { return pathToFileURL(join(this.cwd, path)).href; }
}

/** Where two answers differ, in a line; undefined if they do not. */
function firstDifference(table, expected, mayHaveComments) {
  const [a, b] = [table, expected].map((answer) => JSON.stringify({ ...answer, symbols: undefined }));
  if (a !== b) return `${a} instead of ${b}`;
  const [rows, expectedRows] = [table, expected].map((answer) => (answer?.symbols ?? '').split('\n'));
  const all = Array.from({ length: Math.max(rows.length, expectedRows.length) }, (_, i) => i);
  const end = ' | <<<';
  const isTheSame = (row, other) => row === other || (mayHaveComments && other?.endsWith(end) && row?.startsWith(`${other.slice(0, -end.length)} - `));
  const different = all.filter((i) => !isTheSame(rows[i], expectedRows[i]));
  if (different.length === 0) return undefined;
  return `${different.length} of ${all.length} rows differ, the first: ${rows[different[0]]} instead of ${expectedRows[different[0]]}`;
}

// One end of a session that is played from prepared bytes: what the byte server and the byte client have in common.
import { frameSplitter } from './lsp_stream.mjs';
import { untilAsleep } from './program.mjs';

/**
 * Counts what comes, and writes `stream` in portions of `chunk` bytes (a number, or numbers to be used in turn). `steps` makes it
 * a lock-step: [{ messages, upTo }], at first that many messages (or `bytes`) must have come before the stream's bytes below
 * `upTo` are written. `cuts` are offsets at which a portion ends and the reader (its process id) is given the time to read it.
 */
export class BytePeer {
  constructor({ stream, chunk = 65536, cuts = [], steps = [] }, write, reader) {
    Object.assign(this, { stream, cuts, steps: [...steps, { upTo: stream.length }], write, reader });
    this.sizes = [chunk].flat();
    this.messages = 0;
    this.bytes = 0;
    this.played = 0;
    this.count = frameSplitter(() => this.messages++);
    this.wake = () => {};
  }

  receive(portion) {
    this.bytes += portion.length;
    try {
      this.count(portion);
    } catch {
      this.count = () => {};  // no frames: nothing to count
    }
    this.wake();
  }

  async until({ messages = 0, bytes = 0 }) {
    while (this.messages < messages || this.bytes < bytes) await new Promise((resolve) => (this.wake = resolve));
  }

  async play() {
    let portion = 0;
    let cut = 0;
    for (const { upTo, ...what } of this.steps) {
      await this.until(what);
      while (this.played < upTo) {
        while (this.cuts[cut] <= this.played) ++cut;
        const end = Math.min(upTo, this.cuts[cut] ?? upTo, this.played + this.sizes[portion++ % this.sizes.length]);
        await this.write(this.stream.subarray(this.played, end));
        this.played = end;
        if (end === this.cuts[cut]) await untilAsleep(this.reader);
      }
    }
  }
}

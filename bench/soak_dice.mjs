// Chance from a seed, for bench/soak.

/** Numbers from a seed and a name: each user of chance has its own, so that what one draws does not depend on when the others do. */
export class Dice {
  #state;

  constructor(seed, name) {
    this.#state = seed >>> 0;
    for (const c of name) this.#state = (Math.imul(this.#state ^ c.codePointAt(0), 0x01000193) + 0x9e3779b9) >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  #next() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n) { return Math.floor(this.#next() * n); }
  between(low, high) { return low + this.#next() * (high - low); }
  oneIn(n) { return this.below(n) === 0; }
  pick(all) { return all[this.below(all.length)]; }

  /** One of the keys, as often as its value says in relation to the others. */
  weighted(weights) {
    let left = this.below(Object.values(weights).reduce((sum, weight) => sum + weight, 0));
    for (const [key, weight] of Object.entries(weights)) if ((left -= weight) < 0) return key;
    throw new Error('no weights');
  }
}

// The text of an open document, and random edits of it as textDocument/didChange has them, for bench/soak.

/** Where characters have another length in every encoding; what follows it on the line is what is edited. */
const wide = 'é\u{1F600} ';
const growth = 4000;  // how much longer than its file a text becomes before it begins again

export class EditedText {
  #original;
  #language;
  #broken = 0;  // edits that broke the syntax since the text last was its file's
  #words = 0;

  /** `original`: what the file has. `language`: { comment, declaration(word) }. */
  constructor(original, language) {
    this.#original = original;
    this.#language = language;
    this.text = original;
  }

  /** An LSP position of an offset in the text. */
  position(offset, encoding) {
    const lineStart = this.text.lastIndexOf('\n', offset - 1) + 1;
    let line = 0;
    for (let at = this.text.indexOf('\n'); at >= 0 && at < lineStart; at = this.text.indexOf('\n', at + 1)) ++line;
    const before = this.text.slice(lineStart, offset);
    return { line, character: encoding === 'utf-8' ? Buffer.byteLength(before) : before.length };
  }

  /** The position of a word of the text; undefined where there is none. */
  wordPosition(dice, encoding) {
    const start = dice.below(this.text.length + 1);
    const found = /[A-Za-z_]\w{2,}/.exec(this.text.slice(start)) ?? /[A-Za-z_]\w{2,}/.exec(this.text);
    return found === null ? undefined : this.position(found.index + (found.input.length < this.text.length ? start : 0), encoding);
  }

  /** Edits the text: the contentChanges that say how. */
  change(dice, encoding) {
    if (this.text.length > this.#original.length + growth || this.#broken > 2 || dice.oneIn(12)) return [this.#begin()];
    return Array.from({ length: dice.oneIn(4) ? 3 : 1 }, () => this.#edit(dice, encoding));
  }

  /** The text becomes its file's again. */
  reset() {
    this.#broken = 0;
    this.text = this.#original;
  }

  #begin() {
    this.reset();
    this.text = `${this.#comment('begun')}${this.text}`;
    return { text: this.text };
  }

  #comment(word) { return `${this.#language.comment} ${wide}${word}\n`; }

  #edit(dice, encoding) {
    const word = `word${this.#words++}`;
    const commented = [...this.text.matchAll(/\u{1F600} (word\d+)\n/gu)];
    switch (dice.weighted({ comment: 6, word: 8, removal: 5, declaration: 4, damage: 1 })) {
      case 'comment': return this.#insert(this.#lineStart(dice), this.#comment(word), encoding);
      case 'declaration': return this.#insert(this.text.length, `${this.text.endsWith('\n') ? '' : '\n'}${this.#language.declaration(word)}\n`, encoding);
      case 'damage': {
        const start = this.#between(dice.below(this.text.length + 1));
        const end = this.#between(Math.min(this.text.length, start + 1 + dice.below(20)));
        // Not what is included: clangd remembers the comments of a header that once was.
        if (/^#|\/\*|\*\//m.test(this.text.slice(this.text.lastIndexOf('\n', start - 1) + 1, end))) break;
        ++this.#broken;
        return dice.oneIn(2) ? this.#insert(start, dice.pick(['{', '}', '(', '"', '\n\n', wide, ':']), encoding)
          : this.#replace(start, end, '', encoding);
      }
      default:
        break;
    }
    if (commented.length === 0) return this.#insert(this.#lineStart(dice), this.#comment(word), encoding);
    const found = dice.pick(commented);
    const wordStart = found.index + found[0].length - found[1].length - 1;
    if (dice.oneIn(2)) return this.#replace(wordStart, wordStart + found[1].length, word, encoding);
    return this.#replace(this.text.lastIndexOf('\n', found.index) + 1, found.index + found[0].length, '', encoding);
  }

  #lineStart(dice) { return this.text.lastIndexOf('\n', dice.below(this.text.length + 1) - 1) + 1; }

  /** The offset, or the one after it where it is in the middle of a character or a line end. */
  #between(offset) {
    const isIn = /[\uDC00-\uDFFF]/.test(this.text[offset] ?? '') || (this.text[offset] === '\n' && this.text[offset - 1] === '\r');
    return isIn ? offset + 1 : offset;
  }

  #insert(offset, text, encoding) { return this.#replace(offset, offset, text, encoding); }

  #replace(start, end, text, encoding) {
    const range = { start: this.position(start, encoding), end: this.position(end, encoding) };
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
    return { range, text };
  }
}

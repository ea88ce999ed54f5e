// The bar charts: percent of the file's own tokens, then tokens per symbol.
import { barPage } from '../bars.mjs';

const percents = [
  ['table', 'table with hovers'],
  ['reading the file', 'reading the file'],
  ['JSON, minified', 'JSON, minified'],
  ['tree', 'tree with hovers'],
  ['ctags -x', 'ctags -x'],
  ['table --no-hover', 'table'],
  ['tree --verbosity signatures', 'tree, signatures'],
  ['ast-grep outline, --view expanded', 'ast-grep outline'],
  ['tree --no-hover', 'tree'],
  ['grep of declarations', 'grep declarations'],
  ['tree --verbosity minimal', 'tree, minimal'],
  ['tree --verbosity minimal --children no', 'minimal, top level'],
];
const shown = [
  ['JSON, pretty-printed', 'JSON, pretty-printed', 'other'],
  ['JSON, minified', 'JSON, minified', 'other'],
  ['official TOON of the reply', 'official TOON', 'other'],
  ['packed', 'packed', 'ours'],
  ['toon', 'toon', 'ours'],
  ['tsv', 'tsv', 'ours'],
  ['table', 'table', 'ours'],
  ['outline', 'outline', 'ours'],
  ['tree', 'tree', 'ours'],
  ['tree verbosity=signatures', 'tree, signatures', 'ours'],
  ['tree verbosity=minimal', 'tree, minimal', 'ours'],
];

/** `shares`: rows { title, share, ours }; `plain`, `full`: rows { title, tokens }; `sums`: what each is measured on. */
export function chart(shares, plain, full, sums) {
  const perSymbol = (rows) => shown.flatMap(([title, label, kind]) => {
    const row = rows.find((one) => one.title === title);
    return row ? [{ label, kind, length: row.tokens, value: row.tokens.toFixed(1) }] : [];
  });
  const ofFile = percents.flatMap(([title, label]) => {
    const row = shares.find((one) => one.title === title);
    return row ? [{ label, kind: row.ours ? 'ours' : 'other', length: row.share, value: `${(100 * row.share).toFixed(row.share < 0.0995 ? 1 : 0)} %` }] : [];
  }).sort((one, other) => other.length - one.length);
  const groups = [[ofFile, `Percent of the file's own tokens (${sums[0]})`],
    [perSymbol(plain), `Tokens per symbol, without hovers (${sums[1]})`],
    [perSymbol(full), `Tokens per symbol, with hovers, in ours at most 200 characters each (${sums[2]})`]];
  return barPage('What each format costs: percent of the file, and tokens per symbol', groups.map(([bars, heading]) => ({ bars, heading })),
    { width: 760, left: 150, right: 70 });
}

// The bar charts, as SVG that reads on light and on dark pages: percent of the file's own tokens, then tokens per symbol.
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
const [width, left, bar, step, head] = [760, 150, 16, 22, 44];

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
  const parts = [];
  let y = 8;
  for (const [bars, heading] of [[ofFile, `Percent of the file's own tokens (${sums[0]})`],
    [perSymbol(plain), `Tokens per symbol, without hovers (${sums[1]})`],
    [perSymbol(full), `Tokens per symbol, with hovers, in ours at most 200 characters each (${sums[2]})`]]) {
    const scale = (width - left - 70) / Math.max(...bars.map(({ length }) => length));
    parts.push(`<text class="head" x="8" y="${y + 20}">${heading}</text>`);
    y += head - 8;
    for (const { label, kind, length, value } of bars) {
      const drawn = length * scale;
      parts.push(`<text x="${left - 8}" y="${y + 12.5}" text-anchor="end">${label}</text>`,
        `<rect class="${kind}" x="${left}" y="${y}" width="${drawn.toFixed(1)}" height="${bar}" rx="2"/>`,
        `<text x="${(left + drawn + 6).toFixed(1)}" y="${y + 12.5}">${value}</text>`);
      y += step;
    }
    y += 12;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="What each format costs: percent of the file, and tokens per symbol">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.head { font-weight: 600; }
.ours { fill: #1a7f5a; }
.other { fill: #9aa4ae; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .ours { fill: #3fb68b; }
  .other { fill: #6e7681; }
}
</style>
${parts.join('\n')}
</svg>
`;
}

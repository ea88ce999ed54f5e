// The bar chart of tokens per symbol, as SVG that reads on light and on dark pages.
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
  ['tree verbosity=minimal', 'tree, minimal', 'ours'],
];
const [width, left, bar, step, head] = [760, 150, 16, 22, 44];

/** `plain`, `full`: rows { title, tokens }; `sums`: what each is measured on. */
export function chart(plain, full, sums) {
  const parts = [];
  let y = 8;
  for (const [rows, heading] of [[plain, `Tokens per symbol, without hovers (${sums[0]})`], [full, `Tokens per symbol, with hovers, in ours at most 200 characters each (${sums[1]})`]]) {
    const bars = shown.flatMap(([title, label, kind]) => {
      const row = rows.find((one) => one.title === title);
      return row ? [{ label, kind, tokens: row.tokens }] : [];
    });
    const scale = (width - left - 70) / Math.max(...bars.map(({ tokens }) => tokens));
    parts.push(`<text class="head" x="8" y="${y + 20}">${heading}</text>`);
    y += head - 8;
    for (const { label, kind, tokens } of bars) {
      const length = tokens * scale;
      parts.push(`<text x="${left - 8}" y="${y + 12.5}" text-anchor="end">${label}</text>`,
        `<rect class="${kind}" x="${left}" y="${y}" width="${length.toFixed(1)}" height="${bar}" rx="2"/>`,
        `<text x="${(left + length + 6).toFixed(1)}" y="${y + 12.5}">${tokens.toFixed(1)}</text>`);
      y += step;
    }
    y += 12;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="Tokens per symbol in each format">
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

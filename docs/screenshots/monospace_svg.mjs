// Text in columns as SVG: lines of a terminal or a file that keep their columns in any font, on light and on dark pages.
export const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

/** Colours by the names of classes: those of text have `fill`, the others fill shapes. */
export const style = `
text { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; white-space: pre; fill: #1f2328; }
.panel { fill: #f6f8fa; stroke: #d1d9e0; }
.cover { fill: #f6f8fa; }
.cursor { fill: #59636e; }
.dim { fill: #59636e; }
.blue { fill: #0550ae; }
.cyan { fill: #0b6a75; }
.green { fill: #1a7f37; }
.yellow { fill: #7d4e00; }
.magenta { fill: #8250df; }
.red { fill: #cf222e; }
.bold { font-weight: 600; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .panel { fill: #151b23; stroke: #3d444d; }
  .cover { fill: #151b23; }
  .cursor { fill: #9198a1; }
  .dim { fill: #9198a1; }
  .blue { fill: #79c0ff; }
  .cyan { fill: #56d4dd; }
  .green { fill: #56d364; }
  .yellow { fill: #e3b341; }
  .magenta { fill: #d2a8ff; }
  .red { fill: #ff7b72; }
}
`;

/** One piece of a line at column `column`, which takes as much room as its characters have columns, whatever the font. */
export function piece(text, { x, y, size, column = 0, classes = '' }) {
  const shown = text.trimEnd();
  if (shown === '') return '';
  const advance = size * 0.6;
  const named = classes ? ` class="${classes}"` : '';
  return `<text x="${(x + column * advance).toFixed(1)}" y="${y}" font-size="${size}" textLength="${(shown.length * advance).toFixed(1)}" ` +
    `xml:space="preserve"${named}>${escaped(shown)}</text>`;
}

// Bar charts as SVG that reads on light and on dark pages.
const [bar, step, head] = [16, 22, 44];
const escaped = (text) => text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/**
 * The groups below one another. Each is { heading, bars, note, max, ticks }: bars are { label, kind: 'ours' or 'other', length,
 * value }; `max` is the length as wide as the page allows, by default the longest bar's; `note` is a line below the heading,
 * `ticks` are lines across the bars: { at: length, label }. `left` and `right` are left free for labels and values.
 */
export function barPage(label, groups, { width, left, right }) {
  const parts = [];
  let y = 8;
  for (const { heading, bars, note, ticks = [], max = Math.max(...bars.map(({ length }) => length)) } of groups) {
    const scale = (width - left - right) / max;
    parts.push(`<text class="head" x="8" y="${y + 20}">${escaped(heading)}</text>`);
    y += head - 8;
    if (note) {
      parts.push(`<text class="note" x="8" y="${y + 4}">${escaped(note)}</text>`);
      y += 16;
    }
    for (const { at, label: text } of ticks) {
      const x = (left + at * scale).toFixed(1);
      const bottom = y + bars.length * step;
      parts.push(`<path class="tick" d="M${x} ${y - 2}V${bottom}"/>`, `<text class="note" x="${x}" y="${bottom + 12}" text-anchor="middle">${escaped(text)}</text>`);
    }
    for (const { label: name, kind, length, value } of bars) {
      const drawn = length * scale;
      parts.push(`<text x="${left - 8}" y="${y + 12.5}" text-anchor="end">${escaped(name)}</text>`,
        `<rect class="${kind}" x="${left}" y="${y}" width="${drawn.toFixed(1)}" height="${bar}" rx="2"/>`,
        `<text x="${(left + drawn + 6).toFixed(1)}" y="${y + 12.5}">${escaped(value)}</text>`);
      y += step;
    }
    y += ticks.length > 0 ? 24 : 12;
  }
  const more = groups.some(({ note, ticks }) => note || ticks);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="${escaped(label)}">
<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328; }
.head { font-weight: 600; }
${more ? '.note { font-size: 12px; fill: #59636e; }\n.tick { stroke: #e6eaef; }\n' : ''}.ours { fill: #1a7f5a; }
.other { fill: #9aa4ae; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
${more ? '  .note { fill: #9198a1; }\n  .tick { stroke: #2b3138; }\n' : ''}  .ours { fill: #3fb68b; }
  .other { fill: #6e7681; }
}
</style>
${parts.join('\n')}
</svg>
`;
}

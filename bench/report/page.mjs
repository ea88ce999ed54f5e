// What bench/report.mjs has measured, as Markdown and as a drawing.
import { median } from '../arguments.mjs';
import { barPage } from '../bars.mjs';

export const time = (ms) => (ms < 1000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`);
const number = (value) => value.toLocaleString('en');
const mebibytes = (kib) => (kib === undefined ? '' : (kib / 1024).toFixed(0));

/** What an answer has, in words. */
export function content({ rows, hovers, names, unit = 'rows' }) {
  return [rows !== undefined && `${number(rows)} ${unit}`, hovers > 0 && `${number(hovers)} hovers`, names !== undefined && `${number(names)} names`]
    .filter(Boolean).join(', ');
}

export function markdown({ machine, date, versions, missing, comparisons }) {
  const out = [`Measured ${date} on ${machine}. Times are medians; memory is that of the largest process.`,
    `Versions: ${Object.entries(versions).map(([name, version]) => `${name}: ${version}`).join('; ')}.`,
    ...(missing.length > 0 ? [`Not available, and left out: ${missing.join(', ')}.`] : []), ''];
  const said = new Set();
  for (const { title, note, results } of comparisons) {
    out.push(`### ${title}`, '', ...(said.has(note) ? [] : [note, '']), '| program | time | the answer has | tokens | MiB |', '|---|--:|---|--:|--:|');
    said.add(note);
    for (const one of results) {
      out.push(`| ${one.ours ? `**${one.tool}**` : one.tool} | ${time(median(one.wall))} | ${[content(one), one.remark].filter(Boolean).join('; ')} | ` +
        `${one.tokens === undefined ? '' : number(one.tokens)} | ${mebibytes(one.largest)} |`);
    }
    out.push('');
  }
  return out.join('\n');
}

export function drawing({ date, comparisons }) {
  // One axis for all groups, in powers of ten.
  const all = comparisons.flatMap(({ results }) => results.map(({ wall }) => Math.log10(median(wall))));
  const low = Math.floor(Math.min(...all) - 0.1);
  const high = Math.ceil(Math.max(...all));
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => ({ at: index, label: time(10 ** (low + index)).replace(/\.0+(?= )/, '') }));
  const groups = comparisons.map(({ title, drawn, results }) => {
    const bars = results.map((one) => ({
      label: one.tool, kind: one.ours ? 'ours' : 'other', length: Math.log10(median(one.wall)) - low,
      value: [time(median(one.wall)), content(one), one.remark, one.tokens > 0 && `${number(one.tokens)} tokens`].filter(Boolean).join(' · '),
    }));
    return { heading: title, note: drawn, bars, ticks, max: high - low };
  });
  return barPage(`symbols compared with other programs, ${date}: wall times on a logarithmic axis`, groups, { width: 1000, left: 230, right: 400 });
}

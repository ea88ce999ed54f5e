// What bench/report.mjs has measured, as Markdown and as a drawing.
import { barPage } from '../bars.mjs';

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
export const time = (ms) => (ms < 1000 ? `${ms.toFixed(ms < 100 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(2)} s`);
const number = (value) => value.toLocaleString('en');
const mebibytes = (kib) => (kib === undefined ? '' : (kib / 1024).toFixed(0));

/** What an answer has, in words. */
export function content({ rows, hovers, containers, names, unit = 'rows' }) {
  return [rows !== undefined && `${number(rows)} ${unit}`, hovers > 0 && `${number(hovers)} hovers`, containers && 'containers', names !== undefined && `${number(names)} names`]
    .filter(Boolean).join(', ');
}

/** Which answer holds most, in a sentence. */
function most(results) {
  const best = (key) => {
    const found = results.filter((one) => one[key] > 0);
    const top = Math.max(...found.map((one) => one[key]));
    const all = found.filter((one) => one[key] === top).map(({ tool }) => tool);
    return found.length === 0 ? [] : [`${number(top)} ${key === 'rows' ? results[0].unit ?? 'rows' : key}: ${all.join(' · ')}`];
  };
  return `The most in an answer: ${['rows', 'hovers', 'names'].flatMap(best).join('; ')}.`;
}

export function markdown({ machine, date, versions, missing, comparisons, notes }) {
  const out = [`Measured ${date} on ${machine}; in each comparison the programs took turns. Times are medians, with the fastest and slowest run.`,
    `Versions: ${Object.entries(versions).map(([name, version]) => `${name}: ${version}`).join('; ')}.`,
    ...(missing.length > 0 ? [`Not available, and left out: ${missing.join(', ')}.`] : []), ...notes, ''];
  for (const { title, note, holdsMost, results } of comparisons) {
    out.push(`### ${title}`, '', `${note}${holdsMost ? ` ${most(results)}` : ''}`, '',
      '| program | median | fastest–slowest | runs | the answer has | tokens | MiB, itself | MiB, largest process |', '|---|--:|--:|--:|---|--:|--:|--:|');
    for (const one of results) {
      out.push(`| ${one.ours ? `**${one.tool}**` : one.tool} | ${time(median(one.wall))} | ${time(Math.min(...one.wall))}–${time(Math.max(...one.wall))} | ${one.wall.length} | ` +
        `${[content(one), one.remark].filter(Boolean).join('; ')} | ${one.tokens === undefined ? '' : number(one.tokens)} | ${mebibytes(one.own)} | ${mebibytes(one.largest)} |`);
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

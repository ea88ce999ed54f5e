// How far table::estimate_tokens is off the real count: over the captures in every format, whole and in parts, over short
// texts, and over Chinese, Japanese and Korean ones (the messages of TypeScript's compiler in these languages).
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { captures, convert, countTokens, estimates, project, readJson, total } from './captures.mjs';

/** The lines of a text, so many at a time. */
const parts = (text, lines) => {
  const all = text.split('\n');
  return Array.from({ length: Math.ceil(all.length / lines) }, (_, i) => all.slice(i * lines, (i + 1) * lines).join('\n'));
};
const groupsOf = (texts, size) => parts(texts.map((text) => text.replace(/\s+/g, ' ')).join('\n'), size);

const formats = ['table', 'tree', 'outline', 'tsv', 'toon', 'packed'];
const rendered = captures.flatMap(({ reply, hovers }) => formats.flatMap((format) => [
  convert(['--from', 'json', '--to', format, reply]),
  convert(['--from', 'json', '--to', format, '--verbosity=minimal', reply]),
  ...(hovers ? [convert(['--from', 'json', '--to', format, '--hovers', hovers, reply])] : []),
]));
const replies = captures.flatMap(({ reply }) => [readJson(reply), ...readJson(reply)].map((part) => JSON.stringify(part)));
const hoverReplies = captures.flatMap(({ hovers }) => (hovers ? readJson(hovers) : [])).filter((hover) => hover);

// A real reply whose hovers are these texts, as a format shows them.
function asHovers(texts, format) {
  const capture = captures.find(({ name }) => name === 'pyright/python3.11__typing.py');
  const folder = mkdtempSync(join(tmpdir(), 'symbols-estimate-'));
  const hovers = Array.from({ length: capture.symbols }, (_, i) => ({ contents: texts[i % texts.length] }));
  writeFileSync(join(folder, 'hovers.json'), JSON.stringify(hovers));
  const text = convert(['--from', 'json', '--to', format, '--hovers', join(folder, 'hovers.json'), capture.reply]);
  rmSync(folder, { recursive: true });
  return parts(text, 20);
}
const translations = (language) => {
  const path = join(project, `scripts/servers/node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`);
  return existsSync(path) ? Object.values(readJson(path)) : [];
};
const languages = { 'zh-cn': 'Chinese (simplified)', 'zh-tw': 'Chinese (traditional)', ja: 'Japanese', ko: 'Korean' };

const whole = (texts) => texts.filter((text) => countTokens(text) >= 200);
const short = (texts) => texts.filter((text) => countTokens(text) < 50);
const groups = [
  ['our formats, whole', whole(rendered)],
  ['our formats, 20 lines of them', whole(rendered.flatMap((text) => parts(text, 20)))],
  ['our formats, one line of them, under 50 tokens', short(rendered.flatMap((text) => parts(text, 1)))],
  ['documentSymbol replies and their top-level symbols, minified', whole(replies)],
  ['hover replies, minified', hoverReplies.map((hover) => JSON.stringify(hover)).filter((text) => countTokens(text) >= 50)],
  ['hovers\' text, under 50 tokens', short(hoverReplies.map(({ contents }) => contents.value ?? '').filter((text) => text !== ''))],
  ...Object.entries(languages).flatMap(([language, name]) => {
    const texts = translations(language);
    return [
      [`${name}: nothing but prose, 200 tokens or more`, whole(groupsOf(texts, 15))],
      [`${name}: nothing but prose, under 50 tokens`, short(texts)],
      [`${name}: tables and trees with such hovers`, ['table', 'tree'].flatMap((format) => asHovers(texts, format))],
    ];
  }),
].filter(([, texts]) => texts.length > 0);

console.log('| texts | number | mean error | 95th percentile | mean, signed |\n|---|---:|---:|---:|---:|');
for (const [title, texts] of groups) {
  const guessed = estimates(texts);
  const errors = texts.map((text, i) => guessed[i] / countTokens(text) - 1);
  const sizes = errors.map(Math.abs).sort((a, b) => a - b);
  const percent = (value) => `${(100 * value).toFixed(1)}%`.replace(/^-(0\.0%)/, '$1');
  console.log(`| ${title} | ${texts.length} | ${percent(total(sizes) / sizes.length)} | ${percent(sizes[Math.floor(0.95 * (sizes.length - 1))])} | ${percent(total(errors) / errors.length)} |`);
}

// All forms in which a capture can be given to a model, ours and others', as texts.
import { convert, readJson } from './captures.mjs';
import { encode } from '@toon-format/toon';

const ours = (format, ...options) => ({
  title: [format, ...options.map((option) => option.replace(/^--/, ''))].join(' '),
  of: ({ reply, hovers }, withHovers) =>
    convert(['--from', 'json', '--to', format, ...(withHovers ? ['--hovers', hovers] : []), ...options, reply]),
});

/** What a server sends: the reply, and where hovers are shown, the hover replies too. */
const raw = ({ reply, hovers }, withHovers) =>
  withHovers ? { symbols: readJson(reply), hovers: readJson(hovers) } : readJson(reply);

export const pretty = { title: 'JSON, pretty-printed', of: (...which) => JSON.stringify(raw(...which), null, 2) };
export const minified = { title: 'JSON, minified', of: (...which) => JSON.stringify(raw(...which)) };
export const officialToon = { title: 'official TOON of the reply', of: (...which) => encode(raw(...which)) };

const formats = ['json', 'packed', 'toon', 'tsv', 'table', 'outline', 'tree'];
export const withoutHovers = [
  pretty, minified, officialToon,
  ...formats.map((format) => ours(format)),
  ours('packed', '--verbosity=minimal'), ours('toon', '--verbosity=minimal'), ours('tsv', '--verbosity=minimal'),
  ours('table', '--verbosity=minimal'), ours('tree', '--verbosity=minimal', '--fold=no'), ours('tree', '--verbosity=minimal'),
  ours('tree', '--verbosity=minimal', '--children=no'), ours('tree', '--verbosity=counts'),
];
export const withHovers = [
  pretty, minified, officialToon,
  ...formats.map((format) => ours(format)),
  ours('table', '--hover-chars=0'), ours('tree', '--hover-chars=0'),
  ours('tree', '--verbosity=signatures', '--fold=no'), ours('tree', '--verbosity=signatures'),
];

// The constants of the sources that are numbers, durations or sizes, as docs/limits.md names them.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { project } from './program.mjs';

const units = { nanoseconds: 1e-6, milliseconds: 1, seconds: 1000, minutes: 60_000, hours: 3_600_000 };
const definition = new RegExp(String.raw`^\s*(?:(?:inline|static) )?(?:constexpr )?(?:const )?` +
  String.raw`((?:std::)?(?:size_t|u?int\d+_t|u?intmax_t|chrono::\w+)|milliseconds|int|unsigned|rapidjson::SizeType) (\w+)(?: = ([^;]+)|\{([^;]*)\});`, 'gm');

/** The number that an expression of literals is, in milliseconds where it is a duration; undefined for any other. */
function valueOf(type, expression) {
  let unit = units[type.split('::').at(-1)];
  const plain = expression.replace(/(?:std::)?(?:chrono::)?(\w+)([({])([^(){}]*)[)}]/g, (all, name, open, inside) => {
    if (!(name in units)) return /^(size_t|u?int\d+_t|steady_clock)$/.test(name) ? `(${inside})` : 'x';
    unit = 1;
    return `(${inside}) * ${units[name]}`;
  }).replaceAll("'", '').replace(/(\d)[uUlL]+\b/g, '$1').replace(/[{}]/g, '');
  if (!/^[\d\s.()*+<]*\d[\d\s.()*+<]*$/.test(plain)) return undefined;
  try {
    return { value: Number(new Function(`return ${plain.replace(/(\d+\)?) << /g, '$1 * 2 ** ')}`)()) * (unit ?? 1), isTime: unit !== undefined };
  } catch {
    return undefined;  // a part of something else
  }
}

function sources(folder) {
  return readdirSync(join(project, folder), { withFileTypes: true, recursive: false }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? sources(path) : /\.(h|cc)$/.test(entry.name) ? [path] : [];
  });
}

/** { `path name`: { value, isTime } }, of constants and of members with a number, which limits are. */
export function constants() {
  const found = new Map();
  for (const path of ['base', 'lsp', 'table', 'proxy'].flatMap(sources)) {
    for (const [, type, name, assigned, braced] of readFileSync(join(project, path), 'utf8').matchAll(definition)) {
      const value = valueOf(type, assigned ?? braced);
      if (value) found.set(`${path} ${name}`, value);
    }
  }
  return found;
}

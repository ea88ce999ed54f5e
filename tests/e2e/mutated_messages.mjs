// Messages of MCP with something wrong in them: in their structure, in their text, in their bytes. The same ones for a seed.

/** Numbers below a bound. */
export function dice(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const nested = (depth) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const oddValues = () => [null, true, -1, 0, 1.5, 1e300, 4294967296, '', 'x'.repeat(5000), '\u0000', '\ud800', 'é€😀', [], {}, [[]], { '': { '': [] } }, nested(50), nested(500)];

/** Every object or array in a value with each of its keys. */
function* placesIn(value) {
  if (value === null || typeof value !== 'object') return;
  for (const key of Object.keys(value)) {
    yield [value, key];
    yield* placesIn(value[key]);
  }
}

/** Changes one place of a message: without it, with another value, another name, or one level deeper. */
function changeStructure(message, random) {
  const places = [...placesIn(message)];
  const [holder, key] = places[random(places.length)];
  const value = holder[key];
  const odd = oddValues();
  switch (random(6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(key, 1);
      else delete holder[key];
      break;
    case 1:
      holder[key] = [value];
      break;
    case 2:
      holder[key] = { [key]: value };
      break;
    case 3:
      holder[`${key}_`] = value;
      delete holder[key];
      break;
    default:
      holder[key] = odd[random(odd.length)];
  }
}

function changeText(text, random) {
  const at = random(text.length);
  switch (random(5)) {
    case 0: return text.slice(0, at) + text.slice(at + 1 + random(4));
    case 1: return text.slice(0, at) + '{}[]",:0\\ \u0001é'[random(12)] + text.slice(at);
    case 2: return text.slice(0, at) + text.slice(random(text.length)).slice(0, 30) + text.slice(at);
    case 3: return text.slice(0, at) + '{}[]",:9x'[random(9)] + text.slice(at + 1);
    default: return text.slice(0, at);
  }
}

// Not UTF-8: no such byte, one too many, too long a form, a surrogate, a character without its end.
const wrongBytes = [[0xff], [0x80], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82], [0xf5, 0x80, 0x80, 0x80]].map((bytes) => Buffer.from(bytes));

function changeBytes(bytes, random) {
  const at = random(bytes.length);
  switch (random(4)) {
    case 0: return Buffer.concat([bytes.subarray(0, at), Buffer.from('[{"a":'[random(6)].repeat(1 + random(3000)))]);
    case 1: return Buffer.concat([bytes.subarray(0, at), Buffer.from([0]), bytes.subarray(at)]);
    default: return Buffer.concat([bytes.subarray(0, at), wrongBytes[random(wrongBytes.length)], bytes.subarray(at + random(2))]);
  }
}

/** The bytes of a message as it is, or changed in one of these ways, and whether they are changed. Never a line end inside. */
export function mutated(message, random) {
  const kind = ['none', 'structure', 'structure', 'text', 'text', 'bytes'][random(6)];
  const changed = structuredClone(message);
  if (kind === 'structure') for (let times = 1 + random(2); times > 0; --times) changeStructure(changed, random);
  let text = JSON.stringify(changed);
  if (kind === 'text') for (let times = 1 + random(2); times > 0 && text !== ''; --times) text = changeText(text, random);
  const bytes = Buffer.from(text);
  return { kind, bytes: kind === 'bytes' ? changeBytes(bytes, random) : bytes };
}

// Fits the weights of table::estimate_tokens to o200k_base and writes table/token_weights.h:
//
//   node bench/tokens/fit_estimate.mjs LIST.txt      LIST.txt: texts to fit to, a path a line; besides them all captures in all formats
//
// A piece of text that the tokenizer never joins with its neighbours costs 1 token + max(0, the sum of its characters' weights).
// The weights are found by gradient descent (Adam) on the error of the pieces, and on that of whole texts, where too few tokens
// count more than too many: an answer shall not exceed its budget. The costs of other scripts' letters are not fitted here: they
// are averages, in table/token_estimate.cc.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../arguments.mjs';
import { captures, convert, countTokens, project, readJson } from './captures.mjs';

const list = process.argv[2] ?? fail('give a file with the paths of texts');
const texts = readFileSync(list, 'utf8').split('\n').filter((path) => path !== '').map((path) => readFileSync(path, 'utf8').slice(0, 40000));
for (const { reply, hovers } of captures) {
  for (const json of hovers ? [reply, hovers] : [reply]) texts.push(JSON.stringify(readJson(json)).slice(0, 40000));
  for (const format of ['table', 'tree', 'outline', 'tsv', 'toon', 'packed']) {
    for (const options of [['--verbosity=minimal'], ...(hovers ? [['--hovers', hovers]] : [])])
      texts.push(convert(['--from', 'json', '--to', format, ...options, reply]).slice(0, 40000));
  }
}

// As o200k_base splits a text.
const [upper, lower] = ['\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}', '\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}'];
const ending = "(?:'[sStTmMdD]|'[rR][eE]|'[vV][eE]|'[lL][lL])?";
const before = '[^\\r\\n\\p{L}\\p{N}]?';
const split = new RegExp(`${before}[${upper}]*[${lower}]+${ending}|${before}[${upper}]+[${lower}]*${ending}|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+`, 'gu');

const marks = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).filter((mark) => !/[A-Za-z0-9]/.test(mark));
const [beginning, space, newline, toNewline, toWord] = [32, 33, 34, 32, 33];
const columns = 34;
// Where the weights lie in one array.
const letterAt = (capitals, place, row, letter) => ((capitals * 3 + place) * 27 + row) * 27 + letter;
const marksAt = 2 * 3 * 27 * 27;
const markAt = (row, column) => marksAt + row * columns + column;
const size = marksAt + 35 * columns;

/** The constants of table/token_estimate.cc, in tokens. */
const late = (letters) => (letters > 9 ? 0.05 * (Math.min(letters, 24) - 9) : 0);
const contraction = 0.55;

/** { weights: their places, known: what is not fitted }; nothing for a piece of other characters. */
function featuresOf(piece) {
  const word = /^([^A-Za-z]?)([A-Z]*)([a-z]*)('[A-Za-z]{1,2})?$/s.exec(piece);
  if (word && (word[2] || word[3])) {
    const [, mark, capitals, small, contracted] = word;
    const only = capitals !== '' && small === '' ? 1 : 0;
    const letters = [0, 0, 0, ...[...(capitals + small).toLowerCase()].map((letter) => letter.charCodeAt(0) - 96), 0];
    const places = [];
    for (let i = 3; i < letters.length; ++i) for (let back = 1; back <= 3; ++back) places.push(letterAt(only, back - 1, letters[i - back], letters[i]));
    const count = capitals.length + small.length;
    let known = late(count) + (only ? 0.1 * Math.min(count, 12) : capitals.length > 1 ? 0.45 : 0) + (contracted ? contraction : 0);
    const row = mark === '' ? beginning : mark === ' ' ? space : marks.indexOf(mark);
    if (count > 1 && row >= 0) places.push(markAt(row, toWord));
    if (count > 1 && row < 0) known += 0.5;
    return { places, known };
  }
  if (!/^ ?[!-~]+[\r\n/]*$/.test(piece) || /[A-Za-z0-9]/.test(piece)) return undefined;
  const places = [];
  let row = piece[0] === ' ' ? space : beginning;
  for (const character of piece.slice(row === space ? 1 : 0).replace(/[\r\n]+/g, '\n')) {
    const isNewline = character === '\n';
    if (isNewline && places.some((place) => (place - marksAt) % columns === toNewline)) continue;
    const column = isNewline ? toNewline : marks.indexOf(character);
    places.push(markAt(row, column));
    row = isNewline ? newline : column;
  }
  return { places, known: 0 };
}

const pieces = new Map(); // piece → its number
const starts = [0];
const places = [];
const known = [];
const real = [];
const documents = texts.filter((text) => text.length > 300).map((text) => {
  const counts = new Map();
  for (const [piece] of text.matchAll(split)) {
    let number = pieces.get(piece);
    if (number === undefined) {
      const features = featuresOf(piece);
      number = features ? real.length : -1;
      pieces.set(piece, number);
      if (features) {
        places.push(...features.places);
        starts.push(places.length);
        known.push(features.known);
        real.push(countTokens(piece) - 1);
      }
    }
    if (number >= 0) counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  const tokens = countTokens(text);
  return { pieces: Int32Array.from(counts.keys()), shares: Float64Array.from(counts.values(), (count) => count / tokens) };
});
console.error(`${documents.length} texts, ${real.length} pieces`);

const place = Int32Array.from(places);
const shares = new Float64Array(real.length); // of all documents
for (const document of documents) document.pieces.forEach((piece, i) => (shares[piece] += document.shares[i]));
const allShares = shares.reduce((sum, share) => sum + share, 0);

const weights = new Float64Array(size);
const mean = new Float64Array(size);
const variance = new Float64Array(size);
const errors = new Float64Array(real.length);
const rounds = 800;
const [lowest, highest] = [-1.4, 2.3];
for (let round = 0; round < rounds; ++round) {
  const slopes = new Float64Array(real.length);
  const gradient = new Float64Array(size);
  for (let piece = 0; piece < real.length; ++piece) {
    let sum = known[piece];
    for (let i = starts[piece]; i < starts[piece + 1]; ++i) sum += weights[place[i]];
    slopes[piece] = sum > 0 ? 1 : 0.02;
    errors[piece] = sum * slopes[piece] - real[piece];
  }
  const pulls = errors.map((error, piece) => (error * shares[piece]) / allShares);
  for (const document of documents) {
    let error = 0;
    for (let i = 0; i < document.pieces.length; ++i) error += errors[document.pieces[i]] * document.shares[i];
    const pull = (20 * error * (error < -0.03 ? 5 : error < 0 ? 2.5 : 1)) / documents.length;
    for (let i = 0; i < document.pieces.length; ++i) pulls[document.pieces[i]] += pull * document.shares[i];
  }
  for (let piece = 0; piece < real.length; ++piece) {
    const pull = pulls[piece] * slopes[piece];
    for (let i = starts[piece]; i < starts[piece + 1]; ++i) gradient[place[i]] += pull;
  }
  const step = round < rounds * 0.6 ? 0.03 : 0.006;
  for (let i = 0; i < size; ++i) {
    const slope = gradient[i] + 1e-7 * weights[i];
    mean[i] = 0.9 * mean[i] + 0.1 * slope;
    variance[i] = 0.99 * variance[i] + 0.01 * slope * slope;
    weights[i] = Math.min(highest, Math.max(lowest, weights[i] - (step * mean[i]) / (Math.sqrt(variance[i]) + 1e-9)));
  }
}

// A pair that was never seen is a rare one.
const seen = new Set(place);
const written = (at, rare) => String.fromCharCode('L'.charCodeAt(0) + Math.round(20 * (seen.has(at) ? weights[at] : rare)));
const quoted = (row) => (row.includes('\\') ? `R"(${row})"` : `"${row}"`);
const numbers = (count) => Array.from({ length: count }, (_, i) => i);
const letterName = (row, capitals) => (row === 0 ? 'the beginning' : String.fromCharCode((capitals ? 64 : 96) + row));
const letterRows = (capitals) => numbers(27).map((row) => {
  const all = numbers(3).map((back) => numbers(27).map((letter) =>
    written(letterAt(capitals, back, row, letter), row === 0 && letter === 0 ? 0 : back === 0 ? 0.5 : 0.2)).join('')).join('');
  return `    ${quoted(all)},  // ${letterName(row, capitals)}`;
}).join('\n');
const markNames = [...marks.map((mark) => (mark === '\\' ? 'backslash' : mark)), 'beginning', 'space', 'newline'];
const markRows = markNames.map((name, row) =>
  `    ${quoted(numbers(columns).map((column) => written(markAt(row, column), column === toWord ? 1 : 0.9)).join(''))},  // ${name}`).join('\n');

writeFileSync(join(project, 'table/token_weights.h'), `// The weights of token_estimate.cc, fitted to o200k_base. A character of the rows stands for a weight: \`L\`
// for none, each one after it for a twentieth of a token more, each one before it for a twentieth less. Made
// by bench/tokens/fit_estimate.mjs; not to be edited by hand.
#pragma once

#include <string_view>

namespace symbols::table::token_weights {

inline constexpr char none = 'L';

// A letter by a letter before it: one row for the beginning of the word and for each of a to z. In a row 27
// weights, for the word's end and for each of a to z, where the row's letter stands directly before; then as
// many where it stands two places before, and three. Words of capitals have weights of their own.
inline constexpr std::string_view letters[27] = {
${letterRows(0)}
};
inline constexpr std::string_view capitals[27] = {
${letterRows(1)}
};

// A mark by what stands directly before it: one row for each ASCII mark in their order, then for the beginning
// of a run, for a space, for a newline. In a row a weight for each mark, then for a newline and for a word.
inline constexpr std::string_view marks[35] = {
${markRows}
};

}  // namespace symbols::table::token_weights
`);

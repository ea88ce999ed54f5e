// Counts the tokens of a text as a language model does, with the tokenizer's own vocabulary, o200k_base.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourcesFolder } from './program.mjs';

const tokenizer = await import(pathToFileURL(createRequire(join(sourcesFolder, 'package.json')).resolve('gpt-tokenizer/encoding/o200k_base')));
export const countTokens = (text) => tokenizer.countTokens(text, { disallowedSpecial: new Set() });

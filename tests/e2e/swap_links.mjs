// Replaces a file and a folder of a project by links out of it, and puts them back, ten times for each byte of its standard input.
//
//   node swap_links.mjs PROJECT OUTSIDE
//
// For `f` that is the file a.x, for `d` it and the folder `in`. When its standard input ends it ends, with both in their places.
import { linkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';

const [project, outside] = process.argv.slice(2);
const at = (name) => join(project, name);

/** Makes `name` what `make` makes of a name that is free: at no moment is there nothing. */
function replace(name, make) {
  make(at('.new'));
  renameSync(at('.new'), at(name));
}

linkSync(at('a.x'), at('.a'));
function swap(folder) {
  replace('a.x', (path) => symlinkSync(join(outside, 'a.x'), path));
  if (folder) {
    renameSync(at('in'), at('.in'));
    replace('in', (path) => symlinkSync(outside, path));
  }
  replace('a.x', (path) => linkSync(at('.a'), path));
  if (folder) {
    unlinkSync(at('in'));
    renameSync(at('.in'), at('in'));
  }
}

process.stdin.on('data', (bytes) => {
  for (const byte of bytes) for (let i = 0; i < 10; ++i) swap(byte === 'd'.charCodeAt());
});
process.stdin.on('end', () => unlinkSync(at('.a')));

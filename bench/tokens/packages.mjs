// The programs among this folder's npm packages. They may not be installed yet: captures.mjs does that.
import { join } from 'node:path';
import { project } from '../arguments.mjs';

export const packages = join(project, 'bench/tokens/node_modules');
export const astGrep = join(packages, '@ast-grep/cli-linux-x64-gnu/ast-grep');
export const repomix = [process.execPath, join(packages, 'repomix/bin/repomix.cjs')];
/** Its arguments to print a folder's code without bodies, and nothing else. */
export const repomixCompress = ['--compress', '--stdout', '--quiet', '--style=plain', '--no-file-summary', '--no-directory-structure',
  '--no-git-sort-by-changes', '--no-security-check', '.'];

// The Markdown of the project: its pages, their links and headings, and the commands that they show.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { project } from './program.mjs';

/** The Markdown of these folders, by path from the project's root; not of other people's packages. */
function markdownIn(folder, depth = 3) {
  return readdirSync(join(project, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return depth > 0 && !/^(node_modules|\.|build|dist)/.test(entry.name) ? markdownIn(path, depth - 1) : [];
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
export const pages = Object.fromEntries(
  [...readdirSync(project).filter((name) => name.endsWith('.md')), ...['docs', 'editors', 'packaging'].flatMap((folder) => markdownIn(folder))]
    .map((path) => [path, readFileSync(join(project, path), 'utf8')]));

const fence = /^( *)```(\w*)\n([^]*?)^ *```$/gm;
const withoutBlocks = (text) => text.replace(fence, '');

/** { language, text } of each block of code. */
export const blocksOf = (text) => [...text.matchAll(fence)].map(([, indent, language, body]) =>
  ({ language, text: body.replace(new RegExp(`^${indent}`, 'gm'), '') }));

/** What stands between backticks in the text, on one line. */
export const inlineCode = (text) =>
  [...withoutBlocks(text).matchAll(/(`+)([^]+?)\1(?!`)/g)].map(([, , code]) => code.replace(/\s+/g, ' ').trim());

/** The anchors of a page, as GitHub makes them of its headings. */
export function anchorsOf(text) {
  const counts = new Map();
  return [...withoutBlocks(text).matchAll(/^#{1,6} +(.*)$/gm)].map(([, heading]) => {
    const slug = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').trim().replace(/ /g, '-');
    const times = counts.get(slug) ?? 0;
    counts.set(slug, times + 1);
    return times === 0 ? slug : `${slug}-${times}`;
  });
}

/** The targets of a page's links and pictures. */
export const linksOf = (text) =>
  [...withoutBlocks(text).replace(/(`+)[^]+?\1(?!`)/g, '').matchAll(/\]\(([^()\s]+(?:\([^()\s]*\))?)\)|^\[[^\]]+\]: *(\S+)$|\b(?:src|href)="([^"]+)"/gm)].map((found) => found[1] ?? found[2] ?? found[3]);

/** Why this link of the page at `path` leads nowhere, or undefined. */
export function brokenLink(path, target) {
  if (/^[a-z]+:/.test(target)) {
    const url = URL.canParse?.(target) ?? true ? new URL(target) : undefined;
    return url?.protocol === 'https:' && /^[\w-]+(\.[\w-]+)+$/.test(url.hostname) ? undefined : 'no well-formed https address';
  }
  const [file, anchor] = target.split('#');
  const found = file === '' ? path : relative(project, join(project, dirname(path), decodeURI(file)));
  if (found.startsWith('..') || !existsSync(join(project, found))) return 'no such file';
  try {
    execFileSync('git', ['check-ignore', '-q', found], { cwd: project, stdio: 'ignore' });
    return 'a file that git ignores';
  } catch {}  // it is not ignored, or this is no checkout
  if (anchor !== undefined && !anchorsOf(pages[found] ?? '').includes(anchor)) return `no heading #${anchor} in ${found}`;
  return undefined;
}

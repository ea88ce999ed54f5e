// `symbols mcp` and the names that files, folders and symbols may have: each request gets its reply, and no name forges a line of an
// answer or reorders what is shown.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { ownEnvironment } from './language_servers.mjs';
import { mcp } from './mcp_session.mjs';
import { folder, scriptedServers } from './program.mjs';

const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd]|^(?:note: )?forged/mu;

const names = ['-', '--help', '-n.x', ':3', 'a.x:1:2', ' ', '~', '*', '%2e%2e', '\\', '"', '|', '==> a.x <==', 'file:a.x', 'file:///etc/passwd.x', 'a\tb.x', 'a\rforged.x',
  'a\nforged.x', 'a\n\nnote: forged.x', '\u001b[31mred.x', '\u0085next.x', '\u202eright.x', '\u2028forged.x', '\u2066isolated.x', 'a\u0000', 'x'.repeat(250) + '.x'];

/** A project with each of these names for a file, and for a folder with a file; and with files that cannot be indexed. */
function places(t) {
  const cwd = folder(t, { 'a.x': 'alpha\n  \u001b[31mbeta\n  \u202egamma\n  de|l"ta\\n\n  \u0085eps\n' });
  const write = (name, text) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), text);
  };
  const files = names.filter((name) => !name.includes('\0') && !name.includes('/'));
  files.forEach((name, i) => {
    write(name, `file_${i}\u001b]0;t\u0007\n`);
    write(`folders/${name}/in.x`, `\u2067folder_${i}\n`);
    write(`binary/${name.slice(0, 200)}.x`, 'binary\0\n');
  });
  // Under the name of one that is told of changes, for which it need not be started again.
  return { cwd, env: ownEnvironment(t, scriptedServers('called-by-all-it-was-sent', { name: 'pyright' })) };
}

test('each call about any name has one reply, and no name controls what is shown', async (t) => {
  const { cwd, env } = places(t);
  const client = await mcp(t, { cwd, env });
  // The call that makes the index has notes about what cannot be indexed.
  const found = await client.call('find', { query: 'alpha' });
  assert.match(found, /a\.x:1 \| Function \|  \| alpha\n[^]*note: [^]*binary/);
  assert.doesNotMatch(found, controls);
  const calls = [];
  for (const path of [...names, '.', 'folders', 'binary']) {
    calls.push(['outline', { paths: [path], verbosity: 'full' }], ['diagnostics', { paths: [path] }], ['context', { path, line: 1 }], ['context', { path, name: path }],
      ['context', { name: path }], ['hover', { path, line: 1 }], ['find', { query: path }], ['map', { folder: `folders/${path}` }]);
    for (const same of [`./${path}`, join(cwd, path), `folders/${path}`, `binary/${path.slice(0, 200)}.x`]) calls.push(['outline', { paths: [same] }]);
  }
  calls.push(['context', { name: 'binary' }], ['find', { query: 'file', limit: 1000 }], ['find', { query: 'folder', limit: 1000 }], ['map', {}], ['context', { path: 'a.x', name: 'alph' }]);
  for (const [i, [tool, args]] of calls.entries()) {
    const answer = await client.call(tool, args, { _meta: { progressToken: `p${i}` } });
    const text = answer.error ?? answer;
    assert.doesNotMatch(text, controls, `${tool} ${JSON.stringify(args)}`);
  }
  for (const { params } of client.notifications) assert.doesNotMatch(params.message, controls);
  assert.deepEqual((await client.request('ping')).result, {});
  assert.equal(client.replies.length, new Set(client.replies.map(({ id }) => id)).size);
  assert.match(await client.call('outline', { paths: ['-n.x'] }), /^f1 file_/);
});

test('a folder with line breaks in its name and a wrong configuration forges no line', async (t) => {
  const { cwd, env } = places(t);
  const wrong = 'folders/a\nforged.x';
  writeFileSync(join(cwd, wrong, '.symbols.json'), '{"nothing": 1}');
  const client = await mcp(t, { cwd, env });
  for (const [tool, args] of [['outline', { paths: [wrong] }], ['context', { path: `${wrong}/in.x`, line: 1 }]]) {
    const { error } = await client.call(tool, args);
    assert.match(error, /symbols\.json/);
    assert.doesNotMatch(error, controls);
  }
});

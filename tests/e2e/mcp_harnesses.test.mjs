// The tools of `symbols mcp` in agent harnesses, each as it is from npm and configured by `symbols setup`, with a scripted model: that
// they are offered, and that a call gives the model what the server answers. mcp_harness_tokens.test.mjs counts the tokens.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { harnesses } from './harness_programs.mjs';
import { askDirectly, ours, scene, symbolsSetup, throughTools } from './mcp_harness_runs.mjs';
import { converse } from './scripted_model.mjs';

for (const name of Object.keys(harnesses)) {
  test(`${name}: symbols setup gives it tools that say what the server says`, (t) => throughTools(t, name));
}

test('Claude Code: the plugin that symbols setup writes has the same tools', async (t) => {
  const name = 'Claude Code';
  const { options, ...place } = scene(t, name);
  await symbolsSetup(options, 'claude-code');
  const direct = await askDirectly(t, options, ours.slice(0, 1));
  const calls = [{ name: 'mcp__plugin_symbols-mcp_symbols__outline', input: ours[0][1] }];
  const plugins = [join(place.home, '.local', 'share', 'symbols', 'claude-code', 'mcp')];
  const { answers, status, noneLeft } = await converse(t, name, calls, { ...place, plugins });
  assert.equal(status, 0);
  assert.deepEqual(answers, direct.texts);
  await noneLeft();
});

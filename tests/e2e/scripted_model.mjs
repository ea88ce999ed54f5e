// Runs agent harnesses, which use tools only inside a conversation with a model, with a scripted one, and without a network or anything of
// the user's. The model, on the loopback interface, calls the tools that a test names, one after the other, and keeps what the harness
// sends: the tools that it offers, and the texts that a model would read. It has as much of each API as the harnesses need.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { harnesses, newNode } from './harness_programs.mjs';
import { homeWith, isolated } from './language_servers.mjs';
import { marked, timeFactor } from './program.mjs';

/** The text of a tool's result, in whichever form an API has it. */
const textOf = (content) => typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

function serverSentEvents(response, events) {
  response.setHeader('content-type', 'text/event-stream');
  for (const { event, data } of events) {
    response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

const typed = (events) => events.map((data) => ({ event: data.type, data }));

const messages = {
  path: /\/messages(\?|$)/,
  tools: ({ tools = [] }) => new Map(tools.map((tool) => [tool.name, tool])),
  said: ({ messages }) => messages.flatMap(({ content }) => (Array.isArray(content) ? content : [{ type: 'text', text: content }]).map((block) => {
    if (block.type === 'tool_use') return { call: { name: block.name, input: block.input } };
    return block.type === 'tool_result' ? { result: textOf(block.content) } : { text: block.text ?? '' };
  })),
  answer(response, { model }, call, number) {
    const block = call ? { type: 'tool_use', id: `toolu_${number}`, name: call.name, input: {} } : { type: 'text', text: '' };
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) } : { type: 'text_delta', text: 'done' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
    serverSentEvents(response, typed([
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ]));
  },
};

const chatCompletions = {
  path: /\/chat\/completions/,
  tools: ({ tools = [] }) => new Map(tools.map((tool) => [tool.function?.name, tool])),
  said: ({ messages }) => messages.flatMap(({ role, content, tool_calls: calls = [] }) => [
    ...content ? [role === 'tool' ? { result: textOf(content) } : { text: textOf(content) }] : [],
    ...calls.map((call) => ({ call: { name: call.function.name, input: JSON.parse(call.function.arguments) } })),
  ]),
  answer(response, { model }, call, number) {
    const toolCall = call && { index: 0, id: `call_${number}`, type: 'function', function: { name: call.name, arguments: JSON.stringify(call.input) } };
    const chunk = (delta, finish_reason) =>
      ({ data: { id: `c${number}`, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] } });
    serverSentEvents(response, [
      chunk({ role: 'assistant', ...call ? { tool_calls: [toolCall] } : { content: 'done' } }, null),
      chunk({}, call ? 'tool_calls' : 'stop'),
      { data: '[DONE]' },
    ]);
  },
};

/** OpenAI's Responses API. The tools of a namespace are called by both names, with a dot between them here. */
const responses = {
  path: /\/responses(\?|$)/,
  tools: ({ tools = [] }) => new Map(tools.flatMap((tool) => tool.type === 'namespace'
    ? tool.tools.map((inner) => [`${tool.name}.${inner.name}`, inner])
    : [[tool.name ?? tool.type, tool]])),
  said: ({ input }) => input.map((item) => {
    if (item.type === 'function_call') {
      return { call: { name: item.namespace ? `${item.namespace}.${item.name}` : item.name, input: JSON.parse(item.arguments) } };
    }
    return item.type === 'function_call_output' ? { result: textOf(item.output) } : { text: item.content ? textOf(item.content) : '' };
  }),
  answer(response, { model }, call, number) {
    const [name, namespace] = (call?.name ?? '').split('.').reverse();
    const item = call
      ? { type: 'function_call', id: `fc_${number}`, call_id: `call_${number}`, name, ...namespace && { namespace }, arguments: JSON.stringify(call.input), status: 'completed' }
      : { type: 'message', id: `msg_${number}`, role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'done', annotations: [] }] };
    const whole = { id: `resp_${number}`, object: 'response', created_at: 1, model, status: 'completed', output: [item] };
    const usage = { input_tokens: 1, input_tokens_details: { cached_tokens: 0 }, output_tokens: 1, output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 2 };
    serverSentEvents(response, typed([
      { type: 'response.created', response: { ...whole, status: 'in_progress', output: [] } },
      { type: 'response.output_item.added', output_index: 0, item },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { ...whole, usage } },
    ]));
  },
};

const generateContent = {
  path: /:(stream)?[gG]enerateContent/,
  tools: ({ tools = [] }) => new Map(tools.flatMap(({ functionDeclarations = [] }) => functionDeclarations).map((tool) => [tool.name, tool])),
  said: ({ contents }) => contents.flatMap(({ parts }) => parts.map(({ functionCall, functionResponse, text = '' }) => {
    if (functionCall) return { call: { name: functionCall.name, input: functionCall.args } };
    return functionResponse ? { result: functionResponse.response.output ?? JSON.stringify(functionResponse.response) } : { text };
  })),
  answer(response, _, call, number) {
    const part = call ? { functionCall: { id: `call_${number}`, name: call.name, args: call.input } } : { text: 'done' };
    serverSentEvents(response, [{ data: {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    } }]);
  },
};

const apis = [messages, chatCompletions, responses, generateContent];

/**
 * Starts it with the tool calls `[{ name, input }]`. `.url` is where it listens. `.answers` fills with the tools' results, in order;
 * `.tools` are the tools that were offered, by name, `.opening` is the first request that offered any, and `.said` has for each answer all that was said from the call
 * to the next one: `{ call }`, `{ result }` and `{ text }`.
 * A harness that does not offer the next call's tool (yet) is told "done".
 */
async function startModel(t, calls) {
  const model = { answers: [], said: [], tools: new Map() };
  let number = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => { body += chunk; }).on('end', () => {
      const api = apis.find(({ path }) => path.test(request.url));
      if (request.method !== 'POST' || !api) {
        response.writeHead(404).end();
        return;
      }
      const question = JSON.parse(body);
      const answers = [];
      let attempt = [];
      const said = [];
      for (const item of api.said(question)) {
        if (item.call) attempt = [];
        if (item.call || attempt.length > 0) attempt.push(item);
        if (item.result === undefined) continue;
        answers.push(item.result);
        said.push(attempt);
      }
      const tools = api.tools(question);
      for (const [name, tool] of tools) model.tools.set(name, tool);
      if (tools.size > 0) model.opening ??= body;
      if (answers.length > model.answers.length) Object.assign(model, { answers, said });
      const next = calls[answers.length];
      api.answer(response, question, tools.has(next?.name) ? next : undefined, ++number);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  model.url = `http://127.0.0.1:${server.address().port}`;
  return model;
}

/**
 * Has a harness make `calls` ([{ name, input }]) in the folder `cwd`, with the home folder `home`. `config`: the text of its
 * configuration of language servers; `plugins`: folders, for Claude Code.
 * Gives the texts that its model reads, one for each call (`answers`), all that was said for each (`said`), the tools that it offered by name
 * (`tools`), the text of the request that offered them first (`opening`), what it printed, its exit status, and `.noneLeft()`, which waits
 * until nothing is left of the run.
 */
export async function converse(t, name, calls, { cwd, home, config, plugins = [], path }) {
  const model = await startModel(t, calls);
  const { program = newNode, args, env, turn } = harnesses[name].start({ model, calls, cwd, config, plugins });
  const mark = marked();
  const child = spawn(program, args, {
    cwd, env: { ...isolated(home, path), ...env, ...mark.env }, stdio: [turn ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    timeout: 300_000 * timeFactor, killSignal: 'SIGKILL',
  });
  let printed = '';
  let turns = 0;
  const onOutput = (chunk) => {
    printed += chunk;
    const finished = printed.split('"type":"result"').length - 1;
    if (!turn || finished < turns) return;
    if (model.answers.length >= calls.length || turns >= 200) child.stdin.end();
    else {
      ++turns;
      child.stdin.write(`${turn}\n`);
    }
  };
  child.stdin?.on('error', () => {});
  child.stdout.on('data', onOutput);
  child.stderr.on('data', (chunk) => { printed += chunk; });
  if (turn) onOutput('');
  const [status, signal] = await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  if (model.answers.length !== calls.length) {
    throw new Error(`${name} answered ${model.answers.length} of ${calls.length} calls and ended with ${status ?? signal}; ` +
      `it offered ${[...model.tools.keys()]}:\n${printed}`);
  }
  return { answers: model.answers, said: model.said, tools: model.tools, opening: model.opening, printed, status, noneLeft: mark.noneLeft };
}

export const harnessHome = (t, name, config) => homeWith(t, harnesses[name].files(config));

/** Has a harness ask its language servers `questions` ([{ operation, file, … }]), with the text `config` as its configuration. */
export const askHarness = (t, name, questions, { cwd, config, plugin, path }) =>
  converse(t, name, questions.map(harnesses[name].lsp), {
    cwd, home: harnessHome(t, name, config), config, plugins: plugin ? [plugin] : [], path,
  });

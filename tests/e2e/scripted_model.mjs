// Stands in for a language model, on the loopback interface: calls the tools that a test names, one after the other, and keeps what
// the harness answers: the text that a model would read. Speaks as much of Anthropic's Messages API and of OpenAI's Chat
// Completions API as the harnesses need.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** The text of a tool's result, in whichever form an API has it. */
const textOf = (content) => typeof content === 'string' ? content : content.map(({ text }) => text).join('\n');

function serverSentEvents(response, events) {
  response.setHeader('content-type', 'text/event-stream');
  for (const { event, data } of events) {
    response.write(`${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}

const anthropic = {
  tools: ({ tools = [] }) => tools.map(({ name }) => name),
  results: ({ messages }) => messages.flatMap(({ content }) => Array.isArray(content) ? content : [])
    .filter(({ type }) => type === 'tool_result').map(({ content }) => textOf(content)),
  answer(response, { model }, call, number) {
    const block = call ? { type: 'tool_use', id: `toolu_${number}`, name: call.name, input: {} } : { type: 'text', text: '' };
    const delta = call ? { type: 'input_json_delta', partial_json: JSON.stringify(call.input) } : { type: 'text_delta', text: 'done' };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = { id: `msg_${number}`, type: 'message', role: 'assistant', model, content: [], stop_reason: null, stop_sequence: null, usage };
    serverSentEvents(response, [
      { type: 'message_start', message },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_delta', index: 0, delta },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      { type: 'message_stop' },
    ].map((data) => ({ event: data.type, data })));
  },
};

const openAI = {
  tools: ({ tools = [] }) => tools.map((tool) => tool.function?.name),
  results: ({ messages }) => messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content)),
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

/**
 * Starts it with the tool calls `[{ name, input }]`. `.url` is where it listens; `.answers` fills with the tools' results, in order.
 * A harness that does not offer the next call's tool (yet) is told "done". A result that matches `again` is that of a server which
 * was not ready within the harness's own limit: the tool is called once more after five seconds, up to three times (Qwen Code
 * ends a conversation in which a call comes five times).
 */
export async function startModel(t, calls, again) {
  const model = { answers: [] };
  let number = 0;
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => { body += chunk; }).on('end', () => {
      const api = request.url.includes('/messages') ? anthropic : request.url.includes('/chat/completions') ? openAI : undefined;
      if (request.method !== 'POST' || !api) {
        response.writeHead(404).end();
        return;
      }
      const question = JSON.parse(body);
      const answers = [];
      let repeated = 0;
      let isRepeat = false;
      for (const result of api.results(question)) {
        isRepeat = again.test(result) && repeated < 3;
        if (isRepeat) ++repeated;
        else answers.push(result);
      }
      if (answers.length > model.answers.length) model.answers = answers;
      const next = calls[answers.length];
      const answer = () => api.answer(response, question, api.tools(question).includes(next?.name) ? next : undefined, ++number);
      setTimeout(answer, isRepeat ? 5000 : 0);
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

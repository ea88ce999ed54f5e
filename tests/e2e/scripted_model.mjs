// Stands in for a language model, on the loopback interface: calls the tools that a test names, one after the other, and keeps what
// the harness sends: the tools that it offers, and the texts that a model would read. It has as much of each API
// (scripted_model_apis.mjs) as the harnesses need.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { apis } from './scripted_model_apis.mjs';

/**
 * Starts it with the tool calls `[{ name, input }]`. `.url` is where it listens. `.answers` fills with the tools' results, in order;
 * `.tools` are the tools that were offered, by name, `.opening` is the first request that offered any, and `.said` has for each answer all that was said from the call
 * to the next one: `{ call }`, `{ result }` and `{ text }`.
 * A harness that does not offer the next call's tool (yet) is told "done".
 */
export async function startModel(t, calls) {
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

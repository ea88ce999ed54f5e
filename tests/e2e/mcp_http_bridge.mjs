// `symbols mcp` speaks on its standard streams, the official conformance suite over HTTP: this is the wire between them. Messages
// pass through as they are. A session has a process of its own; the present revision knows no sessions, so there each request has.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { readMessages } from './mcp_session.mjs';
import { start } from './program.mjs';

const methodNotFound = -32601;

/** A process of `symbols mcp`. `onMessage` gets each of its messages, with the text that it was. */
function startProcess({ args = [], cwd, env }, onMessage) {
  const child = start(['mcp', ...args], { cwd, env, keepInput: true });
  readMessages(child.stdout, onMessage);
  return {
    send: (text) => child.stdin.write(`${text}\n`),
    end: () => child.stdin.end(),
    finished: child.finished,
  };
}

/** Messages to one HTTP response: a reply alone as JSON, with its status, what comes before the reply as events. */
function answerTo(response, { isModern, headers }) {
  const send = (message, text, isReply) => {
    if (response.writableEnded) return;
    if (!response.headersSent && isReply) {
      const status = !isModern || !message.error ? 200 : message.error.code === methodNotFound ? 404 : 400;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(text);
      return;
    }
    if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
    response.write(`event: message\ndata: ${text}\n\n`);
    if (isReply) response.end();
  };
  return send;
}

async function bodyOf(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** `.url` is where the suite finds the server; `.statuses` what the processes ended with, complete after `.close()`. */
export async function startBridge(t, options) {
  const sessions = new Map();
  const ends = [];
  const begun = (onMessage) => {
    const process = startProcess(options, onMessage);
    ends.push(process.finished);
    return process;
  };

  // Each request stands for itself.
  function answerModern(response, text, message) {
    const send = answerTo(response, { isModern: true });
    const process = begun((reply, raw) => send(reply, raw, reply.method === undefined));
    response.on('close', process.end);
    process.send(text);
    if (message.id === undefined) response.writeHead(202).end();
  }

  function beginSession(response, text) {
    const id = randomUUID();
    const session = { waiting: new Map(), events: undefined };
    session.process = begun((message, raw) => {
      // What belongs to a request goes where its reply goes.
      const of = message.method === 'notifications/progress'
        ? [...session.waiting.values()].find(({ token }) => token === message.params.progressToken)
        : message.method === undefined && session.waiting.get(message.id);
      if (of) of.send(message, raw, message.method === undefined);
      else session.events?.write(`event: message\ndata: ${raw}\n\n`);
      if (message.method === undefined) session.waiting.delete(message.id);
    });
    sessions.set(id, session);
    ask(session, response, text, { 'mcp-session-id': id });
  }

  function ask(session, response, text, headers) {
    const message = JSON.parse(text);
    if (message.method !== undefined && message.id !== undefined) {
      const send = answerTo(response, { isModern: false, headers });
      session.waiting.set(message.id, { send, token: message.params?._meta?.progressToken });
    } else {
      response.writeHead(202).end();
    }
    session.process.send(text);
  }

  const server = createServer(async (request, response) => {
    const session = sessions.get(request.headers['mcp-session-id']);
    if (request.method === 'POST') {
      const text = await bodyOf(request);
      const message = JSON.parse(text);
      const isModern = request.headers['mcp-protocol-version'] === '2026-07-28' ||
        message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined;
      if (isModern) return answerModern(response, text, message);
      if (session) return ask(session, response, text, {});
      if (message.method === 'initialize') return beginSession(response, text);
      return response.writeHead(request.headers['mcp-session-id'] ? 404 : 400).end();
    }
    if (!session) return response.writeHead(request.headers['mcp-session-id'] ? 404 : 405).end();
    if (request.method === 'GET') {
      session.events = response.writeHead(200, { 'content-type': 'text/event-stream' });
      return response.flushHeaders();
    }
    session.process.end();
    session.events?.end();
    sessions.delete(request.headers['mcp-session-id']);
    response.writeHead(200).end();
  });
  const close = async () => {
    server.close();
    server.closeAllConnections();
    for (const { process } of sessions.values()) process.end();
    sessions.clear();
    return (await Promise.all(ends)).map(({ status }) => status);
  };
  t.after(close);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${server.address().port}/mcp`, close };
}

// A client of `symbols mcp`, on its standard streams: a message a line.
import { StringDecoder } from 'node:string_decoder';
import { start } from './program.mjs';

export function readMessages(stream, onMessage) {
  const decoder = new StringDecoder('utf8');
  let buffered = '';
  stream.on('data', (chunk) => {
    buffered += decoder.write(chunk);
    for (let end = buffered.indexOf('\n'); end >= 0; end = buffered.indexOf('\n')) {
      const text = buffered.slice(0, end);
      buffered = buffered.slice(end + 1);
      onMessage(JSON.parse(text), text);
    }
  });
}

export function startMcp({ args = [], cwd, env, requests = {} } = {}) {
  const child = start(['mcp', ...args], { cwd, env, keepInput: true, limit: 0 });
  let lastId = 0;
  const waiting = new Map();
  const session = { child, finished: child.finished, messages: [], notifications: [], replies: [] };
  readMessages(child.stdout, (message) => {
    session.messages.push(message);
    if (message.method && message.id !== undefined) {
      const result = requests[message.method]?.(message.params);
      if (result) session.send({ jsonrpc: '2.0', id: message.id, result });
    } else if (message.method) {
      session.notifications.push(message);
    } else {
      session.replies.push(message);
      waiting.get(message.id)?.(message);
      waiting.delete(message.id);
    }
  });
  session.write = (text) => child.stdin.write(text);
  session.send = (message) => session.write(JSON.stringify(message) + '\n');
  session.notify = (method, params) => session.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  /** The reply; `.id` of the promise is the request's. */
  session.request = (method, params = {}) => {
    const id = ++lastId;
    const reply = new Promise((resolve) => waiting.set(id, resolve));
    session.send({ jsonrpc: '2.0', id, method, params });
    return Object.assign(reply, { id });
  };
  session.initialize = async (capabilities = {}, protocolVersion = '2025-11-25') => {
    const { result } = await session.request('initialize', { protocolVersion, capabilities, clientInfo: { name: 'test', version: '1' } });
    session.notify('notifications/initialized');
    return result;
  };
  /** The text of an answer; of an error, which must be one of the tool, `{ error }`. */
  session.call = async (name, args = {}, more = {}) => {
    const { result, error } = await session.request('tools/call', { name, arguments: args, ...more });
    if (error) throw new Error(`${error.code} ${error.message}`);
    return result.isError ? { error: result.content[0].text } : result.content[0].text;
  };
  session.close = () => {
    child.stdin.end();
    return session.finished;
  };
  return session;
}

/** The same, with the handshake of the revisions before 2026-07-28, ended after the test. */
export async function mcp(t, options = {}) {
  const session = startMcp(options);
  t.after(() => session.child.kill('SIGKILL'));
  session.serverInfo = await session.initialize(options.capabilities);
  return session;
}

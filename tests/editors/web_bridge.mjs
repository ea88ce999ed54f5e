// What a page in a browser needs to talk to a language server: the page itself, and a WebSocket for each command, whose messages
// are the server's without their headers.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { frame, frameSplitter } from '../e2e/lsp_stream.mjs';
import { project } from '../e2e/program.mjs';

const modules = join(project, 'tests', 'editors', 'npm', 'node_modules');
const { WebSocketServer } = await import(pathToFileURL(join(modules, 'ws', 'wrapper.mjs')));

/**
 * Serves `script` as a page of its own, and under `/NAME` the command of that name: an array of program and arguments. Gives the
 * address without its scheme.
 */
export async function startBridge(t, { script, commands, cwd, env }) {
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : '<!doctype html><title>CodeMirror</title><body><script type="module" src="page.js"></script>');
  });
  const children = new Set();
  new WebSocketServer({ server }).on('connection', (socket, { url }) => {
    const [program, ...args] = commands[decodeURIComponent(url.slice(1))];
    const child = spawn(program, args, { cwd, env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
    children.add(child);
    child.on('close', () => { children.delete(child); socket.close(); });
    child.stdin.on('error', () => {});
    socket.on('message', (message) => child.stdin.write(frame(message)));
    socket.on('close', () => child.stdin.end());
    child.stdout.on('data', frameSplitter((_header, body) => socket.send(body.toString('utf8'))));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    for (const { pid } of children) {
      try { process.kill(-pid, 'SIGKILL'); } catch { /* it has ended */ }
    }
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${server.address().port}`;
}

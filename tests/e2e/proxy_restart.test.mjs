// `--restart`: a server that ends by itself is started again, and the client notices no more than an error for what was in flight.
import assert from 'node:assert/strict';
import { eventually, timeFactor } from './program.mjs';
import { capabilities, hoverSaying, hovers, scenario, startSession, symbolsNamed } from './scenario.mjs';

const uri = 'file:///nonexistent/a.x';
const other = 'file:///nonexistent/b.x';
const restarting = (name, play, options = {}) => scenario(name, play, { seconds: 40, ...options, args: ['--restart', ...(options.args ?? [])] });

/** Plays a server that is told what the one before was told; gives the requests and notifications in their order. */
async function introduced(server, documents = 0) {
  const initialize = await server.receives('initialize');
  assert.equal(server.unclaimed.length, 0, 'something came before the answer to initialize');
  await server.reply(initialize.id, { capabilities });
  const initialized = await server.receives('initialized');
  return { initialize, initialized, opened: await server.receivesAll('textDocument/didOpen', documents) };
}
const textsOf = (opened) => Object.fromEntries(opened.map(({ params: { textDocument } }) => [textDocument.uri, textDocument]));

/** Ends a session of which `server` is the present server. */
async function finish({ client, ends }, server) {
  server.on('shutdown', ({ id }) => server.reply(id, null));
  assert.equal((await client.request('shutdown')).result, null);
  client.notify('exit');
  await server.receives('exit');
  await ends(0);
  assert.deepEqual(client.unclaimed, [], 'came to the client unexpectedly');
}

for (const [name, end] of [['SIGKILL', (server) => server.kill('SIGKILL')], ['SIGSEGV', (server) => server.kill('SIGSEGV')], ['status 0', (server) => server.exit(0)]]) {
  restarting(`a server that ends by ${name} is started again, with what the client has told it`, async (session) => {
    const { client, server, nextServer, proxy } = session;
    client.notify('workspace/didChangeConfiguration', { settings: { a: 1 } });
    client.notify('workspace/didChangeConfiguration', { settings: { a: 2 } });
    client.notify('workspace/didChangeWorkspaceFolders', { event: { added: [{ uri: 'file:///x', name: 'x' }], removed: [] } });
    client.notify('textDocument/didOpen', { textDocument: { uri, languageId: 'cpp', version: 3, text: 'int é;\nx\n' } });
    client.open(other, 'old');
    client.open('file:///closed', 'text');
    client.notify('textDocument/didClose', { textDocument: { uri: 'file:///closed' } });
    client.notify('textDocument/didChange', {
      textDocument: { uri, version: 4 },
      contentChanges: [{ range: { start: { line: 0, character: 4 }, end: { line: 0, character: 5 } }, text: '' }, { range: { start: { line: 1, character: 0 }, end: { line: 1, character: 1 } }, text: '"\u{1F600}"' }],
    });
    client.change(other, 'new', 7);
    await session.serverIsUpToDate();
    await end(server);
    const next = await nextServer();
    const { initialize, opened } = await introduced(next, 2);

    assert.deepEqual(opened.map(({ params }) => params.textDocument), [
      { uri, languageId: 'cpp', version: 4, text: 'int ;\n"\u{1F600}"\n' },
      { uri: other, languageId: 'x', version: 7, text: 'new' },
    ]);
    assert.deepEqual((await next.receives('workspace/didChangeConfiguration')).params, { settings: { a: 2 } });
    assert.equal((await next.receives('workspace/didChangeWorkspaceFolders')).params.event.added[0].name, 'x');
    const answer = client.symbols(uri);
    next.reply((await next.receives('textDocument/documentSymbol')).id, symbolsNamed(['alpha']));
    next.reply((await next.receives('textDocument/hover')).id, hoverSaying('hover'));
    assert.deepEqual(hovers((await answer).result.symbols), [['alpha', 'hover']]);
    assert.match(proxy.errors, /started again[^]*runs again, with 2 open documents/);
    assert.deepEqual(next.unclaimed, []);
    await finish(session, next);
  });
}

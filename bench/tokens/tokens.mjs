// What an answer costs in tokens: every format of ours, and what else a model could be given, beside reading the file (20 real
// files, live servers) and over all captures; the chart of it.
//
//   node bench/tokens/tokens.mjs               the tables, as Markdown; writes docs/tokens.svg
//   node bench/tokens/tokens.mjs --files       only percent of the file, without the chart
//     after: scripts/setup --tests; cmake --preset release -DSYMBOLS_BUILD_BENCH=ON && cmake --build build
//            apt-get install universal-ctags gopls golang-1.19-src libpython3.11-stdlib libgtest-dev libbenchmark-dev
//
// Installs its npm packages, pyright among them, into this folder. A tool that is not here is left out, with a message on
// standard error.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { captures, countTokens, project, total } from './captures.mjs';

if (process.argv.includes('--files')) {
  (await import('./files.mjs')).printPercents();
} else {
  const shares = (await import('./files.mjs')).printPercents();
  const { minified, officialToon, pretty, withHovers, withoutHovers } = await import('./forms.mjs');
  const { outputs, sources } = await import('./source_tools.mjs');
  const { chart } = await import('./chart.mjs');

  const count = (forms, which, hovers) => {
    const symbols = total(which.map((capture) => capture.symbols));
    const rows = forms.map(({ title, of }) => ({ title, tokens: total(which.map((capture) => countTokens(of(capture, hovers)))) / symbols }));
    const cost = (title) => rows.find((row) => row.title === title)?.tokens;
    return rows.map((row) => ({ ...row, ofMinified: row.tokens / cost(minified.title), ofPretty: row.tokens / cost(pretty.title) }));
  };
  const share = (ratio) => `${(100 * ratio).toFixed(1)}%`;
  const table = (title, rows) => {
    console.log(`### ${title}\n\n| form | tokens per symbol | of minified JSON | of pretty JSON |\n|---|---:|---:|---:|`);
    for (const { title: form, tokens, ofMinified, ofPretty } of rows) {
      console.log(`| ${form} | ${tokens.toFixed(tokens < 0.1 ? 3 : 1)} | ${share(ofMinified)} | ${share(ofPretty)} |`);
    }
    console.log();
  };
  const sum = (which) => `${which.length} replies, ${total(which.map(({ symbols }) => symbols)).toLocaleString('en')} symbols`;

  const hovered = captures.filter(({ hovers }) => hovers);
  const plain = count(withoutHovers, captures, false);
  const full = count(withHovers, hovered, true);
  table(`Without hovers: ${sum(captures)}`, plain);
  table(`With hovers, at most 200 characters each in ours: ${sum(hovered)}`, full);

  const symbols = total(sources.map((source) => source.symbols));
  console.log(`### The same ${sources.length} files, by what reads them: ${sources.map(({ shortName }) => shortName).join(', ')}\n`);
  console.log('| form | besides name, kind, position | symbols | tokens | tokens per symbol |\n|---|---|---:|---:|---:|');
  const line = (form, what, number, tokens) =>
    console.log(`| ${form} | ${what} | ${number ?? ''} | ${tokens} | ${number ? (tokens / number).toFixed(1) : ''} |`);
  const of = (forms, title) => forms.find((form) => form.title === title);
  for (const [form, hovers] of [[minified, false], [officialToon, false], [of(withoutHovers, 'table'), false], [of(withoutHovers, 'tree'), false],
    [of(withoutHovers, 'tree verbosity=minimal'), false], [minified, true], [of(withHovers, 'table'), true], [of(withHovers, 'tree'), true],
    [of(withHovers, 'outline'), true]]) {
    line(form.title, hovers ? 'hovers' : '', symbols, total(sources.map((source) => countTokens(form.of(source, hovers)))));
  }
  for (const { title, shows, text, symbols: reported } of outputs()) line(title, shows, reported, countTokens(text));

  writeFileSync(join(project, 'docs/tokens.svg'), chart(shares, plain, full, ['20 files of C++, TypeScript, Python, Go', sum(captures), sum(hovered)]));
}

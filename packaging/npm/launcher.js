#!/usr/bin/env node
// Runs the program `symbols` of this package in its place: its standard streams, its exit status, and the signals that would end it.
'use strict';
const { spawn } = require('node:child_process');
const { isatty } = require('node:tty');
const { join } = require('node:path');

const program = join(__dirname, 'symbols');
const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });

// A terminal sends these to the program as well: twice would be once too often.
const ofTerminal = [0, 1, 2].some((descriptor) => isatty(descriptor)) ? ['SIGINT', 'SIGQUIT'] : [];
const signals = ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP'];
for (const signal of signals) {
  process.on(signal, () => {
    if (!ofTerminal.includes(signal)) child.kill(signal);
  });
}

child.on('error', (error) => {
  console.error(`symbols: cannot run ${program}: ${error.message}`);
  process.exitCode = 126;
});
child.on('exit', (status, signal) => {
  process.exitCode = status ?? 1;
  if (signal === null) return;
  for (const one of signals) process.removeAllListeners(one);
  process.kill(process.pid, signal);
});

// Preloaded into programs whose time limits for language servers cannot be configured: a timer of more than two seconds takes twenty
// times as long.
const { setTimeout: start } = globalThis;
globalThis.setTimeout = Object.assign((callback, delay, ...rest) => start(callback, delay > 2000 ? Math.min(20 * delay, 2 ** 31 - 1) : delay, ...rest), start);

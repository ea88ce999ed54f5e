// TypeScript names the members of a union in the order in which it came to know them, which depends on what it was asked before.

/** An answer about geometry.ts with its one union in one order. */
export const inOneOrder = (table) => table.replace(/Rectangle (\\?)\| Circle/, 'Circle $1| Rectangle');

// What a bare Piscina runs: as little as its thread can do.
export const echo = (input) => input;

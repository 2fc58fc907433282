// The SDK's own timeout, in milliseconds: the deadline of the call aborts its signal earlier.
export const patienceMs: number = 24 * 60 * 60 * 1_000;

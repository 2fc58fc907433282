// An AbortSignal, where there is one: the kernel only hands it on, so it needs no platform's types to name it.
export type CancelSignal = typeof globalThis extends {AbortSignal: {prototype: infer Signal}} ? Signal : unknown;

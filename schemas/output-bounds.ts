// What one output may contain. The kernel checks it, and so do the process or thread of a handler and the host's end of its wire, before the
// kernel would have to read what it rejects.

/** Values, containers included; names of properties; UTF-16 units of all texts and names. */
export interface OutputBounds {
  readonly values: number;
  readonly names: number;
  readonly characters: number;
}

/**
 * Values and names at their bounds take the event loop about 50 ms, and text at its bound about 130 ms: files of 47 MiB can be read.
 */
export const outputBounds: OutputBounds = {values: 250_000, names: 50_000, characters: 64 * 1024 * 1024};

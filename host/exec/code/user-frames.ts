// The frames of an error that are in the code itself, with positions in the code as its author wrote it.

/** Where a position of a script was in its source; both from 1. */
export type PositionOf = (line: number, column: number) => readonly [line: number, column: number];

export interface FrameSource {
  /** The name that the engine gives the code. */
  readonly file: string;
  /** Characters before the code in its first line. */
  readonly head: number;
}

const charsMax = 4_000;

/** Empty if the stack has none. Lines of other files are dropped: they are ours. */
export function userFrames(stack: string, {file, head}: FrameSource): string {
  return (
    stack
      .split('\n')
      // Node begins the stack of a syntax error with its line alone.
      .map((line) => line.replace(/^\S+:\d+$/u, '    at $&:1'))
      .filter((frame) => frame.includes(`${file}:`) && /^\s*at /u.test(frame))
      .map((frame) => movePositions(frame, (line, column) => [line, line === 1 ? Math.max(1, column - head) : column]))
      .join('\n')
      .slice(0, charsMax)
  );
}

/** The same frames, with other positions and without the folder of the file. */
export function movePositions(frames: string, positionOf: PositionOf): string {
  return frames.replaceAll(/[^\s(]*(code\.js):(\d+):(\d+)/gu, (_, file: string, line: string, column: string) =>
    [file, ...positionOf(Number(line), Number(column))].join(':'),
  );
}

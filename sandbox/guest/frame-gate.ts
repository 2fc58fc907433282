// Passes on the frames of a handler, and stops before a request or a result. What the handler wrote before must be in its view
// first.
const headerBytes = 4;
/** Enough for the type, the number and the method of a request. */
const headBytes = 96;
/** A frame and what follows it. The decoder behind refuses larger frames. */
const keptBytesMax = 96 * 1024 * 1024;

export interface StoppedFrame {
  readonly type: 'request' | 'result';
  readonly id: number | undefined;
  readonly method: string | undefined;
}

export interface FrameGate {
  /** Throws RangeError when too much arrives while it is closed. */
  feed(bytes: Buffer): void;
  /** Passes on the frame that it stopped before. */
  open(): void;
}

export interface FrameGateOptions {
  pass(bytes: Buffer): void;
  stop(frame: StoppedFrame): void;
}

export function createFrameGate({pass, stop}: FrameGateOptions): FrameGate {
  let kept: Buffer = Buffer.alloc(0);
  /** What has arrived since, joined only when it is needed: a large result arrives in many parts. */
  let arrived: Buffer[] = [];
  let arrivedBytes = 0;
  /** Of the frame that is passing. */
  let bytesLeft = 0;
  let isClosed = false;

  function take(length: number): Buffer {
    const part = kept.subarray(0, length);
    kept = kept.subarray(part.length);
    return part;
  }

  /** Undefined while too little of it has arrived. */
  function nextFrame(): {readonly length: number; readonly head: string} | undefined {
    if (kept.length < headerBytes) return undefined;
    const length = headerBytes + kept.readUInt32BE();
    const head = Math.min(length, headerBytes + headBytes);
    return kept.length < head ? undefined : {length, head: kept.toString('latin1', headerBytes, head)};
  }

  function advance(): void {
    kept = Buffer.concat([kept, ...arrived]);
    [arrived, arrivedBytes] = [[], 0];
    while (!isClosed) {
      if (bytesLeft === 0) {
        const frame = nextFrame();
        if (frame === undefined) return;
        bytesLeft = frame.length;
        const stopped = stoppedFrame(frame.head);
        if (stopped !== undefined) {
          isClosed = true;
          return stop(stopped);
        }
      }
      const part = take(bytesLeft);
      if (part.length === 0) return;
      bytesLeft -= part.length;
      pass(part);
    }
  }

  return {
    feed(bytes) {
      arrived.push(Buffer.from(bytes));
      arrivedBytes += bytes.length;
      if (kept.length + arrivedBytes > keptBytesMax) throw new RangeError('more was sent than the host can buffer');
      if (!isClosed) advance();
    },
    open() {
      isClosed = false;
      advance();
    },
  };
}

function stoppedFrame(head: string): StoppedFrame | undefined {
  const type = /^\{"type":"(request|result)"/.exec(head)?.[1];
  if (type === undefined) return undefined;
  const [, id, method] = /^\{"type":"request","id":(\d+),"method":"(\w+)"/.exec(head) ?? [];
  return {type: type as StoppedFrame['type'], id: id === undefined ? undefined : Number(id), method};
}

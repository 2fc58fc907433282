// The output of an execution, as batches by number. One stays until its host asks for the next, so it can be asked for again.
import type {WorkerObservation} from '../backends/sandbox-backend.ts';
import type {OutputBatch} from '../remote/output-batch.ts';
import type {ExecutionEnd} from '../remote/worker-report.ts';

/** What waits to be fetched; the program waits then. */
const bytesMax = 8 * 1024 ** 2;
const batchBytesMax = 2 * 1024 ** 2;

export class ExecutionOutput {
  #last: OutputBatch | undefined;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #observed: WorkerObservation | undefined;
  #end: ExecutionEnd | undefined;
  #waiting: (() => void)[] = [];
  #writers: (() => void)[] = [];

  /** Resolves once more may be added. */
  async add(bytes: Uint8Array): Promise<void> {
    this.#pending.push(Buffer.from(bytes));
    this.#pendingBytes += bytes.length;
    this.#wake();
    if (this.#pendingBytes > bytesMax) await new Promise<void>((resolve) => this.#writers.push(resolve));
  }

  /** Travels with what is added next. */
  observe(observed: WorkerObservation): void {
    this.#observed = observed;
  }

  /** Nothing is added afterwards. */
  finish(end: ExecutionEnd): void {
    this.#end ??= end;
    this.#wake();
    for (const resume of this.#writers.splice(0)) resume();
  }

  get isFinished(): boolean {
    return this.#end !== undefined;
  }

  /**
   * The batch after that number, once there is one; undefined if there is none in time, or if it was fetched and released. The batch
   * of that number, and all before, are released.
   */
  async after(number: number, signal: AbortSignal): Promise<OutputBatch | undefined> {
    for (;;) {
      const known = this.#last?.number ?? 0;
      if (number === known - 1) return this.#last;
      if (number !== known || this.#last?.end !== undefined) return undefined;
      if (this.#pendingBytes > 0 || this.#end !== undefined) return (this.#last = this.#nextBatch(known + 1));
      if (signal.aborted) return undefined;
      await this.#change(signal);
    }
  }

  #nextBatch(number: number): OutputBatch {
    const parts: Buffer[] = [];
    let size = 0;
    while (this.#pending[0] !== undefined && (size === 0 || size + this.#pending[0].length <= batchBytesMax)) {
      size += this.#pending[0].length;
      parts.push(this.#pending.shift() as Buffer);
    }
    this.#pendingBytes -= size;
    for (const resume of this.#writers.splice(0)) resume();
    const isAll = this.#pending.length === 0;
    return {
      number,
      ...(isAll && this.#end && {end: this.#end}),
      ...(isAll && this.#observed && {observed: this.#observed}),
      bytes: Buffer.concat(parts),
    };
  }

  async #change(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), {once: true});
    });
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }
}

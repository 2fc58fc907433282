// Bounds the host memory that one call's answers use. A file is read once there is room for it; the room is released when the
// handler has consumed the answer.

/** More than half of the largest readable file. */
const bytesMax = 32 * 1024 * 1024;

export class AnswerBudget {
  #used = 0;
  #closed = false;
  readonly #waiting: {readonly bytes: number; readonly admit: () => void; readonly refuse: (error: Error) => void}[] =
    [];

  /** FIFO. An answer larger than the whole budget is admitted alone. Rejects when the call is over. */
  async admit(bytes: number): Promise<void> {
    if (this.#closed) throw over();
    if (this.#waiting.length === 0 && this.#fits(bytes)) {
      this.#used += bytes;
      return;
    }
    await new Promise<void>((admit, refuse) => this.#waiting.push({bytes, admit, refuse}));
  }

  release(bytes: number): void {
    this.#used -= bytes;
    for (let next = this.#waiting[0]; next !== undefined && this.#fits(next.bytes); next = this.#waiting[0]) {
      this.#waiting.shift();
      this.#used += next.bytes;
      next.admit();
    }
  }

  close(): void {
    this.#closed = true;
    for (const {refuse} of this.#waiting.splice(0)) refuse(over());
  }

  #fits(bytes: number): boolean {
    return this.#used === 0 || this.#used + bytes <= bytesMax;
  }
}

function over(): Error {
  return new Error('the call is over');
}

// The input of an execution: parts by number, each taken once, in order.
export class ExecutionInput {
  #last = 0;
  #parts: Buffer[] = [];
  #isOver = false;
  #wake: () => void = () => undefined;

  /** False if a part before it is missing. One that was taken before changes nothing. */
  take(number: number, bytes: Buffer): boolean {
    if (number > this.#last + 1) return false;
    if (number <= this.#last || this.#isOver) return true;
    this.#last = number;
    this.#parts.push(bytes);
    this.#wake();
    return true;
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    for (;;) {
      const part = this.#parts.shift();
      if (part !== undefined) yield part;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }
}

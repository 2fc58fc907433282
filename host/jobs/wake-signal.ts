// Ends a pause early. A signal outside of a pause is kept, so none is lost between two checks.

export class WakeSignal {
  #isSet = false;
  #resolve: (() => void) | undefined;

  wake(): void {
    this.#isSet = true;
    this.#resolve?.();
  }

  /** Returns whether there was a signal since the last call. */
  takeSignal(): boolean {
    const isSet = this.#isSet;
    this.#isSet = false;
    return isSet;
  }

  /** Resolves after this time, or at the next signal. Does not keep the process alive. */
  async pause(ms: number): Promise<void> {
    if (this.#isSet) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#resolve = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#resolve = undefined;
  }
}

// Ends a pause early. Rung while nobody waits it stays rung, so that no ring is lost between two looks.

export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Whether it was rung since it was last asked. */
  hear(): boolean {
    const isRung = this.#isRung;
    this.#isRung = false;
    return isRung;
  }

  /** Resolves after this time, or as soon as the bell is rung. Keeps no process alive. */
  async pause(ms: number): Promise<void> {
    if (this.#isRung) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }
}

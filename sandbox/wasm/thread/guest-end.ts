// How a module can end other than by returning. They are thrown through its frames. A module can catch what passes them, so the
// end is kept as well, and each later call of a host function throws it again.

/** It called a host function in a way that has no answer. */
export class GuestFault extends Error {}

/** It asked for its end. */
export class GuestExit extends Error {
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

export type GuestEnd = GuestFault | GuestExit;

export class GuestEnding {
  #end: GuestEnd | undefined;

  get end(): GuestEnd | undefined {
    return this.#end;
  }

  /** Wraps a host function. */
  guard<Arguments extends readonly unknown[], Result>(
    call: (...given: Arguments) => Result,
  ): (...given: Arguments) => Result {
    return (...given) => {
      if (this.#end !== undefined) throw this.#end;
      try {
        return call(...given);
      } catch (error) {
        this.#end = error instanceof GuestExit || error instanceof GuestFault ? error : faultOf(error);
        throw this.#end;
      }
    };
  }
}

function faultOf(error: unknown): GuestFault {
  return new GuestFault(`a host function failed: ${error instanceof Error ? error.message : String(error)}`);
}

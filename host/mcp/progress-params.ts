// What a handler reports is free; MCP wants a number that only rises, and may have a total and a text.

export interface ProgressParams {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** `{progress, total}` and `{percent}` are taken as they are while they rise; anything else counts the reports. */
export function createProgress(): (payload: unknown) => ProgressParams {
  let last = 0;
  return (payload) => {
    const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<
      Record<string, unknown>
    >;
    const {progress, percent, total, message} = fields;
    const told = [progress, percent].find((value) => typeof value === 'number' && value > last);
    const isTold = typeof told === 'number';
    last = isTold ? told : last + 1;
    const outOf = isTold && told === percent ? 100 : total;
    const said = typeof payload === 'string' ? payload : message;
    return {
      progress: last,
      ...(isTold && typeof outOf === 'number' && {total: outOf}),
      ...(typeof said === 'string' && {message: said}),
    };
  };
}

// Converts a handler's free-form progress to MCP's: a rising number with an optional total and message.

export interface ProgressParams {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Uses `{progress, total}` and `{percent}` while they rise; otherwise counts the reports. */
export function createProgress(): (payload: unknown) => ProgressParams {
  let last = 0;
  return (payload) => {
    const fields = (typeof payload === 'object' && payload !== null ? payload : {}) as Readonly<
      Record<string, unknown>
    >;
    const {progress, percent, total, message} = fields;
    const reported = [progress, percent].find((value) => typeof value === 'number' && value > last);
    const isReported = typeof reported === 'number';
    last = isReported ? reported : last + 1;
    const outOf = isReported && reported === percent ? 100 : total;
    const said = typeof payload === 'string' ? payload : message;
    return {
      progress: last,
      ...(isReported && typeof outOf === 'number' && {total: outOf}),
      ...(typeof said === 'string' && {message: said}),
    };
  };
}

// Code that a handler left running after it returned must not end the thread under the next call. If the running call itself
// ends the thread, the host returns TOOL_CRASHED.

/** `mayEnd` returns whether the code that is running may end the thread. */
export function guardThread(mayEnd: () => boolean): void {
  const exit = process.exit.bind(process);

  process.exit = (code) => {
    if (mayEnd()) exit(code);
    throw new Error('process.exit was called by a handler whose call is over');
  };
  process.on('uncaughtException', (error) => {
    // The rethrown error ends the thread and reaches the host as the reason.
    if (mayEnd()) throw error;
  });
}

// Code that a handler left running when it returned must not end the thread under the next call.
// What the running call itself does to the thread takes its course: the host answers TOOL_CRASHED.

/** `mayEnd` tells whether the code that is running may end the thread. */
export function guardThread(mayEnd: () => boolean): void {
  const exit = process.exit.bind(process);

  process.exit = (code) => {
    if (mayEnd()) exit(code);
    throw new Error('process.exit was called by a handler whose call is over');
  };
  process.on('uncaughtException', (error) => {
    // Thrown again, it ends the thread and reaches the host as the reason.
    if (mayEnd()) throw error;
  });
}

// Decides whether handles keep this process alive: a program that waits for work must not.

/** A child process, a socket and a server alike. */
interface Referable {
  ref?(): void;
  unref?(): void;
  readonly destroyed?: boolean;
}

/** A closed socket would wait for a connection to be referenced, with one more listener each time. */
export function refHandles(handles: readonly unknown[], on: boolean): void {
  for (const handle of handles as readonly (Referable | null | undefined)[]) {
    if (handle?.destroyed === true) continue;
    if (on) handle?.ref?.();
    else handle?.unref?.();
  }
}

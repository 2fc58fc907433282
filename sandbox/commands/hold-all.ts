// Lets go of what keeps this process alive, and takes hold of it again: something that waits for work is no work.

/** A child process, a socket and a server alike. */
interface Holdable {
  ref?(): void;
  unref?(): void;
}

export function holdAll(handles: readonly unknown[], isHeld: boolean): void {
  for (const handle of handles as readonly (Holdable | null | undefined)[]) {
    if (isHeld) handle?.ref?.();
    else handle?.unref?.();
  }
}

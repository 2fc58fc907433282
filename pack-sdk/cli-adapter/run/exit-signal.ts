// What `process.exit` throws inside a run: it unwinds the command, and says nothing that the run does not know already.
export class RuntimeCliExitSignal extends Error {
  readonly status: number;
  /** A brand: unlike `instanceof` it works across duplicated packages. */
  readonly isRuntimeCliExitSignal: true = true;

  constructor(status: number) {
    super(`the command called process.exit with status ${status}`);
    this.name = 'RuntimeCliExitSignal';
    this.status = status;
  }
}

export function isExitSignal(value: unknown): value is RuntimeCliExitSignal {
  return typeof value === 'object' && value !== null && 'isRuntimeCliExitSignal' in value;
}

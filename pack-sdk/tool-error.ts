// The error that a handler throws to return its own code.
export class ToolError extends Error {
  /** UPPER_SNAKE_CASE. */
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** A brand: unlike `instanceof` it works across realms and duplicated packages. */
  readonly isToolError: true = true;

  constructor(code: string, message: string, details?: Readonly<Record<string, unknown>>) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.details = details;
  }
}

/** Works across realms and duplicated packages. */
export function isToolError(value: unknown): value is ToolError {
  return typeof value === 'object' && value !== null && 'isToolError' in value;
}

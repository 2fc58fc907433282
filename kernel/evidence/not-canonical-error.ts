// Why a value cannot be written as canonical JSON without losing or changing something, and where in it.

export class NotCanonicalError extends Error {
  /** JSON pointer to the offending value; empty for the value itself. */
  readonly pointer: string;
  /** A brand: unlike `instanceof` it works across realms and duplicated packages. */
  readonly isNotCanonicalError: true = true;

  /** It contains more values than allowed; each of them may be valid. */
  readonly isTooMany: boolean;

  constructor(reason: string, path: readonly (string | number)[], isTooMany = false) {
    const pointer = path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
    super(pointer === '' ? `the value ${reason}` : `the value at \`${pointer}\` ${reason}`);
    this.name = 'NotCanonicalError';
    this.pointer = pointer;
    this.isTooMany = isTooMany;
  }
}

/** Unlike `instanceof`, this works across realms and duplicated packages. */
export function isNotCanonicalError(value: unknown): value is NotCanonicalError {
  return typeof value === 'object' && value !== null && 'isNotCanonicalError' in value;
}

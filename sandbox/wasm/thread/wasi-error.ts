// The errors of WASI preview 1, and which of them an error of the host becomes.
import type {WireResponse} from '@lumenflow/schemas';

export const errno = {
  acces: 2,
  badf: 8,
  exist: 20,
  fbig: 22,
  ilseq: 25,
  inval: 28,
  io: 29,
  isdir: 31,
  mfile: 33,
  noent: 44,
  notdir: 54,
  notempty: 55,
  notsup: 58,
  spipe: 70,
  notcapable: 76,
} as const;

/** A WASI function returns the number. */
export class WasiError extends Error {
  readonly errno: number;

  constructor(name: keyof typeof errno) {
    super(name);
    this.errno = errno[name];
  }
}

const byCode: Readonly<Record<string, keyof typeof errno>> = {
  SCOPE_DENIED: 'notcapable',
  INVALID_PATH: 'notcapable',
  NOT_FOUND: 'noent',
  EXISTS: 'exist',
  NOT_A_FILE: 'isdir',
  NOT_A_DIRECTORY: 'notdir',
  NOT_EMPTY: 'notempty',
  PERMISSION_DENIED: 'acces',
  LIMIT_EXCEEDED: 'fbig',
};

export function wasiErrorOf({code}: NonNullable<WireResponse['error']>): WasiError {
  return new WasiError(byCode[code] ?? 'io');
}

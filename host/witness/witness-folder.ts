// What a witness keeps: its key, the logs that it cosigns, and the newest head of each log that it cosigned. A head is on disk before its
// cosignature leaves: after a crash, the witness must not cosign another history of the same log.
import {failed, KernelError, ok, type Outcome} from '@lumenflow/kernel';
import {decodeBase64, encodeBase64, type CosignedHead} from '@lumenflow/kernel/adapters';
import {parseSigningKey, parseVerifierKey, sha256Hex, witnessKeyOf, type WitnessKey} from '@lumenflow/kernel/node';
import {generateKeyPairSync, randomBytes} from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import {join} from 'node:path';

export interface WitnessProblem {
  readonly message: string;
  readonly help: string;
}

/** A log, and the C2SP verifier key of what signs its checkpoints. */
export interface TrustedLog {
  readonly origin: string;
  readonly key: string;
}

const initHelp = 'create it with `lumenflow evidence witness init`';

export class WitnessFolder {
  readonly #folder: string;
  readonly key: WitnessKey;

  private constructor(folder: string, key: WitnessKey) {
    this.#folder = folder;
    this.key = key;
  }

  /** A new witness in an empty or missing folder. `name` is that of its key. */
  static create(folder: string, name: string): Outcome<WitnessFolder, WitnessProblem> {
    if (!/^[^\s+]{1,255}$/u.test(name)) {
      return failed({
        message: `\`${name}\` is not a valid name of a witness`,
        help: 'use its host name and path without `https://`, for example witness.example/w1',
      });
    }
    if (existsSync(join(folder, 'witness.key'))) {
      return failed({message: `\`${folder}\` already contains a witness`, help: 'choose another directory'});
    }
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const {privateKey} = generateKeyPairSync('ed25519');
    const text = `${name}\n${privateKey.export({format: 'der', type: 'pkcs8'}).toString('base64')}\n`;
    writeFileSync(join(folder, 'witness.key'), text, {mode: 0o600, flag: 'wx', flush: true});
    syncFolder(folder);
    return WitnessFolder.open(folder);
  }

  static open(folder: string): Outcome<WitnessFolder, WitnessProblem> {
    const path = join(folder, 'witness.key');
    const text = readIfThere(path);
    if (text === undefined) return failed({message: `\`${folder}\` does not contain a witness`, help: initHelp});
    const [name = '', base64 = ''] = text.split('\n');
    try {
      return ok(new WitnessFolder(folder, witnessKeyOf(name, parseSigningKey(base64))));
    } catch (error) {
      if (!(error instanceof KernelError)) throw error;
      return failed({message: `\`${path}\` is not the key of a witness`, help: 'restore it from a backup'});
    }
  }

  get lockFolder(): string {
    return join(this.#folder, 'lock');
  }

  /** The logs that this witness cosigns, as the file is now. */
  logs(): readonly TrustedLog[] {
    const lines = (readIfThere(join(this.#folder, 'trusted-logs')) ?? '').split('\n');
    return lines.flatMap((line) => {
      const [origin, key, ...rest] = line.split(' ');
      return origin === undefined || key === undefined || rest.length > 0 ? [] : [{origin, key}];
    });
  }

  /** Adds a log; those that were added, which can be none. A running server notices at once. */
  trust(logs: readonly TrustedLog[]): Outcome<readonly TrustedLog[], WitnessProblem> {
    const known = this.logs();
    for (const {origin, key} of logs) {
      if (parseVerifierKey(key) === undefined) {
        return failed({
          message: `\`${key}\` is not the verifier key of a log`,
          help: 'copy a whole line of `.lumenflow/keys/evidence.pub`',
        });
      }
      if (!/^\S{1,1000}$/u.test(origin)) {
        return failed({message: `\`${origin}\` is not a valid origin`, help: 'use the first line of a checkpoint'});
      }
    }
    const added = logs.filter((log) => !known.some(({origin, key}) => origin === log.origin && key === log.key));
    // An editor may have left the last line without its end. Empty lines mean nothing.
    const text = added.map(({origin, key}) => `${origin} ${key}\n`).join('');
    if (added.length > 0) appendFileSync(join(this.#folder, 'trusted-logs'), `\n${text}`, {mode: 0o600, flush: true});
    return ok(added);
  }

  /** Undefined if this witness never cosigned the log. Throws KernelError LOG_CORRUPT for a damaged file: it must not count as none. */
  head(origin: string): CosignedHead | undefined {
    const path = this.#headPath(origin);
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    const [known, size = '', root = '', ...rest] = text.split('\n');
    const bytes = decodeBase64(root);
    if (known !== origin || !/^(?:0|[1-9][0-9]{0,14})$/u.test(size) || bytes?.length !== 32 || rest.join('') !== '') {
      throw new KernelError('LOG_CORRUPT', `\`${path}\` is damaged: restore it from a backup`);
    }
    return {size: Number(size), root: bytes};
  }

  /** On disk when it returns. */
  keepHead(origin: string, {size, root}: CosignedHead): void {
    const folder = join(this.#folder, 'heads');
    mkdirSync(folder, {recursive: true, mode: 0o700});
    const path = this.#headPath(origin);
    const temporary = `${path}.${randomBytes(6).toString('hex')}.new`;
    writeFileSync(temporary, `${origin}\n${size}\n${encodeBase64(root)}\n`, {mode: 0o600, flag: 'wx', flush: true});
    renameSync(temporary, path);
    syncFolder(folder);
    syncFolder(this.#folder);
  }

  #headPath(origin: string): string {
    return join(this.#folder, 'heads', sha256Hex(origin));
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

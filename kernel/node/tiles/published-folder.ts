// The folder that a log is published into. A web server can serve it while it is written: each file is replaced as a whole.
import {KernelError} from '@lumenflow/kernel';
import {randomBytes} from 'node:crypto';
import {mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

export class PublishedFolder {
  readonly #root: string;
  readonly #checked = new Set<string>();

  /** `key` is the text of the file `keys`, which identifies the log. Throws KernelError LOG_UNAVAILABLE for a folder with anything else. */
  constructor(folder: string, keys: string) {
    if (statSync(folder, {throwIfNoEntry: false})?.isDirectory() === false) {
      throw new KernelError('LOG_UNAVAILABLE', `\`${folder}\` is not a directory`);
    }
    mkdirSync(folder, {recursive: true});
    this.#root = realpathSync(folder);
    const known = this.read('keys');
    if (known === undefined && readdirSync(this.#root).length > 0) {
      throw new KernelError('LOG_UNAVAILABLE', `\`${folder}\` is not empty, and contains no published log`);
    }
    if (known !== undefined && !keys.startsWith(known.toString())) {
      throw new KernelError(
        'LOG_UNAVAILABLE',
        `\`${folder}\` contains another log: its keys are not those of this one`,
      );
    }
    // The first file of all: a folder that a crash left can be identified.
    this.write('keys', Buffer.from(keys));
  }

  /** Undefined if there is no such file. */
  read(path: string): Buffer | undefined {
    try {
      return readFileSync(join(this.#root, path));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Does nothing if the file has these bytes. One that was damaged is replaced. */
  write(path: string, bytes: Buffer): void {
    if (this.read(path)?.equals(bytes) === true) return;
    const target = join(this.#root, path);
    this.#makeFolder(dirname(target));
    const temporary = `${target}.${randomBytes(6).toString('hex')}.new`;
    try {
      writeFileSync(temporary, bytes, {mode: 0o644, flag: 'wx', flush: true});
      renameSync(temporary, target);
    } catch (error) {
      rmSync(temporary, {force: true});
      throw error;
    }
  }

  /** Throws KernelError LOG_UNAVAILABLE for one that a link leads to. */
  #makeFolder(folder: string): void {
    if (this.#checked.has(folder)) return;
    mkdirSync(folder, {recursive: true});
    if (realpathSync(folder) !== folder) {
      throw new KernelError('LOG_UNAVAILABLE', `\`${folder}\` is reached through a symbolic link: remove the link`);
    }
    this.#checked.add(folder);
  }
}

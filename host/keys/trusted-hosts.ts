// The hosts that a worker serves: a file with one public key a line, which a running worker reads again when it changes. A line that begins
// with `-` removes the key after it. The file only grows, so of commands at the same time none loses the change of another.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {parseVerifierKey} from '@lumenflow/kernel/node';
import type {KeyObject} from 'node:crypto';
import {readFileSync, statSync} from 'node:fs';
import {appendFile, mkdir} from 'node:fs/promises';
import {dirname} from 'node:path';
import type {KeyProblem} from './key-folder.ts';

const removal = '-';

export class TrustedHosts {
  readonly #file: string;
  #version = '';
  #keys: ReadonlyMap<string, KeyObject> = new Map();

  constructor(file: string) {
    this.#file = file;
  }

  /** By id, `name+id`, as the file is now. */
  keys(): ReadonlyMap<string, KeyObject> {
    const stat = statSync(this.#file, {bigint: true, throwIfNoEntry: false});
    const version = stat === undefined ? '' : [stat.ino, stat.size, stat.mtimeNs].join(' ');
    if (version !== this.#version) {
      this.#keys = new Map(
        this.lines().flatMap((line) => {
          const key = parseVerifierKey(line);
          return key === undefined ? [] : [[key.id, key.publicKey]];
        }),
      );
      this.#version = version;
    }
    return this.#keys;
  }

  /** The public keys; none if there is no file. */
  lines(): readonly string[] {
    const trusted = new Set<string>();
    for (const line of this.#text().split('\n').filter(Boolean)) {
      if (line.startsWith(removal)) trusted.delete(line.slice(removal.length));
      else trusted.add(line);
    }
    return [...trusted];
  }

  /** Adds a key; its id, and whether it was new. */
  async trust(line: string): Promise<Outcome<{readonly id: string; readonly isNew: boolean}, KeyProblem>> {
    const key = parseVerifierKey(line);
    if (key === undefined) {
      const message = `\`${line}\` is not a public key`;
      return failed({message, help: 'copy the whole line that `lumenflow workers key` printed on the host'});
    }
    const {id} = key;
    const lines = this.lines();
    if (lines.includes(line)) return ok({id, isNew: false});
    if (lines.some((other) => other.startsWith(`${id}+`))) {
      return failed({message: `another key has the id \`${id}\``, help: 'make a new key on the host'});
    }
    await this.#append([line]);
    return ok({id, isNew: true});
  }

  /** Removes the keys with a name, or the key with an id, which the whole line may follow; the ids. */
  async untrust(nameOrId: string): Promise<Outcome<readonly string[], KeyProblem>> {
    const lines = this.lines();
    const removed = lines.filter((line) => line === nameOrId || line.startsWith(`${nameOrId}+`));
    const ids = (of: readonly string[]): readonly string[] => of.map((line) => line.split('+', 2).join('+'));
    if (removed.length === 0) {
      const help = lines.length === 0 ? 'the worker trusts no host' : `name one of these: ${ids(lines).join(', ')}`;
      return failed({message: `no key of \`${nameOrId}\` is trusted`, help});
    }
    await this.#append(removed.map((line) => `${removal}${line}`));
    return ok(ids(removed));
  }

  #text(): string {
    try {
      return readFileSync(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  async #append(lines: readonly string[]): Promise<void> {
    await mkdir(dirname(this.#file), {recursive: true, mode: 0o700});
    // An editor may have left the last line without its end. Empty lines mean nothing.
    await appendFile(this.#file, `\n${lines.join('\n')}\n`, {mode: 0o600});
  }
}

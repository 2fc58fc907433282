// A pack's documents and logs on disk. All processes of the workspace serialize their changes. Reads need no lock, because
// documents are replaced as a whole and only complete lines of logs are read.
import {opendir, unlink, type FileHandle} from 'node:fs/promises';
import {ToolError, type StateLines, type StateText, type StateVersion} from '@lumenflow/pack-sdk';
import {checkExpected, joinLines, noVersion} from '@lumenflow/pack-sdk/wire';
import {childPath, inDirectory, type OpenDirectory} from '@lumenflow/sandbox';
import {appendToStateFile, readStateFile, replaceStateFile} from './state-file.ts';
import {placeOfState} from './state-place.ts';
import {endOfLines, readRange, sizeOf, versionOf} from './state-version.ts';

export interface StateFolderOptions {
  /** Absolute, without symlinks. */
  readonly workspaceRoot: string;
  /** The pack's folder, relative to it. */
  readonly segments: readonly string[];
  /** Runs one change at a time across all processes of the workspace. */
  exclusively<T>(change: () => Promise<T>): Promise<T>;
}

export interface Change {
  readonly name: string;
  /** The expected version, null for a missing document; without it any version matches. */
  readonly expect?: string | null;
}

export interface LinesChunk extends StateLines {
  /** There are more lines than fit into one message. */
  readonly more: boolean;
}

/** Maximum size of a document, and of the lines in one message, in bytes. */
const bytesMax = 16 * 1024 * 1024;
const nothing: StateVersion = {version: noVersion, size: 0};

export class StateFolder {
  readonly #options: StateFolderOptions;

  constructor(options: StateFolderOptions) {
    this.#options = options;
  }

  async read(name: string): Promise<StateText | undefined> {
    return await this.#readFile<StateText | undefined>(name, undefined, async (handle) => {
      const size = await sizeOf(handle);
      if (size > bytesMax) throw tooLarge(name, size);
      return {text: (await readRange(handle, 0, size)).toString('utf8'), ...(await versionOf(handle, size))};
    });
  }

  async lines(name: string, from: number): Promise<LinesChunk> {
    return await this.#readFile<LinesChunk>(name, {lines: [], ...nothing, more: false}, async (handle) => {
      const end = await endOfLines(handle);
      const start = Math.min(from, end);
      const chunk = await readRange(handle, start, Math.min(end, start + bytesMax));
      const whole = chunk.subarray(0, chunk.lastIndexOf('\n') + 1);
      if (whole.length === 0 && chunk.length > 0) throw tooLarge(name, chunk.length);
      const size = start + whole.length;
      const lines = whole.length === 0 ? [] : whole.toString('utf8', 0, whole.length - 1).split('\n');
      return {lines, ...(await versionOf(handle, size)), more: size < end};
    });
  }

  async names(prefix: string): Promise<readonly string[]> {
    const found: string[] = [];
    await this.#collectNames([], found);
    return found.filter((name) => name.startsWith(prefix)).toSorted();
  }

  async write(change: Change, text: string): Promise<StateVersion> {
    const bytes = Buffer.from(text);
    if (bytes.length > bytesMax) throw tooLarge(change.name, bytes.length);
    return await this.#change(change, sizeOf, (directory, file) => replaceStateFile(directory, file, bytes));
  }

  async append(change: Change, lines: readonly string[]): Promise<StateVersion> {
    const bytes = Buffer.from(joinLines(lines));
    if (bytes.length > bytesMax) throw tooLarge(change.name, bytes.length);
    return await this.#change(change, endOfLines, (directory, file) => appendToStateFile(directory, file, bytes));
  }

  async remove(change: Change): Promise<void> {
    await this.#change(change, sizeOf, async (directory, file) => {
      await unlink(childPath(directory, file)).catch(unlessAbsent);
      await directory.handle.sync();
    });
  }

  async #in<T>(folders: readonly string[], make: boolean, work: (directory: OpenDirectory) => Promise<T>): Promise<T> {
    const {workspaceRoot: root, segments} = this.#options;
    return await inDirectory({root, segments: [...segments, ...folders], make}, work);
  }

  /** `absent` is the result for a missing file. */
  async #readFile<T>(name: string, absent: T, work: (handle: FileHandle) => Promise<T>): Promise<T> {
    const {folders, file} = placeOfState(name);
    try {
      return await this.#in(folders, false, async (directory) => await readStateFile(directory, file, work));
    } catch (error) {
      unlessAbsent(error);
      return absent;
    }
  }

  async #change<T>(
    {name, expect}: Change,
    end: (handle: FileHandle) => Promise<number>,
    work: (directory: OpenDirectory, file: string) => Promise<T>,
  ): Promise<T> {
    const {folders, file} = placeOfState(name);
    return await this.#options.exclusively(async () => {
      if (expect !== undefined) {
        const found = await this.#readFile(name, nothing, async (handle) => await versionOf(handle, await end(handle)));
        checkExpected(name, expect, found.version);
      }
      return await this.#in(folders, true, async (directory) => await work(directory, file));
    });
  }

  async #collectNames(folders: readonly string[], found: string[]): Promise<void> {
    const inside: string[] = [];
    try {
      await this.#in(folders, false, async (directory) => {
        for await (const entry of await opendir(childPath(directory, '.'))) {
          if (entry.isDirectory()) inside.push(entry.name);
          else if (!entry.name.startsWith('.')) found.push([...folders, entry.name].join('/'));
        }
      });
    } catch (error) {
      unlessAbsent(error);
    }
    for (const name of inside) await this.#collectNames([...folders, name], found);
  }
}

function tooLarge(name: string, bytes: number): ToolError {
  return new ToolError('LIMIT_EXCEEDED', `the state \`${name}\` has ${bytes} bytes; the limit is ${bytesMax}`);
}

function unlessAbsent(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

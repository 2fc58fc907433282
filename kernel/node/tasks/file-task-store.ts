// Task specs on disk: one file each, created once and never changed, and one more for each amendment. Their hashes are in the
// events task_created and task_amended.
import {isIdentifier, isKernelError, KernelError} from '@lumenflow/kernel';
import type {TaskStore} from '@lumenflow/kernel/adapters';
import type {TaskSpec} from '@lumenflow/schemas';
import {mkdirSync, readFileSync} from 'node:fs';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {createFile} from '../system/create-file.ts';
import {diskFailure} from '../log/disk-failure.ts';
import {sha256Hex} from '../system/sha256.ts';
import {parseSpec, specText} from './spec-text.ts';

export class FileTaskStore implements TaskStore {
  readonly #folder: string;

  constructor(folder: string) {
    mkdirSync(folder, {recursive: true, mode: 0o700});
    this.#folder = folder;
  }

  async create(spec: TaskSpec): Promise<{readonly spec_hash: string} | 'exists'> {
    const text = specText(spec);
    return (await this.#write(spec.id, this.#path(spec.id), text)) ? {spec_hash: sha256Hex(text)} : 'exists';
  }

  async amend(spec: TaskSpec): Promise<{readonly spec_hash: string}> {
    const text = specText(spec);
    const spec_hash = sha256Hex(text);
    await this.#write(spec.id, this.#path(spec.id, spec_hash), text);
    return {spec_hash};
  }

  /** Throws KernelError LOG_CORRUPT if the file is not a task, LOG_UNAVAILABLE if it cannot be read. */
  async read(
    taskId: string,
    amendedHash?: string,
  ): Promise<{readonly spec: TaskSpec; readonly spec_hash: string} | undefined> {
    const path = this.#path(taskId, amendedHash);
    let bytes: Buffer;
    try {
      bytes = await readFile(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw diskFailure(error);
    }
    return {spec: parseSpec(bytes.toString(), path), spec_hash: sha256Hex(bytes)};
  }

  /** Gives false when the file is there. */
  async #write(taskId: string, path: string, text: string): Promise<boolean> {
    try {
      return await createFile(path, text);
    } catch (cause) {
      if (isKernelError(cause)) throw cause;
      throw new KernelError('LOG_UNAVAILABLE', `task \`${taskId}\` cannot be written: ${String(cause)}`, {cause});
    }
  }

  #path(taskId: string, amendedHash?: string): string {
    if (!isIdentifier(taskId))
      throw new KernelError('BROKEN_INVARIANT', 'the store got a task id that is not an identifier');
    return join(this.#folder, specFileName(taskId, amendedHash));
  }
}

/** SHA-256 of a spec's bytes; undefined if there is no such file. */
export function specFileHash(path: string): string | undefined {
  try {
    return sha256Hex(readFileSync(path));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** No identifier contains an `@`, so two tasks never share a file. */
export function specFileName(taskId: string, amendedHash?: string): string {
  return amendedHash === undefined ? `${taskId}.yaml` : `${taskId}@${amendedHash}.yaml`;
}

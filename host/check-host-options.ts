// Checks the options of a host at run time, for programs without type checks.
import {KernelError} from '@lumenflow/kernel';
import {realpathSync, statSync} from 'node:fs';

/** Returns the folder of the workspace without symlinks. Throws KernelError LOAD_FAILED. */
export function checkHostOptions(options: unknown): string {
  const {workspaceRoot, env, threads} = Object(options) as Readonly<
    Record<'workspaceRoot' | 'env' | 'threads', unknown>
  >;
  if (typeof workspaceRoot !== 'string' || workspaceRoot === '') {
    throw loadFailed(
      `\`workspaceRoot\` ${workspaceRoot === undefined ? 'is missing' : 'is not a path'}: pass the folder that contains workspace.yaml`,
    );
  }
  if (statSync(workspaceRoot, {throwIfNoEntry: false})?.isDirectory() !== true) {
    throw loadFailed(
      `\`${workspaceRoot}\` is not a folder: pass the folder that contains workspace.yaml as \`workspaceRoot\``,
    );
  }
  if (env !== undefined && (typeof env !== 'object' || env === null)) {
    throw loadFailed('`env` is not an object: pass for example `{PATH: process.env.PATH}`');
  }
  if (threads !== undefined && !(Number.isInteger(threads) && Number(threads) >= 0)) {
    throw loadFailed('`threads` is not a number of threads: pass a whole number from 0');
  }
  return realpathSync(workspaceRoot);
}

function loadFailed(message: string): KernelError {
  return new KernelError('LOAD_FAILED', message);
}

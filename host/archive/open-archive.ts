// Opens the archive that workspace.yaml or a command names.
import {KernelError} from '@lumenflow/kernel';
import {openFolderArchive, type ArchiveStore} from '@lumenflow/kernel/node';
import type {ArchiveSettings} from '@lumenflow/schemas';
import {realpathSync} from 'node:fs';
import {basename, dirname, isAbsolute, join, relative, resolve, sep} from 'node:path';
import {findPackage} from '../find-package.ts';

const s3Package = '@lumenflow/integration-s3';

export interface OpenArchiveOptions {
  readonly workspaceRoot: string;
  /** Has the credentials of the bucket. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What the package for S3 exports, as far as the host uses it. */
interface S3Package {
  openS3Archive(
    settings: ArchiveSettings,
    env: Readonly<Record<string, string | undefined>>,
  ): Promise<ArchiveStore> | ArchiveStore;
}

/** Rejects with KernelError LOAD_FAILED. */
export async function openArchive(
  settings: ArchiveSettings,
  {workspaceRoot, env}: OpenArchiveOptions,
): Promise<ArchiveStore> {
  const {location} = settings;
  const folder = location.startsWith('file:') ? location.slice('file:'.length) : undefined;
  if (folder !== undefined) {
    if (!isAbsolute(folder))
      throw invalid(location, 'name the folder with its absolute path, such as `file:/mnt/archive`');
    if (/^\/\/[^/]/u.test(folder)) throw invalid(location, 'a `file:` location has no host: mount the server');
    const path = resolve(folder.replace(/^\/\/\//u, '/'));
    if (isInside(realPathOf(path), realPathOf(resolve(workspaceRoot)))) {
      throw invalid(location, 'tools could read and change an archive in the workspace: choose a directory outside it');
    }
    return openFolderArchive(path);
  }
  if (!location.startsWith('s3://')) throw invalid(location, 'use `file:/FOLDER` or `s3://BUCKET/PREFIX`');
  const url = findPackage(s3Package, workspaceRoot);
  if (url === undefined) {
    throw new KernelError(
      'LOAD_FAILED',
      `an archive in a bucket needs the package \`${s3Package}\`: run \`npm install ${s3Package}\` in the workspace`,
    );
  }
  const {openS3Archive} = (await import(url)) as S3Package;
  return await openS3Archive(settings, env);
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The part of a path that exists, without symlinks, and the rest as it is. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // What does not exist yet, or cannot be entered, is compared by its name.
    return dirname(path) === path ? path : join(realPathOf(dirname(path)), basename(path));
  }
}

function invalid(location: string, help: string): KernelError {
  return new KernelError('LOAD_FAILED', `\`${location}\` is not the location of an archive: ${help}`);
}

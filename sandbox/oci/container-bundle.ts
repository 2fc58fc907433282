// The folder that a runtime starts a container from: its configuration, its root file system and the runtime's own state.
import {chmodSync, mkdirSync, mkdtempSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {basename, dirname, join} from 'node:path';
import {makeOwnedFolder, reapOwnedFolders} from '../backends/leftover-folders.ts';
import {accountFiles} from '../linux/account-files.ts';
import type {MountPoint} from './oci-mounts.ts';
import {containerUser, type OciSpec} from './oci-spec.ts';

export interface ContainerBundle {
  readonly folder: string;
  /** The name of the container, unique on this machine. */
  readonly id: string;
  readonly stateFolder: string;
  readonly hiddenFile: string;
  emptyDirectory(inner: readonly MountPoint[]): string;
  /** Accounts of the container and, for a call with a network, how it looks up names; by their paths inside. `user`: of the container. */
  ownFiles(hasNetwork: boolean, user?: FileOwner): Readonly<Record<string, string>>;
  write(spec: OciSpec): void;
  remove(): Promise<void>;
}

interface FileOwner {
  readonly uid: number;
  readonly gid: number;
}

/** Top-level entries such as /bin that are symlinks here. */
export type RootLinks = readonly {readonly path: string; readonly link: string | undefined}[];

export async function makeContainerBundle(backend: string, topLevel: RootLinks): Promise<ContainerBundle> {
  const folder = await makeOwnedFolder(tmpdir(), folderKind(backend));
  const [root, files, stateFolder, hiddenFile] = ['rootfs', 'etc', 'state', 'hidden'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string];
  // The user of the container may be mapped from ours.
  for (const path of [root, files, stateFolder]) mkdirSync(path, {mode: 0o755});
  for (const {path, link} of topLevel) if (link !== undefined) symlinkSync(link, join(root, path));
  writeFileSync(hiddenFile, '', {mode: 0});
  return {
    folder,
    id: basename(folder),
    stateFolder,
    hiddenFile,
    emptyDirectory(inner) {
      const path = mkdtempSync(join(folder, 'empty-'));
      chmodSync(path, 0o755);
      for (const point of inner) makeMountPoint(join(path, point.path), point.source);
      return path;
    },
    ownFiles(hasNetwork, {uid, gid} = containerUser) {
      const {passwd, group, hosts, resolvConf, nsswitch} = accountFiles(uid, gid);
      const texts = {
        passwd,
        group,
        hosts,
        ...(hasNetwork ? {'resolv.conf': resolvConf, 'nsswitch.conf': nsswitch} : {}),
      };
      return Object.fromEntries(
        Object.entries(texts).map(([name, text]) => {
          writeFileSync(join(files, name), text, {mode: 0o644});
          return [`/etc/${name}`, join(files, name)];
        }),
      );
    },
    write: (spec) => writeFileSync(join(folder, 'config.json'), JSON.stringify(spec), {mode: 0o600}),
    remove: () => rm(folder, {recursive: true, force: true}),
  };
}

function makeMountPoint(path: string, source: string): void {
  const isDirectory = statSync(source, {throwIfNoEntry: false})?.isDirectory() === true;
  mkdirSync(isDirectory ? path : dirname(path), {recursive: true, mode: 0o755});
  if (!isDirectory) writeFileSync(path, '', {flag: 'a'});
}

/** Removes the folders of killed hosts. `end`: ends the container, which may still run. */
export async function reapContainerBundles(
  backend: string,
  end: (bundle: Pick<ContainerBundle, 'id' | 'stateFolder'>) => Promise<void>,
): Promise<void> {
  await reapOwnedFolders(tmpdir(), folderKind(backend), (folder) =>
    end({id: basename(folder), stateFolder: join(folder, 'state')}),
  );
}

/** In the command line of the runtime of every container. */
export function bundleMark(backend: string): string {
  return `${folderKind(backend)}-`;
}

function folderKind(backend: string): string {
  return `lumenflow-${backend}`;
}

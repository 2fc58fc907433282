// Builds what a guest starts from: an archive with the first program, and a disk with the system. Both are made of this machine's
// own files, and kept for later hosts until those files change.
import {createHash, randomUUID} from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import {cp, rename, rm} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {CommandExecutor} from '../../commands/command-executor.ts';
import {networkFiles, systemFiles} from '../../linux/system-files.ts';
import type {RootLinks} from '../../oci/container-bundle.ts';
import {failed, ok, type Outcome} from '../../outcome.ts';
import {cpioArchive} from './cpio-archive.ts';
import {kernelModules, type GuestKernel} from './find-kernel.ts';
import {firstProgram} from './first-program.ts';
import {removeUnused} from './remove-unused.ts';
import {ownCache} from '../../cache/own-cache.ts';
import {systemFilesOf} from './system-files.ts';

export interface GuestSystem {
  readonly initrdPath: string;
  readonly diskPath: string;
}

export interface GuestSystemInput {
  readonly kernel: GuestKernel;
  /** Absolute; a program for Node, built. */
  readonly agentPath: string;
  readonly busyboxPath: string;
  readonly mke2fsPath: string;
  readonly nodePath: string;
  readonly packages: readonly string[];
  readonly topLevel: RootLinks;
  readonly executor: CommandExecutor;
}

const buildMs = 120_000;
const megabyte = 1024 ** 2;
/** Mount points of the guest. */
const emptyDirectories = ['proc', 'sys', 'dev', 'run', 'tmp', 'files', 'etc'];

export async function buildGuestSystem(input: GuestSystemInput): Promise<Outcome<GuestSystem, string>> {
  const cache = ownCache();
  if (!cache.ok) return cache;
  const initrd = initrdOf(input);
  const files = await systemFilesOf(input);
  const initrdPath = join(cache.value, `initrd-${digestOf([initrd])}`);
  const settings = [...systemFiles, ...networkFiles].filter((path) => existsSync(path));
  const diskPath = join(cache.value, `disk-${digestOf([...files, ...settings].map(identityOf))}`);
  await removeUnused(cache.value, [initrdPath, diskPath]);
  if (!existsSync(initrdPath)) await putInPlace(initrdPath, (draft) => writeFileSync(draft, initrd));
  if (existsSync(diskPath)) return ok({initrdPath, diskPath});
  let problem: string | undefined;
  await putInPlace(diskPath, async (draft) => void (problem = await makeDisk(draft, files, input)));
  return problem === undefined ? ok({initrdPath, diskPath}) : failed(problem);
}

function initrdOf({kernel, agentPath, busyboxPath, nodePath}: GuestSystemInput): Uint8Array {
  const modules = kernelModules(kernel);
  return cpioArchive([
    ...['bin', 'dev', 'proc', 'sys', 'modules', 'system'].map((path) => ({path})),
    {path: 'bin/busybox', content: readFileSync(busyboxPath)},
    {path: 'agent.cjs', content: readFileSync(agentPath)},
    {path: 'init', content: Buffer.from(firstProgram({modules, nodePath}))},
    ...modules.map(({name, path}) => ({path: `modules/${name}`, content: readFileSync(path)})),
  ]);
}

/** Written beside its place, so that another host never sees a part of it. */
async function putInPlace(path: string, make: (draft: string) => unknown): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await make(draft);
    if (existsSync(draft)) await rename(draft, path);
  } finally {
    await rm(draft, {force: true});
  }
}

/** Returns the problem, if there is one. */
async function makeDisk(disk: string, files: readonly string[], input: GuestSystemInput): Promise<string | undefined> {
  const tree = `${disk}.tree`;
  try {
    for (const name of emptyDirectories) mkdirSync(join(tree, name), {recursive: true, mode: 0o755});
    for (const {path, link} of input.topLevel) if (link !== undefined) symlinkSync(link, join(tree, path));
    for (const path of files) copyInto(tree, path);
    for (const path of systemFiles)
      if (existsSync(path)) await cp(path, join(tree, path), {recursive: true, verbatimSymlinks: true});
    // Certificates are symlinks to where the guest has nothing.
    for (const path of networkFiles)
      if (existsSync(path)) await cp(path, join(tree, path), {recursive: true, dereference: true});
    const bytes = files.reduce((sum, path) => sum + lstatSync(path).size + 4096, 0);
    const size = `${Math.ceil((bytes * 1.15) / megabyte) + 16}M`;
    const args = [
      '-q',
      '-F',
      '-t',
      'ext4',
      '-O',
      '^has_journal',
      '-m',
      '0',
      '-E',
      'root_owner=0:0',
      '-d',
      tree,
      disk,
      size,
    ];
    const outputSink = {kind: 'capture', maxBytes: 4000} as const;
    const {exitCode, stderr} = await input.executor.run({
      command: input.mke2fsPath,
      args,
      cwd: '/',
      env: {},
      outputSink,
      timeoutMs: buildMs,
    });
    if (exitCode === 0) return undefined;
    await rm(disk, {force: true});
    return stderr.trim();
  } finally {
    await rm(tree, {recursive: true, force: true});
  }
}

function copyInto(tree: string, path: string): void {
  const target = join(tree, path);
  mkdirSync(dirname(target), {recursive: true, mode: 0o755});
  if (existsSync(target)) return;
  if (lstatSync(path).isSymbolicLink()) symlinkSync(readlinkSync(path), target);
  else copyFileSync(path, target);
}

function identityOf(path: string): string {
  const {size, mtimeMs} = lstatSync(path);
  return `${path} ${size} ${mtimeMs}`;
}

function digestOf(parts: readonly (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').slice(0, 32);
}

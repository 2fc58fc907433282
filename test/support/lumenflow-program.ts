// Runs `lumenflow` in a folder: the built program as a user does, in a child process, as root or as somebody else; or in this process.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, existsSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {copyBuilds, keepBuilds} from './kept-builds.ts';
import {isFree, runHere} from './program-here.ts';
import {removeTree} from './remove-tree.ts';

const programPath: string = fileURLToPath(new URL('../../host/lumenflow.mjs', import.meta.url));

/** The user of the program. */
export interface ProgramUser {
  readonly name: string;
  readonly uid: number | undefined;
  /** Groups that the user is in besides its own. */
  readonly groups?: readonly number[];
  /** Why it cannot be tried here. */
  readonly missing?: string;
}

const nobody = 65_534;

export function programUsers(): readonly ProgramUser[] {
  const isRoot = process.getuid?.() === 0;
  const canSwitch = spawnSync('setpriv', ['--version']).status === 0;
  const missing = !isRoot ? 'needs root to become another user' : canSwitch ? undefined : 'needs setpriv (util-linux)';
  return [
    {name: isRoot ? 'root' : 'the user of the tests', uid: undefined},
    {name: 'an ordinary user', uid: nobody, ...(missing !== undefined && {missing})},
  ];
}

/** Prefix of a command that another user is to run. */
export function become({uid, groups = []}: Pick<ProgramUser, 'uid' | 'groups'>): readonly string[] {
  if (uid === undefined) return [];
  const others = groups.length === 0 ? '--clear-groups' : `--groups=${groups.join(',')}`;
  return ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, others];
}

export interface RunOptions {
  readonly cwd: string;
  readonly user?: ProgramUser;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Prefix of the command, for example of a sandbox around it. */
  readonly inside?: readonly string[];
}

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function startProgram(args: readonly string[], {cwd, user, env, inside = []}: RunOptions): ChildProcess {
  const command = [process.execPath, programPath, ...args];
  const [file = process.execPath, ...rest] = [...inside, ...(user === undefined ? [] : become(user)), ...command];
  return spawn(file, rest, {cwd, env: environmentOf(cwd, env), stdio: ['pipe', 'pipe', 'pipe']});
}

function environmentOf(cwd: string, env: RunOptions['env'] = {}): Readonly<Record<string, string>> {
  return {PATH: process.env['PATH'] ?? '', HOME: cwd, ...env};
}

export async function ended(child: ChildProcess): Promise<Ran> {
  const text = {stdout: '', stderr: ''};
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      text[name] += chunk;
    });
  }
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return {code, signal, ...text};
}

export async function runProgram(args: readonly string[], options: RunOptions): Promise<Ran> {
  const child = startProgram(args, options);
  child.stdin?.end(options.input ?? '');
  return await ended(child);
}

/**
 * Runs a command in this process, for what does not depend on a process. Another user and `inside` need a new one, and so do all but
 * the first of several commands at once.
 */
export async function runCommand(args: readonly string[], options: RunOptions): Promise<Ran> {
  const {cwd, user, env, input = '', inside} = options;
  if (user?.uid !== undefined || inside !== undefined || !isFree()) return await runProgram(args, options);
  return await runHere(args, {cwd, env: environmentOf(cwd, env), input});
}

/** Makes a workspace by `lumenflow init`, with what earlier workspaces of this run of tests have compiled. */
export async function initialize(cwd: string, ...options: readonly string[]): Promise<void> {
  copyBuilds(cwd);
  const {code, stderr} = await runCommand(['init', ...options], {cwd});
  if (code !== 0) throw new Error(`\`lumenflow init\` ended with ${code}: ${stderr}`);
  keepBuilds(cwd);
}

export interface RanForJson {
  readonly code: number | null;
  readonly document: Record<string, unknown> & {readonly ok: boolean};
}

/** Runs with --json; the program must print exactly one document, and nothing for people. */
export async function runForJson(args: readonly string[], options: RunOptions): Promise<RanForJson> {
  return documentOf(await runProgram([...args, '--json'], options));
}

/** The same in this process. */
export async function runCommandForJson(args: readonly string[], options: RunOptions): Promise<RanForJson> {
  return documentOf(await runCommand([...args, '--json'], options));
}

function documentOf({code, signal, stdout, stderr}: Ran): RanForJson {
  if (stderr !== '') throw new Error(`with --json stderr says: ${stderr}`);
  if (stdout === '') throw new Error(`--json printed nothing: exit code ${code}, signal ${signal}`);
  return {code, document: JSON.parse(stdout) as RanForJson['document']};
}

/** A temporary folder that belongs to the user; its name has a space. */
export function makeFolder(user?: ProgramUser): {readonly path: string; remove(): void} {
  const path = mkdtempSync(join(tmpdir(), 'lumenflow cli-'));
  if (user?.uid !== undefined) chownSync(path, user.uid, user.uid);
  return {path, remove: () => removeTree(path)};
}

export function assertBuilt(): void {
  if (!existsSync(programPath)) throw new Error(`\`${programPath}\` is missing: run \`npm run build\``);
}

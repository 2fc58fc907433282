// Runs the built `lumenflow` as a user does: a child process, in a folder, as root or as somebody else.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {chownSync, existsSync, mkdtempSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
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
  const inherited = {PATH: process.env['PATH'] ?? '', HOME: cwd};
  return spawn(file, rest, {cwd, env: {...inherited, ...env}, stdio: ['pipe', 'pipe', 'pipe']});
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

/** Runs with --json; the program must print exactly one document, and nothing for people. */
export async function runForJson(
  args: readonly string[],
  options: RunOptions,
): Promise<{readonly code: number | null; readonly document: Record<string, unknown> & {readonly ok: boolean}}> {
  const {code, signal, stdout, stderr} = await runProgram([...args, '--json'], options);
  if (stderr !== '') throw new Error(`with --json stderr says: ${stderr}`);
  if (stdout === '') throw new Error(`--json printed nothing: exit code ${code}, signal ${signal}`);
  return {code, document: JSON.parse(stdout) as Record<string, unknown> & {readonly ok: boolean}};
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

// Inspections for a workspace's direct calls. Each is recorded before its call and carried out after it, by the next host if
// necessary.
import {join} from 'node:path';
import {namesTrusted, trustedAround} from '@lumenflow/pack-sdk/trusted-paths';
import {createHostFiles} from '../profile/host-files.ts';
import {hiddenPaths} from '../profile/hidden-paths.ts';
import {printablePath} from '../profile/path-bytes.ts';
import type {CompiledProfile, PatternCompiler, ProfileInput} from '../profile/profile-input.ts';
import {openJournalKey} from '../transaction/journal-key.ts';
import type {RecoveryNote} from '../transaction/recovery-note.ts';
import {lookAfterCall, type LookFindings} from './look-after-call.ts';
import {lookName, looksFolder, looksIn, readLook, removeLook, writeLook, type UnfinishedLook} from './look-journal.ts';

export interface DirectLook {
  /** Run it after the call. Files that could not be moved also count as planted by later calls. */
  finish(mayWrite: (path: string) => boolean): Promise<LookFindings>;
}

export interface DirectLooks {
  /** Call it before a call that may write. Rejects if it cannot record the inspection. */
  begin(call: DirectCall): Promise<DirectLook>;
  /** Carries out the inspections that processes which died have left. Never rejects. */
  finishInterrupted(): Promise<readonly RecoveryNote[]>;
}

export interface DirectCall {
  readonly receiptId: string;
  readonly tool: string;
  readonly input: ProfileInput;
  readonly before: CompiledProfile;
}

export interface DirectLooksOptions {
  /** Absolute, without symlinks. */
  readonly root: string;
  readonly home: string;
  readonly processes: {readonly processId: string; isAlive(processId: string): boolean};
  readonly stateFolder: string;
  readonly compilePattern: PatternCompiler;
}

export function quarantineOf(receiptId: string): string {
  return `.lumenflow/quarantine/${receiptId}`;
}

export function createDirectLooks(options: DirectLooksOptions): DirectLooks {
  const looks: Looks = {options, stuck: new Set(), key: undefined};
  return {
    begin: async (call) => await begin(looks, call),
    async finishInterrupted() {
      const {root, processes} = options;
      const notes: RecoveryNote[] = [];
      try {
        for (const {name, processId} of looksIn(root)) {
          if (!processes.isAlive(processId)) notes.push(...(await recoverLook(looks, name)));
        }
      } catch (error) {
        notes.push(unreadable(error));
      }
      return notes;
    },
  };
}

interface Looks {
  readonly options: DirectLooksOptions;
  /** Planted, and still there: absolute. */
  readonly stuck: Set<string>;
  key: Buffer | undefined;
}

async function keyOf(looks: Looks): Promise<Buffer> {
  return (looks.key ??= await openJournalKey(looks.options.stateFolder));
}

async function begin(looks: Looks, {receiptId, tool, input, before}: DirectCall): Promise<DirectLook> {
  const {root, processes} = looks.options;
  const guarded = before.guarded.filter((path) => !looks.stuck.has(path));
  const {watched, obeyed} = before;
  const {denyOverlays, trustedPaths = [], grant} = input;
  const name = lookName(processes.processId, receiptId);
  const look = {receiptId, tool, write: grant.write, denyOverlays, trustedPaths, guarded, obeyed};
  const links = watched.filter(({link}) => link !== undefined);
  writeLook(root, await keyOf(looks), name, {...look, watched: links});
  return {
    async finish(mayWrite) {
      const profile = {...input, files: createHostFiles()};
      const keptIn = quarantineOf(receiptId);
      const findings = await lookAfterCall({profile, guarded, watched, mayWrite, keptIn});
      if (!rememberStuck(looks, findings)) removeLook(root, name);
      return findings;
    },
  };
}

async function recoverLook(looks: Looks, name: string): Promise<readonly RecoveryNote[]> {
  const {options} = looks;
  const look = readLook(options.root, await keyOf(looks), name);
  if (look === undefined) return [rejected(name)];
  const findings = await lookAfterCall({
    profile: inputOf(look, options),
    guarded: look.guarded,
    watched: look.watched,
    mayWrite: mayMake(look, options),
    keptIn: quarantineOf(look.receiptId),
  });
  const isStuck = rememberStuck(looks, findings);
  if (!isStuck) removeLook(options.root, name);
  return noteOf(look, findings, isStuck);
}

function rememberStuck({options, stuck}: Looks, {planted, restored, unlistable}: LookFindings): boolean {
  const left = [...planted, ...restored, ...unlistable].filter(({problem}) => problem !== undefined);
  for (const {path} of left) stuck.add(join(options.root, path));
  return left.length > 0;
}

function inputOf(look: UnfinishedLook, {root, home, stateFolder, compilePattern}: DirectLooksOptions): ProfileInput {
  return {
    workspaceRoot: root,
    grant: {read: [], write: [...look.write], network: {posture: 'off', allowlist_entries: []}},
    denyOverlays: look.denyOverlays,
    hiddenFolders: [stateFolder],
    trustedPaths: look.trustedPaths,
    home,
    runtimePaths: [],
    limits: {},
    env: {},
    compilePattern,
    files: createHostFiles(),
  };
}

/**
 * Whether the scopes of the call allow it to create the path. A hidden path is never allowed, a trusted one only if a scope names
 * it.
 */
function mayMake(look: UnfinishedLook, options: DirectLooksOptions): (path: string) => boolean {
  const {root, home, stateFolder, compilePattern} = options;
  const obeyed = new Set(look.obeyed);
  const {denyOverlays} = look;
  const hiddenFolders = [stateFolder];
  const hidden = hiddenPaths({workspaceRoot: root, home, denyOverlays, hiddenFolders, compilePattern});
  const named = look.trustedPaths.map((pattern) => compilePattern(pattern.replace(/(\/\*\*)+$/, '')));
  return (path) => {
    const absolute = join(root, path);
    if (hidden.covers(absolute)) return false;
    const isOwn = obeyed.has(absolute) || named.some((test) => test(path));
    const trusted = trustedAround(path) ?? (isOwn ? path : undefined);
    return look.write.some(
      (pattern) => (trusted === undefined || namesTrusted(pattern, trusted)) && compilePattern(pattern)(path),
    );
  };
}

function noteOf({tool, receiptId}: UnfinishedLook, findings: LookFindings, isStuck: boolean): readonly RecoveryNote[] {
  const {planted, restored, unlistable} = findings;
  const paths = [...planted, ...restored, ...unlistable].map(({path}) => printablePath(path));
  if (paths.length === 0) return [];
  const first = `\`${paths[0] ?? ''}\`${paths.length === 1 ? '' : ` and ${paths.length - 1} more`}`;
  const where = quarantineOf(receiptId);
  const message = `the host ended while \`${tool}\` ran, and the call left ${first}, which programs outside the sandbox obey`;
  return isStuck
    ? [{kind: 'left', where, paths, message: `${message}; LumenFlow could not move it`, help: 'remove it manually'}]
    : [{kind: 'undone', where, paths, message: `${message}; LumenFlow moved it to \`${where}\``}];
}

function rejected(name: string): RecoveryNote {
  return {
    kind: 'set_aside',
    where: `${looksFolder}/${name}`,
    message: 'a note about an interrupted call was not written by LumenFlow as this user, so LumenFlow ignored it',
    help: 'look for unfamiliar files, then delete the note',
  };
}

function unreadable(error: unknown): RecoveryNote {
  return {
    kind: 'unreadable',
    where: looksFolder,
    message: `LumenFlow cannot look for files that interrupted calls left: ${String(error)}`,
    help: `make \`${looksFolder}\` a directory that this user can read, and restart the host`,
  };
}

// Before the first call under a profile, LumenFlow tries escapes inside it. If one succeeds, LumenFlow rejects calls under that
// profile.
import {createHash} from 'node:crypto';
import {rmSync, writeFileSync} from 'node:fs';
import {release, tmpdir} from 'node:os';
import {join} from 'node:path';
import {keptTrial, keptTrialMs} from '../backends/kept-trial.ts';
import {makeOwnedFolder, reapOwnedFolders} from '../backends/leftover-folders.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {isWithin} from '../profile/host-paths.ts';
import {escapeScript, escapeTrial, trialEnd} from './escape-trial.ts';

export type SelfTestResult = Outcome<{readonly digest: string}>;

export interface SelfTest {
  /** Tests each profile once per user. A trial that could not run is repeated with the next call. */
  passed(profile: CompiledProfile, run: RunTrial, options?: SelfTestOptions): Promise<SelfTestResult>;
}

export interface SelfTestOptions {
  /** See `Capabilities`. */
  readonly sharesUsers?: boolean | undefined;
  /** Of the backend: where it has one, later hosts use the results of tests that passed. */
  readonly trialKey?: readonly string[] | undefined;
}

/** Runs a command inside the profile in the same way as the runner of a call, and returns its output. */
export type RunTrial = (argv: readonly string[]) => Promise<Outcome<string>>;

const folderKind = 'lumenflow-self-test';

/** Removes what self-tests of killed hosts left. */
export async function reapSelfTests(): Promise<void> {
  await reapOwnedFolders(tmpdir(), folderKind);
}

/** Number of cached results; a host with more profiles repeats some tests. */
const profilesMax = 1000;

export function createSelfTest(): SelfTest {
  const results = new Map<string, Promise<SelfTestResult>>();
  return {
    passed(profile, run, {sharesUsers = false, trialKey} = {}) {
      // A host may drop its privileges while it runs: then another user starts sandboxes.
      const key = `${process.geteuid?.()} ${profile.digest}`;
      const known = results.get(key);
      if (known !== undefined) return known;
      if (results.size >= profilesMax) results.clear();
      const test = async (): Promise<Trial> => await tryEscapes(profile, run, sharesUsers);
      const trial = (trialKey === undefined ? test() : keptTest([...trialKey, key], test)).catch(failedTrial);
      const result = trial.then(({verdict}) => verdict);
      results.set(key, result);
      void trial.then(({isFinal}) => isFinal || results.delete(key));
      return result;
    },
  };
}

/** Only what passed is kept: a profile that failed is tested by each host. */
async function keptTest(trialKey: readonly string[], test: () => Promise<Trial>): Promise<Trial> {
  let isFinal = true;
  const verdict = await keptTrial({
    key: ['self-test', escapeScript, ...trialKey],
    validMs: keptTrialMs,
    async run() {
      const trial = await test();
      ({isFinal} = trial);
      return trial.verdict;
    },
  });
  return {verdict, isFinal};
}

interface Trial {
  readonly verdict: SelfTestResult;
  readonly isFinal: boolean;
}

async function tryEscapes({profile, digest}: CompiledProfile, run: RunTrial, sharesUsers: boolean): Promise<Trial> {
  const folder = await makeOwnedFolder(tmpdir(), folderKind);
  const canary = join(folder, 'canary');
  try {
    writeFileSync(canary, 'canary');
    const mounts = [...profile.writable_bind_mounts, ...profile.readonly_bind_mounts];
    // A workspace may contain the folder for temporary files; then reading it is not an escape.
    const isGranted = mounts.some(({source}) => isWithin(canary, source));
    const ran = await run(escapeTrial(profile, {canaryPath: isGranted ? '' : canary, sharesUsers}));
    if (!ran.ok) return {verdict: ran, isFinal: false};
    const printed = ran.value;
    const lines = printed.trimEnd().split('\n');
    if (lines.pop() !== trialEnd) return failedTrial(printed);
    if (lines.length > 0) {
      const message = `the sandbox failed its self-test on this machine: ${lines.join('; ')}`;
      const help = 'run `lumenflow sandbox doctor`; LumenFlow rejects calls under this profile until the host restarts';
      return {verdict: failed({message, help}), isFinal: true};
    }
    const facts = [digest, release(), String(process.geteuid?.()), printed];
    return {verdict: ok({digest: createHash('sha256').update(facts.join('\0')).digest('hex')}), isFinal: true};
  } finally {
    rmSync(folder, {recursive: true});
  }
}

function failedTrial(error: unknown): Trial {
  const said = error instanceof Error ? error.message : String(error);
  const message = `the self-test of the sandbox could not run (\`${said.trim().slice(0, 300)}\`)`;
  return {verdict: failed({message, help: 'retry the call, or run `lumenflow sandbox doctor`'}), isFinal: false};
}

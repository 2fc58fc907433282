// Everything that can be checked in a pack without calling its tools.
import type {LoadedPack, Problem} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync, realpathSync} from 'node:fs';
import {join, relative, resolve} from 'node:path';
import {checkCompiled} from '../authoring/check-compiled.ts';
import {checkEnvironment} from '../authoring/check-environment.ts';
import {checkExamples} from '../authoring/check-examples.ts';
import {checkKeywords} from '../authoring/check-keywords.ts';
import {loadOwnPack} from '../authoring/load-own-pack.ts';
import {isManifestGenerated, manifestFromCode, staleProblems} from './manifest-from-code.ts';

export interface CheckedPack {
  /** Absent when it cannot be loaded. */
  readonly pack?: LoadedPack;
  readonly problems: readonly Problem[];
}

/** With `run`, and if its manifest is generated, the pack's modules are imported in the sandbox. */
export async function checkPack(workspaceRoot: string, pin: PackPin, run: boolean): Promise<CheckedPack> {
  const folder = resolve(workspaceRoot, pin.source === 'local' ? (pin.path ?? '.') : '.');
  const fromCode = pin.source === 'local' && existsSync(folder) ? await checkCode(realpathSync(folder), run) : [];
  const inWorkspace = (problem: Problem): Problem => ({
    ...problem,
    where: join(relative(realpathSync(workspaceRoot), realpathSync(folder)), problem.where),
  });
  const {pack, problems} = await loadOwnPack(workspaceRoot, pin);
  const of = pack
    ? [
        ...checkCompiled(pack),
        ...checkExamples(pack),
        ...checkKeywords(pack),
        ...(await checkEnvironment(pack)).map(inWorkspace),
      ]
    : [];
  const all = unique([...fromCode.map(inWorkspace), ...problems, ...of]);
  return pack === undefined ? {problems: all} : {pack, problems: all};
}

async function checkCode(folder: string, run: boolean): Promise<readonly Problem[]> {
  if (!run && !(await isManifestGenerated(folder))) return [];
  const {stale, problems} = await manifestFromCode(folder);
  return [...staleProblems(stale), ...problems];
}

/** Both builds report a mistake in code. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  const keyOf = ({where, code, message}: Problem): string => JSON.stringify([where, code, message]);
  return [...new Map(problems.map((problem) => [keyOf(problem), problem])).values()];
}

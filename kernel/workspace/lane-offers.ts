// The tools that agents in a lane see in lists. Not a permission: policy and scopes decide about calls.
import type {LaneSpec} from '@lumenflow/schemas';
import {kernelPackId} from '../builtin-pack/create-builtin-pack.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {compileGlobs, type PolicyCompilerPorts} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

export interface LaneOffers {
  offers(tool: RegisteredTool): boolean;
  readonly problems: readonly Problem[];
}

/** `tools`: the known ones; undefined if a pack is missing. `where` locates an entry of the list. */
export function compileLaneOffers(
  {offers: globs}: LaneSpec,
  tools: readonly RegisteredTool[] | undefined,
  {where, compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'> & {where(index: number): string},
): LaneOffers {
  const compiled = globs?.map((glob) => compileGlobs(glob, 'tool', compileRegex));
  const problems = (compiled ?? []).flatMap((result, index): readonly Problem[] => {
    const at = where(index);
    if (!result.ok) return [{code: 'WORKSPACE_INVALID', severity: 'error', where: at, ...result.problem}];
    const isUseful = tools === undefined || tools.some(({name}) => result.value(name));
    return isUseful ? [] : [withoutEffect(globs?.[index] ?? '', at)];
  });
  return {
    problems,
    offers({name, declaration, pack}) {
      if (declaration.audience === 'host') return false;
      // Refusals refer to the kernel's own tools.
      if (compiled === undefined || pack.manifest.id === kernelPackId) return true;
      return compiled.some((result) => result.ok && result.value(name));
    },
  };
}

function withoutEffect(glob: string, where: string): Problem {
  return {
    code: 'OFFERS_WITHOUT_EFFECT',
    severity: 'warning',
    message: `\`${glob}\` matches no tool`,
    where,
    help: '`lumenflow tools list --all` prints the names of all tools',
  };
}

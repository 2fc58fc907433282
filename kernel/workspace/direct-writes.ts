// The tools that a workspace lets write directly, and what to say about them when it is loaded.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {compileGlobs, type PolicyCompilerPorts} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export interface DirectWrites {
  readonly agrees: (toolName: string) => boolean;
  readonly problems: readonly Problem[];
}

const pointer = '/security/direct_writes';

/** `tools`: the known ones; undefined if a pack is missing, which is reported separately. */
export function compileDirectWrites(
  {spec, locate}: Written,
  tools: readonly RegisteredTool[] | undefined,
  ports: PolicyCompilerPorts,
): DirectWrites {
  const globs = spec.security.direct_writes ?? [];
  const compiled = globs.map((glob) => compileGlobs(glob, 'tool', (source) => ports.compileRegex(source)));
  const problems = compiled.flatMap((result, index): readonly Problem[] => {
    const where = locate(`${pointer}/${index}`);
    const glob = globs[index] ?? '';
    if (!result.ok) return [{code: 'WORKSPACE_INVALID', severity: 'error', where, ...result.problem}];
    const declared = tools?.filter(({name, declaration}) => declaration.writes === 'direct' && result.value(name));
    if (declared === undefined) return [];
    return [declared.length === 0 ? withoutEffect(glob, where) : writesDirectly(declared, where)];
  });
  return {
    agrees: (name) => compiled.some((result) => result.ok && result.value(name)),
    problems: [...problems, ...directLanes({spec, locate}, tools ?? [])],
  };
}

function directLanes({spec, locate}: Written, tools: readonly RegisteredTool[]): readonly Problem[] {
  const declared = tools.filter(({declaration}) => declaration.writes === 'direct');
  return spec.lanes.flatMap(({writes}, index) =>
    writes === 'direct' && declared.length > 0 ? [writesDirectly(declared, locate(`/lanes/${index}/writes`))] : [],
  );
}

function writesDirectly(tools: readonly RegisteredTool[], where: string): Problem {
  const names = tools.map(({name}) => `\`${name}\``).join(', ');
  return {
    code: 'WRITES_DIRECT',
    severity: 'warning',
    message: `${names} ${tools.length === 1 ? 'writes' : 'write'} directly: changes are not checked before they happen, and a failed call leaves what it wrote`,
    where,
    help: 'remove the entry unless the tool cannot work in a private view',
  };
}

function withoutEffect(glob: string, where: string): Problem {
  return {
    code: 'DIRECT_WRITES_WITHOUT_EFFECT',
    severity: 'warning',
    message: `\`${glob}\` matches no tool that declares \`writes: direct\``,
    where,
    help: "remove it, or declare `writes: direct` in the tool's manifest",
  };
}

// Rules of workspace.yaml that name a tool which no pack declares. Such a rule never matches, and a deny that never
// matches is a hole, so whoever wrote it is told.
import type {PolicyLayer, PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {nearestName} from '../nearest-name.ts';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function unknownTools({spec, locate}: Written, tools: ReadonlyMap<string, unknown>): readonly Problem[] {
  const layers: readonly (readonly [string, PolicyLayer | undefined])[] = [
    ['/policies', spec.policies],
    ...spec.lanes.map((lane, index) => [`/lanes/${index}/policies`, lane.policies] as const),
  ];
  return layers.flatMap(([at, policies]) =>
    (policies?.rules ?? []).flatMap((rule, index) =>
      namedTools(rule)
        .filter((name) => !tools.has(name))
        .map((name) => unknownTool(rule, name, {tools, where: locate(`${at}/rules/${index}/when/tool`)})),
    ),
  );
}

/** Names in full; a glob may stand for tools to come. */
function namedTools({when}: PolicyRule): readonly string[] {
  return [when?.tool ?? []].flat().filter((glob) => !/[*?]/u.test(glob));
}

function unknownTool(
  {id}: PolicyRule,
  name: string,
  {tools, where}: {readonly tools: ReadonlyMap<string, unknown>; readonly where: string},
): Problem {
  const nearest = nearestName(name, tools.keys());
  return {
    code: 'POLICY_TOOL_UNKNOWN',
    severity: 'warning',
    message: `rule \`${id}\` names the tool \`${name}\`, which no pack declares: it never matches`,
    where,
    help: nearest === undefined ? 'pin the pack that has it, or remove the name' : `did you mean \`${nearest}\`?`,
  };
}

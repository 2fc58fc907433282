// Rules of workspace.yaml that name a tool which no pack declares, or a lane that does not exist. No call matches such a name, and a
// deny that never matches is a hole, so it is reported.
import type {PolicyLayer, PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {nearestName} from '../names/nearest-name.ts';
import {namesInMatcher, type NamedInMatcher} from '../policy/index.ts';
import type {Problem} from '../problem.ts';
import type {CompiledWorkspace} from './compiled-workspace.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

/** The known tools; undefined if a pack is missing, which is reported separately. */
export function unknownNames(
  {spec, locate}: Written,
  tools: readonly string[] | undefined,
  renamed: CompiledWorkspace['renamed'],
): readonly Problem[] {
  const layers: readonly (readonly [string, PolicyLayer | undefined])[] = [
    ['/policies', spec.policies],
    ...spec.lanes.map((lane, index) => [`/lanes/${index}/policies`, lane.policies] as const),
  ];
  const known = {tool: tools, lane: spec.lanes.map(({id}) => id)};
  return layers.flatMap(([at, policies]) =>
    (policies?.rules ?? []).flatMap((rule, index) =>
      [...namesInMatcher(rule.when ?? {}, `${at}/rules/${index}/when`)]
        .filter(({kind, name}) => known[kind]?.includes(name) === false)
        .map((named) => {
          const problem = unknownName(rule, {...named, where: locate(named.at)}, known[named.kind] ?? []);
          const tool = named.kind === 'tool' ? renamed.get(named.name)?.tool : undefined;
          return tool === undefined ? problem : {...problem, help: `\`${named.name}\` is now \`${tool}\``};
        }),
    ),
  );
}

function unknownName(
  {id}: PolicyRule,
  {kind, name, where}: NamedInMatcher & {readonly where: string},
  known: readonly string[],
): Problem {
  const nearest = nearestName(name, known);
  const missing = kind === 'tool' ? 'which no pack declares' : 'which is not in this workspace';
  const help = kind === 'tool' ? 'pin the pack that has it, or remove the name' : `the lanes are ${known.join(', ')}`;
  return {
    code: kind === 'tool' ? 'POLICY_TOOL_UNKNOWN' : 'POLICY_LANE_UNKNOWN',
    severity: 'warning',
    message: `rule \`${id}\` names the ${kind} \`${name}\`, ${missing}: no call matches it`,
    where,
    help: nearest === undefined ? help : `did you mean \`${nearest}\`?`,
  };
}

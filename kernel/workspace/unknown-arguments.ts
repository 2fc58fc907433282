// Conditions on arguments that no call can match, by the input schemas of the rule's tools: a misspelled pointer, or a value of
// another type. A deny that never matches is a hole.
import type {Globs, PolicyLayer, PolicyMatcher, PolicyRule, WorkspaceSpec} from '@lumenflow/schemas';
import {nearestName} from '../names/nearest-name.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {
  argumentFit,
  compileGlobs,
  escapePointerPart,
  parseJsonPointer,
  type PolicyCompilerPorts,
} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

export function unknownArguments(
  {spec, locate}: Written,
  tools: readonly RegisteredTool[],
  ports: Pick<PolicyCompilerPorts, 'compileRegex'>,
): readonly Problem[] {
  const layers: readonly (readonly [string, PolicyLayer | undefined])[] = [
    ['/policies', spec.policies],
    ...spec.lanes.map((lane, index) => [`/lanes/${index}/policies`, lane.policies] as const),
  ];
  return layers.flatMap(([at, policies]) =>
    (policies?.rules ?? []).flatMap((rule, index) =>
      [
        ...conditionsIn(rule.when ?? {}, `${at}/rules/${index}/when`, tools, ports),
        ...summed(rule, `${at}/rules/${index}/at_most/sum`, tools, ports),
      ].flatMap((condition) => problemOf(rule, condition, locate)),
    ),
  );
}

interface Condition {
  readonly pointer: string;
  readonly matcher: NonNullable<NonNullable<PolicyMatcher['arguments']>[string]>;
  readonly at: string;
  /** The tools that a call can be of where the condition counts. */
  readonly tools: readonly RegisteredTool[];
}

function* conditionsIn(
  matcher: PolicyMatcher,
  at: string,
  around: readonly RegisteredTool[],
  ports: Pick<PolicyCompilerPorts, 'compileRegex'>,
): Iterable<Condition> {
  const named = matcher.tool === undefined ? undefined : toolTest(matcher.tool, ports);
  const {permission} = matcher;
  const tools = around.filter(
    ({name, declaration}) =>
      (named === undefined || named(name)) && (permission === undefined || permission.includes(declaration.permission)),
  );
  for (const [pointer, value] of Object.entries(matcher.arguments ?? {})) {
    if (value) yield {pointer, matcher: value, at: `${at}/arguments/${escapePointerPart(pointer)}`, tools};
  }
  if (matcher.command)
    yield {pointer: matcher.command.argument, matcher: {exists: true}, at: `${at}/command/argument`, tools};
  for (const list of ['all', 'any'] as const) {
    for (const [index, part] of (matcher[list] ?? []).entries())
      yield* conditionsIn(part, `${at}/${list}/${index}`, tools, ports);
  }
  if (matcher.not) yield* conditionsIn(matcher.not, `${at}/not`, tools, ports);
}

/** A number that a limit adds up, of the tools that the rule names. */
function summed(
  {when: {tool, permission} = {}, at_most}: PolicyRule,
  at: string,
  tools: readonly RegisteredTool[],
  ports: Pick<PolicyCompilerPorts, 'compileRegex'>,
): readonly Condition[] {
  if (at_most?.sum === undefined) return [];
  const named = {...(tool && {tool}), ...(permission && {permission}), arguments: {[at_most.sum]: {gte: 0}}};
  return [...conditionsIn(named, '', tools, ports)].map((condition) => ({...condition, at}));
}

function problemOf(
  {id}: PolicyRule,
  {pointer, matcher, at, tools}: Condition,
  locate: Written['locate'],
): readonly Problem[] {
  const path = parseJsonPointer(pointer);
  if (path === undefined || tools.length === 0) return [];
  const fits = tools.map(({declaration}) => argumentFit(declaration.input_schema ?? {}, path, matcher));
  if (fits.includes('possible')) return [];
  const where = locate(at);
  const which =
    tools.length === 1 ? `\`${tools[0]?.name ?? ''}\`` : `any of the ${tools.length} tools that it is about`;
  if (fits.includes('type')) {
    const message = `rule \`${id}\` compares the argument \`${pointer}\` of ${which} with a value of another type`;
    return [
      {
        code: 'POLICY_ARGUMENT_TYPE',
        severity: 'warning',
        message: `${message}: it never matches`,
        where,
        help: '`lumenflow tools show` prints the types',
      },
    ];
  }
  const known = tools.flatMap(({declaration}) => Object.keys(Object(declaration.input_schema?.['properties'])));
  const nearest = nearestName(path[0] ?? '', [...new Set(known)]);
  return [
    {
      code: 'POLICY_ARGUMENT_UNKNOWN',
      severity: 'warning',
      message: `rule \`${id}\` refers to \`${pointer}\`, which is not an argument of ${which}: it never matches`,
      where,
      help: nearest === undefined ? '`lumenflow tools show` prints the arguments' : `did you mean \`/${nearest}\`?`,
    },
  ];
}

/** What is wrong with the globs is the rule's own problem. */
function toolTest(globs: Globs, {compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>): (name: string) => boolean {
  const compiled = compileGlobs(globs, 'tool', compileRegex);
  return compiled.ok ? compiled.value : () => false;
}

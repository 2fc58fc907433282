// Adds the requirements that a pack's capability_factory returns to the declarations of its tools. They extend only what a tool
// requires; the grant remains the intersection with workspace, lane and task.
import type {LoadedTool} from '@lumenflow/kernel';
import type {NetworkScope, PathScope, Scope, ToolDeclaration} from '@lumenflow/schemas';
import type {CapabilityData, NeedsData, NetworkEntryData} from '../isolate/check-factory-results.ts';

/** The host's environment, for addresses in variables. */
export type Environment = Readonly<Record<string, string | undefined>>;

export function applyCapabilities(
  tools: readonly LoadedTool[],
  {required_scopes, required_env, network_allowlist, by_input}: CapabilityData,
  env: Environment,
): readonly LoadedTool[] {
  return tools.map((tool) => {
    const {name} = tool.declaration;
    const always = {
      ...(required_scopes?.[name] && {required_scopes: required_scopes[name]}),
      ...(required_env?.[name] && {required_env: required_env[name]}),
      ...(network_allowlist?.[name] && {network_allowlist: network_allowlist[name]}),
    };
    const base = withNeeds(tool, always, env);
    const asked = by_input?.[name];
    if (asked === undefined) return base;
    const {values, ...selector} = asked;
    const variants = Object.entries(values).map(([value, needs]) => [value, withNeeds(base, needs, env)] as const);
    return {...base, by_input: {...selector, variants: new Map(variants)}};
  });
}

function withNeeds(
  tool: LoadedTool,
  {required_scopes: paths = [], required_env: names = [], network_allowlist: entries = []}: NeedsData,
  env: Environment,
): LoadedTool {
  if (paths.length === 0 && names.length === 0 && entries.length === 0) return tool;
  return {
    ...tool,
    declaration: withNetwork(
      withEnv(withPaths(tool.declaration, paths), names),
      entries.flatMap((entry) => toEntry(entry, env)),
    ),
  };
}

function withPaths(declaration: ToolDeclaration, paths: readonly PathScope[]): ToolDeclaration {
  if (paths.length === 0) return declaration;
  return {...declaration, required_scopes: [...(declaration.required_scopes ?? []), ...paths]};
}

/** Returns nothing for a variable that contains no address: the tool reports that when it is called. */
function toEntry(entry: NetworkEntryData, env: Environment): readonly string[] {
  if (typeof entry === 'string') return [entry];
  const address = env[entry.url_env] ?? '';
  if (!URL.canParse(address)) return [];
  const {protocol, hostname, port} = new URL(address);
  const usualPort = {'http:': '80', 'https:': '443'}[protocol];
  return usualPort === undefined ? [] : [`${hostname}:${port === '' ? usualPort : port}`];
}

function withEnv(declaration: ToolDeclaration, env: readonly string[]): ToolDeclaration {
  if (env.length === 0) return declaration;
  return {...declaration, required_env: [...new Set([...(declaration.required_env ?? []), ...env])]};
}

function withNetwork(declaration: ToolDeclaration, entries: readonly string[]): ToolDeclaration {
  const scopes = declaration.required_scopes ?? [];
  const network = scopes.find((scope): scope is NetworkScope => scope.type === 'network');
  if (entries.length === 0 || network?.posture === 'full') return declaration;
  const listed = network?.posture === 'allowlist' ? (network.allowlist_entries ?? []) : [];
  const allowlist: Scope = {
    type: 'network',
    posture: 'allowlist',
    allowlist_entries: [...new Set([...listed, ...entries])],
  };
  return {...declaration, required_scopes: [...scopes.filter(({type}) => type !== 'network'), allowlist]};
}

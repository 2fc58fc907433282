// Adds what a pack's capability_factory asks for to the declarations of the tools it names.
// It widens only what a tool requires; what is granted stays the intersection with workspace, lane and task.
import type {LoadedTool} from '@lumenflow/kernel';
import type {NetworkScope, Scope, ToolDeclaration} from '@lumenflow/schemas';

export interface PackCapabilities {
  readonly required_env?: Readonly<Record<string, readonly string[]>>;
  readonly network_allowlist?: Readonly<Record<string, readonly string[]>>;
}

export function applyCapabilities(tools: readonly LoadedTool[], capabilities: PackCapabilities): readonly LoadedTool[] {
  return tools.map((tool) => {
    const {name} = tool.declaration;
    const env = capabilities.required_env?.[name] ?? [];
    const entries = capabilities.network_allowlist?.[name] ?? [];
    if (env.length === 0 && entries.length === 0) return tool;
    return {...tool, declaration: withNetwork(withEnv(tool.declaration, env), entries)};
  });
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

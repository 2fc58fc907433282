// The tools that agents are not offered, and why: tools for operators, and tools that the catalogue of their pack leaves out. It
// keeps the lists of agents short; whether a call is allowed is decided by scopes and policies.
import type {Catalogue, Globs, ToolDeclaration} from '@lumenflow/schemas';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {nearestName} from '../names/nearest-name.ts';
import {compileGlobs, type PolicyCompilerPorts} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

export interface WithheldTool {
  /** Why agents are not offered it. */
  readonly message: string;
  /** What an operator can do. */
  readonly remedy: string;
}

export interface WithheldTools {
  /** By name. */
  readonly reasons: ReadonlyMap<string, WithheldTool>;
  readonly problems: readonly Problem[];
}

interface Compiler {
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
  readonly ports: Pick<PolicyCompilerPorts, 'compileRegex'>;
}

export function findWithheldTools(packs: readonly LoadedPack[], compiler: Compiler): WithheldTools {
  const reasons = new Map<string, WithheldTool>();
  const problems: Problem[] = [];
  for (const pack of packs) {
    const selection = selectTools(pack, compiler);
    problems.push(...selection.problems);
    for (const {declaration} of pack.tools) {
      const reason = reasonFor(declaration, pack, selection);
      if (reason !== undefined) reasons.set(declaration.name, reason);
    }
  }
  return {reasons, problems};
}

interface Selection {
  readonly includes: (toolName: string) => boolean;
  readonly problems: readonly Problem[];
}

function reasonFor(
  {name, audience}: ToolDeclaration,
  {manifest}: LoadedPack,
  {includes}: Selection,
): WithheldTool | undefined {
  if (audience === 'operator') {
    return {
      message: `tool \`${name}\` is for operators of the workspace`,
      remedy: 'ask a person to run it on the command line',
    };
  }
  if (audience === 'host' || manifest.catalogue === undefined || includes(name)) return undefined;
  const {config_key: key = '', catalogue} = manifest;
  return {
    message: `tool \`${name}\` is not in the catalogue of this workspace`,
    remedy: `add it to \`${key}.tools\` in workspace.yaml, for example \`tools: [${catalogue.default}, '${name}']\``,
  };
}

/** Without a catalogue, all tools are selected. A selection with an error selects nothing. */
function selectTools(pack: LoadedPack, {locate, ports}: Compiler): Selection {
  const {catalogue, config_key: key = ''} = pack.manifest;
  if (catalogue === undefined) return {includes: () => true, problems: []};
  const chosen: unknown = Object(pack.config)['tools'] ?? catalogue.default;
  const entries = chosen === 'none' ? [] : typeof chosen === 'string' ? [chosen] : chosen;
  const at = `/${key}/tools`;
  const problems: Problem[] = [];
  const report = (severity: Problem['severity'], pointer: string, message: string, help: string): void =>
    void problems.push({code: 'PACK_CONFIG_INVALID', severity, message, where: locate(pointer), pointer, help});
  if (!isTexts(entries)) {
    report('error', at, '`tools` is neither the name of a set nor a list', helpOf(catalogue));
    return {includes: () => false, problems};
  }
  const tests = entries.flatMap((entry, index) => {
    const pointer = typeof chosen === 'string' ? at : `${at}/${index}`;
    const compiled = compileGlobs(patternsOf(catalogue, entry), 'tool', (source) => ports.compileRegex(source));
    if (!compiled.ok) {
      report('error', pointer, compiled.problem.message, compiled.problem.help);
      return [];
    }
    if (!pack.tools.some(({declaration}) => compiled.value(declaration.name))) {
      const near = nearestName(entry, [
        ...Object.keys(catalogue.sets),
        ...pack.tools.map((tool) => tool.declaration.name),
      ]);
      const help = near === undefined ? helpOf(catalogue) : `did you mean \`${near}\`?`;
      report('warning', pointer, `\`${entry}\` is neither a set nor a tool of the pack`, help);
    }
    return [compiled.value];
  });
  return {includes: (name) => tests.some((test) => test(name)), problems};
}

function patternsOf({sets}: Catalogue, entry: string): Globs {
  if (entry === 'all') return '*';
  return (Object.hasOwn(sets, entry) ? (sets[entry] as Globs | undefined) : undefined) ?? entry;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string');
}

function helpOf({sets}: Catalogue): string {
  return `the sets are ${['all', 'none', ...Object.keys(sets)].map((name) => `\`${name}\``).join(', ')}`;
}

// A client's own choice of the tools that it lists, for clients and models that can use only some. Not a permission. `search` lists
// the tools of the facade instead of those that they find, `direct` lists all others, `both` is `search,direct`.
import {failed, nearestName, ok, type KernelRuntime, type Outcome, type RegisteredTool} from '@lumenflow/kernel';
import {compileGlobs, kernelPackId} from '@lumenflow/kernel/adapters';
import {compileRegex} from '@lumenflow/kernel/node';
import {toMcpName} from './tool-name.ts';

export type ToolFilter = (tool: RegisteredTool) => boolean;

export interface ToolFilterProblem {
  readonly message: string;
  readonly help: string;
}

const words: Readonly<Record<string, readonly string[]>> = {search: [], direct: ['*'], both: ['*']};

/** Whether the client lists the tools of the facade. */
export function hasFacade(patterns: string | undefined): boolean {
  return entriesOf(patterns ?? '').some((entry) => entry === 'search' || entry === 'both');
}

/** `patterns`: names or globs, also as clients write them, such as `file:*,git_commit`, or words; undefined lists all tools. */
export function parseToolFilter(
  {workspace}: Pick<KernelRuntime, 'workspace'>,
  patterns: string | undefined,
): Outcome<ToolFilter, ToolFilterProblem> {
  if (patterns === undefined) return ok(() => true);
  const names = [...workspace.tools.keys()];
  const tests: ((name: string) => boolean)[] = [];
  for (const glob of entriesOf(patterns).flatMap((entry) => words[entry] ?? [entry])) {
    const compiled = compileGlobs(glob, 'tool', compileRegex);
    if (!compiled.ok) return compiled;
    const test = (name: string): boolean => compiled.value(name) || compiled.value(toMcpName(name));
    if (!names.some(test)) return failed({message: `\`${glob}\` matches no tool`, help: helpFor(glob, names)});
    tests.push(test);
  }
  // Refusals refer to the kernel's own tools.
  return ok(({name, pack}) => pack.manifest.id === kernelPackId || tests.some((test) => test(name)));
}

function entriesOf(patterns: string): readonly string[] {
  return patterns.split(',').map((text) => text.trim());
}

function helpFor(glob: string, names: readonly string[]): string {
  const domains = new Set(names.map((name) => `${name.split(':', 1)[0] ?? ''}:*`));
  const own = [...names, ...domains];
  const nearest = nearestName(glob, [...own, ...own.map((name) => toMcpName(name))]);
  const all = '`lumenflow tools list --all` prints all names';
  return nearest === undefined
    ? `write names such as \`file:read\` or \`file:*\`; ${all}`
    : `did you mean \`${nearest}\`? ${all}`;
}

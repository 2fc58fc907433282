// A client's own choice of the tools that it lists, for clients and models that can use only some. Not a permission.
import {failed, ok, type KernelRuntime, type Outcome, type RegisteredTool} from '@lumenflow/kernel';
import {compileGlobs, kernelPackId} from '@lumenflow/kernel/adapters';
import {compileRegex} from '@lumenflow/kernel/node';

export type ToolFilter = (tool: RegisteredTool) => boolean;

export interface ToolFilterProblem {
  readonly message: string;
  readonly help: string;
}

/** `patterns`: names or globs such as `file:*,git:commit`; undefined lists all tools. */
export function parseToolFilter(
  {workspace}: Pick<KernelRuntime, 'workspace'>,
  patterns: string | undefined,
): Outcome<ToolFilter, ToolFilterProblem> {
  if (patterns === undefined) return ok(() => true);
  const tests: ((name: string) => boolean)[] = [];
  for (const glob of patterns.split(',').map((text) => text.trim())) {
    const compiled = compileGlobs(glob, 'tool', compileRegex);
    if (!compiled.ok) return compiled;
    if (![...workspace.tools.keys()].some((name) => compiled.value(name))) {
      return failed({
        message: `\`${glob}\` matches no tool`,
        help: 'write names such as `file:read` or `file:*`; `lumenflow tools list --all` prints all names',
      });
    }
    tests.push(compiled.value);
  }
  // Refusals refer to the kernel's own tools.
  return ok(({name, pack}) => pack.manifest.id === kernelPackId || tests.some((test) => test(name)));
}

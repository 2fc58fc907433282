// A client's own choice of the tools that it lists, for clients and models that can use only some. Not a permission.
import type {KernelRuntime, RegisteredTool} from '@lumenflow/kernel';
import {compileGlobs, kernelPackId} from '@lumenflow/kernel/adapters';
import {compileRegex} from '@lumenflow/kernel/node';

export type ToolFilter = (tool: RegisteredTool) => boolean;

export interface ToolFilterProblem {
  readonly problem: string;
  readonly help: string;
}

/** `patterns`: names or globs such as `file:*,git:commit`; undefined lists all tools. */
export function parseToolFilter(
  {workspace}: Pick<KernelRuntime, 'workspace'>,
  patterns: string | undefined,
): ToolFilter | ToolFilterProblem {
  if (patterns === undefined) return () => true;
  const globs = patterns.split(',').map((glob) => glob.trim());
  const tests: ((name: string) => boolean)[] = [];
  for (const glob of globs) {
    const compiled = compileGlobs(glob, 'tool', compileRegex);
    if ('problem' in compiled) return compiled;
    if (![...workspace.tools.keys()].some((name) => compiled.test(name))) {
      return {
        problem: `\`${glob}\` matches no tool`,
        help: 'write names such as `file:read` or `file:*`; `lumenflow tools list --all` prints all names',
      };
    }
    tests.push(compiled.test);
  }
  // Refusals refer to the kernel's own tools.
  return ({name, pack}) => pack.manifest.id === kernelPackId || tests.some((test) => test(name));
}

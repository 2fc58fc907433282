// Defaults that changed since the version that last used a workspace: reported at the first start with this version only.
import type {Problem, RegisteredTool} from '@lumenflow/kernel';
import type {Writes} from '@lumenflow/schemas';
import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

interface StartedKernel {
  readonly workspace: {readonly tools: ReadonlyMap<string, RegisteredTool>};
  writesOf(tool: RegisteredTool): Writes;
}

type ReportChanges = (kernel: StartedKernel, onWarning: ((problem: Problem) => void) | undefined) => void;

/** Has one file for each changed default that a start has reported. */
const noticesFolder = '.lumenflow/notices';
const earlierState = '.lumenflow/kernel/evidence';
const change = 'transactional-writes';
const namesMax = 5;

/** Called before a host makes any state; the result is called once the kernel has started. Undefined if an earlier start reported them. */
export function changedDefaults(workspaceRoot: string): ReportChanges | undefined {
  const folder = join(workspaceRoot, noticesFolder);
  if (existsSync(join(folder, change))) return undefined;
  const isNew = !existsSync(join(workspaceRoot, earlierState));
  return (kernel, onWarning) => {
    const problems = isNew ? [] : transactionalWrites(kernel);
    // The next start may have a listener.
    if (problems.length > 0 && onWarning === undefined) return;
    for (const problem of problems) onWarning?.(problem);
    mkdirSync(folder, {recursive: true, mode: 0o700});
    writeFileSync(join(folder, change), '');
  };
}

function transactionalWrites({workspace, writesOf}: StartedKernel): readonly Problem[] {
  const tools = [...workspace.tools.values()].filter(
    (tool) =>
      tool.scopes.write.length > 0 && tool.declaration.writes !== 'transactional' && writesOf(tool) === 'transactional',
  );
  if (tools.length === 0) return [];
  const names = tools.slice(0, namesMax).map(({name}) => `\`${name}\``);
  const more = tools.length > namesMax ? ` and ${tools.length - namesMax} more` : '';
  return [
    {
      code: 'DEFAULT_CHANGED',
      severity: 'warning',
      message: `calls that may write are transactional now: their changes are applied when they succeed and discarded when they fail (${names.join(', ')}${more})`,
      where: 'workspace.yaml',
      help: 'to keep direct writes for a tool, declare `writes: direct` in its manifest and add its name to `security.direct_writes`',
    },
  ];
}

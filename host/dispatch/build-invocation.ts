// The data that a handler receives about its call.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {Invocation} from '@lumenflow/schemas';

export interface InvocationSources {
  readonly workspaceRoot: string;
  /** The host's environment. A handler receives only the variables that its tool requires. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

export type InvocationResult = {readonly invocation: Invocation} | {readonly missingEnv: readonly string[]};

export function buildInvocation(request: DispatchRequest, sources: InvocationSources): InvocationResult {
  const {tool} = request;
  const env: Record<string, string> = {};
  const missingEnv: string[] = [];
  for (const name of tool.declaration.required_env ?? []) {
    const value = sources.env[name];
    if (value === undefined) missingEnv.push(name);
    else env[name] = value;
  }
  if (missingEnv.length > 0) return {missingEnv};
  const {receipt_id, task_id, run_id, session_id, lane_id, principal, input, scope_enforced} = request;
  const invocation: Invocation = {
    protocol: 1,
    tool_name: tool.name,
    handler_entry: `${tool.module_path}#${tool.export_name}`,
    input,
    scope_enforced,
    receipt_id,
    task_id,
    run_id,
    session_id,
    lane_id,
    ...(principal && {principal}),
    workspace_root: sources.workspaceRoot,
    config: tool.pack.config ?? null,
    env,
    deadline: sources.deadline,
  };
  return {invocation};
}

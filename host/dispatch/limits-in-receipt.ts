// Reports in a call's receipt which limits applied, what set them, and how to raise the one that the call exceeded.
import type {ResolvedLimits} from '@lumenflow/sandbox';
import type {Enforcement, ToolOutput} from '@lumenflow/schemas';

/** Without enforcement, no limit applied. */
export function withLimits(enforcement: Enforcement, {limits, from}: ResolvedLimits): Enforcement {
  if (enforcement.tier === 'none' || enforcement.tier === 'dev') return enforcement;
  return {...enforcement, limits, ...(Object.keys(from).length > 0 && {limits_from: from})};
}

/** An error that names a limit reports what set it and where to raise it. */
export function withLimitSource(output: ToolOutput, {limits, from}: ResolvedLimits): ToolOutput {
  if (output.success) return output;
  const {error} = output;
  const limit = error.details?.['limit'];
  if (error.code !== 'LIMIT_EXCEEDED' || typeof limit !== 'string' || !(limit in limits)) return output;
  const source = from[limit] ?? 'default';
  const message = `${error.message}. ${remedies[source](limit)}`;
  return {...output, error: {...error, message, details: {...error.details, limit_from: source}}};
}

const remedies: Readonly<Record<'tool' | 'workspace' | 'default', (limit: string) => string>> = {
  tool: (limit) => `To raise it, change \`limits.${limit}\` in the tool's manifest`,
  workspace: (limit) => `To raise it, change \`security.sandbox.limits.${limit}\` in workspace.yaml`,
  default: (limit) =>
    `This is the default: to raise it, set \`limits.${limit}\` in the tool's manifest or \`security.sandbox.limits.${limit}\` in workspace.yaml`,
};

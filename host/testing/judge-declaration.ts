// Judges a tool's declaration: missing parts, and permissions that its examples did not use.
import type {ToolDeclaration} from '@lumenflow/schemas';

export function judgeDeclaration({description, input_schema, output_schema}: ToolDeclaration): readonly string[] {
  const findings: string[] = [];
  if (description.trim().split(/\s+/u).length < 2) {
    findings.push('its description is one word: say what the tool does, so that an agent knows when to use it');
  }
  if (input_schema === undefined) findings.push('it has no input_schema: the handler receives any input unchecked');
  if (output_schema === undefined) findings.push('it has no output_schema: agents cannot rely on its output');
  return findings;
}

export interface ExamplesShow {
  /** Whether there were any examples. */
  readonly ran: boolean;
  /** Paths that they changed. */
  readonly wrote: readonly string[];
}

export function judgeScopes(
  {permission, required_scopes = []}: ToolDeclaration,
  examples: ExamplesShow,
): readonly string[] {
  const asksToWrite = required_scopes.some((scope) => scope.type === 'path' && scope.access === 'write');
  const findings: string[] = [];
  if (asksToWrite && permission === 'read') {
    findings.push('its permission is `read`, and it has a write scope: remove the scope, or set `permission: write`');
  } else if (asksToWrite && examples.ran && examples.wrote.length === 0) {
    findings.push('it has a write scope, and no example changes a file: remove the scope, or add an example that does');
  }
  if (required_scopes.some((scope) => scope.type === 'network' && scope.posture === 'full')) {
    findings.push('it requests full network access: list the hosts that it needs under `allowlist_entries`');
  }
  return findings;
}

// Explains a handler's error that a missing grant caused: inside the sandbox, a file outside of the grant does not exist, and a host
// outside of the grant cannot be reached.
import type {DispatchRequest} from '@lumenflow/kernel';
import type {ToolFailure, ToolOutput} from '@lumenflow/schemas';
import {isAbsolute, relative, resolve, sep} from 'node:path';

/** System codes, and what programs print instead of them: fetch, curl, git and Python. */
const unreachable =
  /\b(?:ENETUNREACH|EHOSTUNREACH|ENETDOWN|ENOTFOUND|EAI_AGAIN|ECONNREFUSED)\b|fetch failed|could not resolve host|network is unreachable|name or service not known|name resolution/iu;
const networkHelp =
  'add `{type: network, posture: allowlist, allowlist_entries: ["HOST:PORT"]}` to `required_scopes` of the tool, and allow it in its lane and in `security.allowed_scopes`';

/** What the filter of system calls answers to a Unix socket: tsx opens one when it starts. */
const unixSocket = /\bEAFNOSUPPORT\b/u;

const explainable: ReadonlySet<string> = new Set(['TOOL_EXECUTION_FAILED', 'UPSTREAM_FAILED', 'CLI_FAILED']);

export function explainNotGranted(
  output: ToolOutput,
  request: Pick<DispatchRequest, 'grant' | 'scope_enforced'>,
  workspaceRoot: string,
): ToolOutput {
  const {error} = output;
  if (error === undefined || !explainable.has(error.code)) return output;
  const found = pathRefusal(error, request, workspaceRoot) ?? socketRefusal(error) ?? networkRefusal(error, request);
  if (found === undefined) return output;
  const {message, ...details} = found;
  return {
    success: false,
    error: {...error, message: `${error.message} (${message})`, details: {...error.details, ...details}},
    ...(output.metadata && {metadata: output.metadata}),
  };
}

interface Explanation extends Record<string, unknown> {
  readonly message: string;
}

function pathRefusal(
  {details}: ToolFailure,
  {grant}: Pick<DispatchRequest, 'grant'>,
  workspaceRoot: string,
): Explanation | undefined {
  const {code, path} = (details?.['system_error'] ?? {}) as {readonly code?: unknown; readonly path?: unknown};
  if (typeof path !== 'string') return undefined;
  const inside = relative(workspaceRoot, resolve(workspaceRoot, path)).split(sep).join('/');
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside)) return undefined;
  const refusal = grant.whyNot(inside, 'read') ?? (code === 'ENOENT' ? undefined : grant.whyNot(inside, 'write'));
  if (refusal === undefined) return undefined;
  const {message, help, layer, where} = refusal;
  return {message, remedy: help, ...(layer !== undefined && {layer}), ...(where !== undefined && {where})};
}

function socketRefusal(error: ToolFailure): Explanation | undefined {
  if (!unixSocket.test(textOf(error))) return undefined;
  return {
    message: 'the sandbox has no Unix sockets',
    remedy: 'run a program that needs none: for example, compile TypeScript beforehand instead of starting `tsx`',
  };
}

/** What the handler or its program said. */
function textOf({message, details}: ToolFailure): string {
  const said = [message, details?.['stack'], details?.['stderr']];
  return said.filter((text) => typeof text === 'string').join('\n');
}

function networkRefusal(
  error: ToolFailure,
  {scope_enforced}: Pick<DispatchRequest, 'scope_enforced'>,
): Explanation | undefined {
  const {posture, allowlist_entries: entries} = scope_enforced.network;
  if (posture === 'full' || !unreachable.test(textOf(error))) return undefined;
  const granted = posture === 'off' ? 'this tool has no network' : `this tool reaches only ${entries.join(', ')}`;
  return {message: granted, network: granted, remedy: networkHelp};
}

// What was refused in a recorded call, at any stage. It comes from the record alone, so it works for records of any age.
import type {Enforcement} from '@lumenflow/schemas';

/**
 * policy: a rule. approval: a person has not answered. scope: before the call ran. path: a file, by the host. network: a connection
 * or lookup. system: by the operating system, as the handler reported. call: anything else.
 */
export type RefusedBy = 'policy' | 'approval' | 'scope' | 'path' | 'network' | 'system' | 'call';

export interface RefusedThing {
  readonly by: RefusedBy;
  /** One line for people. */
  readonly what: string;
}

interface CallEnd {
  readonly result: string;
  readonly error_code?: string;
  readonly error_message?: string;
  readonly enforcement?: Pick<Enforcement, 'denials' | 'connections'>;
}

/** Of requests that were wrong, and not forbidden: recorded as `denied`, since nothing ran. */
const mistakes: ReadonlySet<string> = new Set(['INVALID_INPUT', 'LIMIT_EXCEEDED', 'TOOL_NOT_FOUND']);
const ofDenied: Readonly<Record<string, RefusedBy>> = {
  POLICY_DENIED: 'policy',
  APPROVAL_REQUIRED: 'approval',
  SCOPE_DENIED: 'scope',
};
const pathCodes: ReadonlySet<string> = new Set(['SCOPE_DENIED', 'INVALID_PATH']);

/** Empty for a call that nothing was refused, and for one that is under way. */
export function refusalsOf(finished: CallEnd | undefined): readonly RefusedThing[] {
  if (finished === undefined) return [];
  const {enforcement = {}} = finished;
  const noted = (enforcement.denials ?? []).map((what): RefusedThing => ({by: placeOf(what), what}));
  const unconnected = (enforcement.connections ?? [])
    .filter(({allowed, destination}) => !allowed && !noted.some(({what}) => what.includes(destination)))
    .map(({destination}): RefusedThing => ({by: 'network', what: `connection to ${destination}`}));
  return [...refusedCall(finished, noted), ...noted, ...unconnected];
}

function refusedCall(finished: CallEnd, noted: readonly RefusedThing[]): readonly RefusedThing[] {
  const {result, error_code: code = '', error_message: message = ''} = finished;
  const what = `${code}: ${message}`;
  if (result === 'denied') return mistakes.has(code) ? [] : [{by: ofDenied[code] ?? 'call', what}];
  const isNoted = noted.some(({by}) => by === 'path');
  return result === 'failure' && pathCodes.has(code) && !isNoted ? [{by: 'path', what}] : [];
}

/** By the first word, which the host has written. */
function placeOf(denial: string): RefusedBy {
  if (denial.startsWith('system ')) return 'system';
  return /^(?:file|fs_\w+|state_\w+)[: ]/.test(denial) ? 'path' : 'network';
}

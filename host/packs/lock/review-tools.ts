// Compares a pack's tools with the approved ones. A rule of the pack's layer denies new and changed tools until a person
// approves them, so an update cannot silently change what agents read.
import type {Problem} from '@lumenflow/kernel';
import {describesItself, type LocatedRule} from '@lumenflow/kernel/adapters';
import type {LockedPack, PackPin, PackSecurity, ToolTerms} from '@lumenflow/schemas';
import {entriesOf, type ReadLock} from './packs-lock.ts';
import {digestOf} from './tool-terms.ts';

export type TermName = keyof ToolTerms;

export interface ToolChange {
  readonly tool: string;
  readonly kind: 'added' | 'changed' | 'removed';
  /** Which terms differ. */
  readonly terms: readonly TermName[];
  readonly approved?: ToolTerms;
  readonly found?: ToolTerms;
}

export interface ToolReview {
  readonly changes: readonly ToolChange[];
  /** Whether new or changed tools need approval; otherwise they only cause warnings. */
  readonly isEnforced: boolean;
}

export interface ReviewRequest {
  readonly pin: PackPin;
  readonly terms: ReadonlyMap<string, ToolTerms>;
  readonly lock: ReadLock;
  readonly security: PackSecurity | undefined;
}

/**
 * A pack that is not in the lock is trusted on first use only if its hash is pinned, because the pin's author chose these bytes.
 * Tools of a dev pack need approval only if the workspace sets `approve_dev`.
 */
export function reviewTools({pin, terms, lock, security}: ReviewRequest): ToolReview {
  const isEnforced = pin.integrity !== 'dev' || describesItself(pin) || security?.approve_dev === true;
  const locked = lock.packs.get(pin.id);
  const isFirstUse = locked === undefined && (pin.integrity !== 'dev' || !isEnforced);
  return {isEnforced, changes: isFirstUse ? [] : changesSince(locked, terms)};
}

export function changesSince(
  locked: Pick<LockedPack, 'tools'> | undefined,
  terms: ReadonlyMap<string, ToolTerms>,
): readonly ToolChange[] {
  const approved = new Map(entriesOf(locked?.tools ?? {}));
  const removed = [...approved.keys()].filter((tool) => !terms.has(tool));
  return [
    ...[...terms].flatMap(([tool, found]): readonly ToolChange[] => {
      const before = approved.get(tool);
      if (before === undefined) return [{tool, kind: 'added', terms: namesOf(found), found}];
      if (before.digest === digestOf(found)) return [];
      return [{tool, kind: 'changed', terms: differing(before.terms, found), approved: before.terms, found}];
    }),
    ...removed.map((tool): ToolChange => {
      const terms = approved.get(tool)?.terms;
      return {tool, kind: 'removed', terms: [], ...(terms && {approved: terms})};
    }),
  ];
}

/** Rules that deny unapproved tools. */
export function refusalsOf({changes, isEnforced}: ToolReview, {pin, lock}: ReviewRequest): readonly LocatedRule[] {
  if (!isEnforced) return [];
  return changes
    .filter(({kind}) => kind !== 'removed')
    .map((change) => ({
      rule: {
        id: `not-approved:${change.tool}`,
        trigger: 'on_tool_request',
        decision: 'deny',
        reason: `${saidOf(change)}: \`lumenflow pack approve ${pin.id}\` shows and approves it`,
        when: {tool: change.tool},
      },
      where: lock.locate(`/packs/${pin.id}/tools/${change.tool}`),
    }));
}

/** A warning at the declaration of each tool that differs from its approved terms, and one for all new tools. */
export function reviewProblems(
  {changes, isEnforced}: ToolReview,
  pin: PackPin,
  whereOf: (tool: string) => string,
): readonly Problem[] {
  const added = changes.filter(({kind}) => kind === 'added');
  const [first, second] = added;
  const several =
    first && second
      ? [{tool: first.tool, message: `${added.length} tools are new and were not approved, such as \`${first.tool}\``}]
      : [];
  const single = changes
    .filter(({kind}) => kind === 'changed' || (kind === 'added' && several.length === 0))
    .map((change) => ({tool: change.tool, message: `the tool \`${change.tool}\` ${saidOf(change)}`}));
  return [...several, ...single].map(({tool, message}) => ({
    code: isEnforced ? 'PACK_TOOL_NOT_APPROVED' : 'PACK_TOOL_CHANGED',
    severity: 'warning',
    message: `${message}${isEnforced ? ': calls are denied' : ''}`,
    where: whereOf(tool),
    help: `review and approve with \`lumenflow pack approve ${pin.id}\``,
  }));
}

function saidOf({kind, terms}: ToolChange): string {
  if (kind === 'added') return 'is new and was not approved';
  return `changed since it was approved (${terms.join(', ')})`;
}

function namesOf(terms: ToolTerms): readonly TermName[] {
  return Object.keys(terms) as TermName[];
}

function differing(approved: ToolTerms, found: ToolTerms): readonly TermName[] {
  const names = [...new Set([...namesOf(approved), ...namesOf(found)])];
  return names.filter(
    (name) =>
      digestOf({...found, [name]: approved[name] ?? null}) !== digestOf({...found, [name]: found[name] ?? null}),
  );
}

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

/** One warning, at the first declaration, for all tools that are new, and one for all that differ in the same terms. */
export function reviewProblems(
  {changes, isEnforced}: ToolReview,
  pin: PackPin,
  whereOf: (tool: string) => string,
): readonly Problem[] {
  const alike = new Map<string, ToolChange[]>();
  for (const change of changes) {
    if (change.kind === 'removed') continue;
    const said = saidOf(change);
    alike.set(said, [...(alike.get(said) ?? []), change]);
  }
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    return {
      code: isEnforced ? 'PACK_TOOL_NOT_APPROVED' : 'PACK_TOOL_CHANGED',
      severity: 'warning',
      message: `${saidOfAll(first, others.length)}${isEnforced ? ': calls are denied' : ''}`,
      where: whereOf(first.tool),
      help: `review and approve with \`lumenflow pack approve ${pin.id}\``,
    };
  });
}

function saidOfAll(change: ToolChange, others: number): string {
  if (others === 0) return `the tool \`${change.tool}\` ${saidOf(change)}`;
  const said = saidOf(change).replace(/^is new and was not/u, 'are new and were not');
  return `${others + 1} tools ${said.replace('since it was', 'since they were')}, such as \`${change.tool}\``;
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

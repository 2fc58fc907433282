// Delegates work and withdraws delegations.
import {ToolError} from '@lumenflow/pack-sdk';
import type {EventStamp} from '../events/delivery-event.ts';
import type {Decision} from '../events/delivery-log.ts';
import type {DelegationEvent, DelegationRecorded} from './delegation-events.ts';
import {openDelegation, type Delegation, type Delegations} from './delegation-slice.ts';

export type DelegationWords = Pick<DelegationRecorded, 'wu' | 'to' | 'note' | 'initiative' | 'prompt_hash'>;

export interface Delegated {
  readonly delegation: Delegation;
  /** False if nothing changed. */
  readonly changed: boolean;
}

/** Delegating to the same assignee again changes nothing. Throws ToolError ALREADY_DELEGATED. */
export function delegate(
  state: Delegations,
  words: DelegationWords,
  stamp: EventStamp,
): Decision<DelegationEvent, Delegated> {
  const current = currentOf(state, words.wu);
  if (current?.to === words.to) return {events: [], result: {delegation: current, changed: false}};
  if (current !== undefined) {
    const {delegation, to} = current;
    const message = `\`${words.wu}\` is delegated to \`${to}\` by \`${delegation}\`: withdraw that delegation first`;
    throw new ToolError('ALREADY_DELEGATED', message, {wu: words.wu, delegation, to});
  }
  const event = recorded(words, nextId(state, 0), stamp);
  return {events: [event], result: {delegation: openDelegation(event), changed: true}};
}

/** Delegates those of the work units that have no assignee. */
export function delegateFree(
  state: Delegations,
  wus: readonly string[],
  {stamp, ...words}: Omit<DelegationWords, 'wu'> & {readonly stamp: EventStamp},
): Decision<DelegationEvent, readonly Delegation[]> {
  const free = wus.filter((wu) => currentOf(state, wu) === undefined);
  const events = free.map((wu, index) => recorded({wu, ...words}, nextId(state, index), stamp));
  return {events, result: events.map(openDelegation)};
}

/** Throws ToolError DELEGATION_NOT_FOUND and DELEGATION_OVER. */
export function withdraw(
  {delegations}: Delegations,
  {delegation: id, reason}: {readonly delegation: string; readonly reason: string},
  stamp: EventStamp,
): Decision<DelegationEvent, Delegated> {
  const found = Object.hasOwn(delegations, id) ? delegations[id] : undefined;
  if (found === undefined) {
    const message = `there is no delegation \`${id}\`: run \`delegation:list\` to see all delegations`;
    throw new ToolError('DELEGATION_NOT_FOUND', message, {delegation: id});
  }
  if (found.state === 'done' || found.state === 'withdrawn') {
    const message = `\`${id}\` is closed: it is ${found.state} since ${found.since}`;
    throw new ToolError('DELEGATION_OVER', message, {delegation: id, state: found.state});
  }
  return {
    events: [{type: 'delegation_withdrawn', ...stamp, delegation: id, reason}],
    result: {delegation: {...found, state: 'withdrawn', since: stamp.at, reason}, changed: true},
  };
}

/** The current delegation of a work unit. */
export function currentOf({delegations, current}: Delegations, wu: string): Delegation | undefined {
  const id = current[wu];
  return id === undefined ? undefined : delegations[id];
}

function nextId({delegations}: Delegations, before: number): string {
  return `DEL-${Object.keys(delegations).length + before + 1}`;
}

function recorded(words: DelegationWords, delegation: string, stamp: EventStamp): DelegationRecorded {
  return {type: 'delegation_recorded', ...stamp, delegation, ...words};
}

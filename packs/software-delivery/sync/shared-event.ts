// Events that clones share. A shared event names the clone that wrote it. What another clone sends is checked like any input.
import {createSpecReader} from '../work-units/spec-reader.ts';
import {writeSpec} from '../work-units/write-spec.ts';
import type {DeliveryEvent} from '../events/delivery-event.ts';
import {parseEvent} from '../events/parse-event.ts';
import type {WuEvent} from '../work-units/wu-event.ts';

export interface SharedEvent extends DeliveryEvent {
  /** The work unit. */
  readonly id: string;
  /** The clone whose log received it first. */
  readonly origin: string;
}

/** These happen in one clone only. */
const local: readonly string[] = ['wu_briefed', 'wu_started'];

export function isShared(event: DeliveryEvent): event is DeliveryEvent & {readonly id: string} {
  return event.type.startsWith('wu_') && !local.includes(event.type);
}

/** What one session does with a lease. Two clones cannot both do it. */
export function isOfLease({type}: DeliveryEvent): boolean {
  return leaseTypes.has(type);
}

const leaseTypes: ReadonlySet<string> = new Set<WuEvent['type']>([
  'wu_claimed',
  'wu_renewed',
  'wu_blocked',
  'wu_unblocked',
  'wu_released',
  'wu_completed',
  'wu_review_opened',
]);

const idPattern = /^[A-Z][A-Z0-9]{0,9}-[1-9]\d{0,8}$/u;

/** Undefined for a line that is not a valid shared event. */
export function readShared(line: string): SharedEvent | undefined {
  const event = parseOrSkip(line);
  if (event === undefined || !isShared(event)) return undefined;
  const {id, origin, at, spec, token} = event as {
    readonly [Key in 'id' | 'origin' | 'at' | 'spec' | 'token']?: unknown;
  };
  const isSound =
    typeof id === 'string' &&
    idPattern.test(id) &&
    typeof origin === 'string' &&
    !Number.isNaN(Date.parse(String(at))) &&
    (token === undefined || Number.isSafeInteger(token)) &&
    (spec === undefined || isSpecOf(spec, id));
  return isSound ? (event as unknown as SharedEvent) : undefined;
}

function isSpecOf(spec: unknown, id: string): boolean {
  if (typeof spec !== 'object' || spec === null) return false;
  const {problems} = createSpecReader().read(writeSpec(spec as Parameters<typeof writeSpec>[0]), 'spec');
  return problems.length === 0 && (spec as {readonly id?: unknown}).id === id;
}

function parseOrSkip(line: string): DeliveryEvent | undefined {
  try {
    return parseEvent(line);
  } catch {
    // A line of a later version, or of somebody who may push: it is left out, and counted.
    return undefined;
  }
}

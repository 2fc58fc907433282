// Parses a line of the log. An invalid line means that something else wrote to the log, so no decision may build on it.
import {ToolError} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from './delivery-event.ts';

/** Throws ToolError LOG_DAMAGED. */
export function parseEvent(line: string): DeliveryEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw damaged(line);
  }
  if (isEvent(value)) return value;
  throw damaged(line);
}

function isEvent(value: unknown): value is DeliveryEvent {
  if (typeof value !== 'object' || value === null) return false;
  const {type, at, by} = value as Partial<Record<keyof DeliveryEvent, unknown>>;
  return typeof type === 'string' && typeof at === 'string' && typeof by === 'string';
}

function damaged(line: string): ToolError {
  const shown = line.length > 80 ? `${line.slice(0, 80)}…` : line;
  return new ToolError('LOG_DAMAGED', `the delivery log contains a line that is not an event: \`${shown}\``);
}

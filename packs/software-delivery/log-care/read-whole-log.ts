// The whole log, line by line, the damaged lines told apart: what reads it for its own sake goes on where others stop.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {DeliveryEvent} from '../events/delivery-event.ts';
import {parseEvent} from '../events/parse-event.ts';

export interface LoggedEvent {
  readonly event: DeliveryEvent;
  /** Bytes of the log up to the end of its line. */
  readonly end: number;
  /** From 1. */
  readonly line: number;
}

export interface WholeLog {
  readonly events: readonly LoggedEvent[];
  /** Numbers of lines that are no events. */
  readonly damaged: readonly number[];
  /** Bytes of whole lines. */
  readonly size: number;
}

export async function readWholeLog(context: Pick<ToolContext, 'state'>): Promise<WholeLog> {
  const {lines, size} = await context.state('events').lines();
  const events: LoggedEvent[] = [];
  const damaged: number[] = [];
  let end = 0;
  for (const [index, text] of lines.entries()) {
    end += Buffer.byteLength(text) + 1;
    const line = index + 1;
    const event = tryParse(text);
    if (event === undefined) damaged.push(line);
    else events.push({event, end, line});
  }
  return {events, damaged, size};
}

function tryParse(text: string): DeliveryEvent | undefined {
  try {
    return parseEvent(text);
  } catch {
    // The caller tells which lines these are.
    return undefined;
  }
}

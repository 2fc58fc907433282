// Reads the whole log line by line and reports damaged lines. Unlike other readers, it continues after them.
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
  /** Numbers of lines that are not events. */
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
    // The caller reports these lines.
    return undefined;
  }
}

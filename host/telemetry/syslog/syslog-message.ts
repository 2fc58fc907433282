// A message of RFC 5424, with a call's event as JSON.
import type {CallEvent} from '../calls/call-event.ts';

export interface SyslogSource {
  readonly host: string;
  readonly processId: number;
}

/** Log audit, in RFC 5424. */
const facility = 13;
/** By the severity of the event: informational, warning, error. */
const severities: Readonly<Record<number, number>> = {1: 6, 2: 4, 3: 3};

export function syslogMessage(event: CallEvent, {host, processId}: SyslogSource): Buffer {
  const priority = facility * 8 + (severities[event.severity_id] ?? 6);
  const time = new Date(event.time).toISOString();
  const header = `<${priority}>1 ${time} ${nameOf(host)} lumenflow ${processId} CALL -`;
  // JSON escapes control characters, so that no text can end the message. The mark says that the text is UTF-8.
  return Buffer.from(`${header} \uFEFF${JSON.stringify(event)}`);
}

/** Of printable ASCII, at most 255 characters. */
function nameOf(host: string): string {
  const name = host.replaceAll(/[^!-~]/gu, '').slice(0, 255);
  return name === '' ? '-' : name;
}

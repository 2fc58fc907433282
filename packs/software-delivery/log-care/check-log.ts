// Whether the lines of the log are events, in the order in which they became true.
import type {Finding} from './finding.ts';
import type {WholeLog} from './read-whole-log.ts';

/** Clocks of machines differ by so much. */
const clockSkewMs = 60_000;

export function checkLog({events, damaged}: WholeLog): readonly Finding[] {
  const findings: Finding[] = damaged.map((line) => ({
    code: 'LOG_LINE_DAMAGED',
    severity: 'error',
    subject: `line ${line}`,
    message: 'it is no event, so nothing that reads the log can go on',
    fix: 'stop all hosts and put back the log from a backup, or take the line out by hand',
  }));
  let latest = 0;
  for (const {event, line} of events) {
    const at = Date.parse(event.at);
    if (at < latest - clockSkewMs) {
      findings.push({
        code: 'LOG_TIME_BACKWARDS',
        severity: 'warning',
        subject: `line ${line}`,
        message: `\`${event.type}\` is ${Math.round((latest - at) / 1000)} seconds older than what stands before it`,
        fix: 'set the clock of the machine that wrote it: figures of flow count with these times',
      });
    }
    latest = Math.max(latest, at);
  }
  return findings;
}

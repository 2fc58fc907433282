// Checks that the lines of the log are events in order of time.
import type {DoctorFinding} from './doctor-finding.ts';
import type {WholeLog} from './read-whole-log.ts';

/** Tolerance for differences between the clocks of machines. */
const clockSkewMs = 60_000;

export function checkLog({events, damaged}: WholeLog): readonly DoctorFinding[] {
  const findings: DoctorFinding[] = damaged.map((line) => ({
    area: 'log',
    code: 'LOG_LINE_DAMAGED',
    severity: 'error',
    subject: `line ${line}`,
    message: 'it is not an event, so the log cannot be read',
    fix: 'stop all hosts and restore the log from a backup, or remove the line by hand',
    fixable: false,
  }));
  let latest = 0;
  for (const {event, line} of events) {
    const at = Date.parse(event.at);
    if (at < latest - clockSkewMs) {
      findings.push({
        area: 'log',
        code: 'LOG_TIME_BACKWARDS',
        severity: 'warning',
        subject: `line ${line}`,
        message: `\`${event.type}\` is ${Math.round((latest - at) / 1000)} seconds older than the line before it`,
        fix: 'correct the clock of the machine that wrote it: flow figures use these times',
        fixable: false,
      });
    }
    latest = Math.max(latest, at);
  }
  return findings;
}

// What verification reports of a salvage, for as long as the log exists.
import type {EvidenceSalvaged} from '@lumenflow/schemas';
import type {VerifyFinding} from './verify-finding.ts';

export function salvageFinding(event: EvidenceSalvaged): VerifyFinding {
  const {log, kept_lines: kept, known_lines: known, timestamp, actor, reason, id} = event;
  const name = log === 'traces' ? 'records' : 'events';
  const cut = known > kept ? `, of at least ${known}` : '';
  const text = `the ${name} were salvaged at ${timestamp} by ${actor}: they continued after line ${kept}${cut}, and the rest is in \`salvaged/${id}\`; reason: ${reason}`;
  return {status: 'truncated', text};
}

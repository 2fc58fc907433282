// Checks what workers attested of the calls that they ran, against the keys that workspace.yaml lists.
import {attestationText, decodeBase64} from '@lumenflow/kernel/adapters';
import type {Attestation, RemoteOptions, ToolCallFinished} from '@lumenflow/schemas';
import {parseVerifierKey} from '../signed-log/note-key.ts';
import {attestedBackends} from './attesting-workers.ts';
import type {VerifyFinding} from './verify-finding.ts';
import type {LineAt} from './verify-log.ts';

export class AttestationCheck {
  readonly #keys: RemoteOptions;
  readonly #findings: VerifyFinding[];

  constructor(keys: RemoteOptions | undefined, findings: VerifyFinding[]) {
    this.#keys = keys ?? {workers: []};
    this.#findings = findings;
  }

  check(record: ToolCallFinished, at: LineAt): void {
    const fault = this.#faultOf(record);
    if (fault === undefined) return;
    this.#findings.push({status: 'unattested', text: `${at.where()}: the call \`${record.receipt_id}\` ${fault}`});
  }

  #faultOf(record: ToolCallFinished): string | undefined {
    const {receipt_id, timestamp, enforcement} = record;
    const attestation = enforcement?.attestation;
    if (attestation === undefined) {
      return mustBeAttested(record) ? 'ran on a worker, and no attestation says what the worker enforced' : undefined;
    }
    const {call} = attestation;
    if (call.receipt_id !== receipt_id) return `has the attestation of another call, \`${call.receipt_id}\``;
    if (call.tier !== enforcement?.tier) {
      return `is recorded with the tier ${enforcement?.tier}, and its worker attested ${call.tier}`;
    }
    return this.#keyFaultOf(attestation, timestamp);
  }

  #keyFaultOf(attestation: Attestation, timestamp: string): string | undefined {
    const {worker, key: id} = attestation.call;
    const isOfKey = ({key}: {readonly key: string}): boolean => key.startsWith(`${id}+`);
    const former = this.#keys.former_keys?.find(isOfKey);
    const found = this.#keys.workers.find(isOfKey) ?? former;
    if (found === undefined) {
      return `is attested by the key \`${id}\` of ${worker}, which is not a key of a worker in workspace.yaml`;
    }
    if (found === former && timestamp > former.until) {
      return `is attested by the key \`${id}\` of ${worker}, which was valid until ${former.until}, and ended at ${timestamp}`;
    }
    return isSigned(attestation, found.key)
      ? undefined
      : `has an attestation that differs from what \`${id}\` of ${worker} signed`;
  }
}

/** Of calls that ended without a result from their worker. */
const withoutResult: readonly (string | undefined)[] = ['TOOL_CRASHED', 'TOOL_TIMEOUT', 'TOOL_CANCELLED'];

/** A call that was refused, or lost with its worker, has no one to attest it. */
function mustBeAttested({enforcement, result, error_code}: ToolCallFinished): boolean {
  const hasResult = result === 'success' || (result === 'failure' && !withoutResult.includes(error_code));
  return (
    enforcement !== undefined && attestedBackends.has(enforcement.backend) && enforcement.tier !== 'none' && hasResult
  );
}

function isSigned({call, signature}: Attestation, key: string): boolean {
  const bytes = decodeBase64(signature);
  return bytes !== undefined && parseVerifierKey(key)?.verify(attestationText(call), bytes) === true;
}

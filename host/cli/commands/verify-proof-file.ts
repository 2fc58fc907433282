// `lumenflow evidence verify --proof`: verifies the proof of one call from its file alone, without a workspace.
import type {ProofVerdict} from '@lumenflow/kernel/adapters';
import {missingCosigners, verifyEvidenceProof, type RequiredWitnesses} from '@lumenflow/kernel/node';
import type {EvidenceProof} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {CliContext, Outcome} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';

interface ProofRequest {
  readonly proof: string;
  /** Trusted verifier keys. The proof is valid if it verifies with one of them. */
  readonly keys: readonly string[];
  /** Whose cosignatures the proof must have; default none's. */
  readonly witnesses?: RequiredWitnesses | undefined;
}

/** Uses the exit codes of `evidence verify`: 0 verified, 2 tampered, 4 no key is known, 8 too few witnesses cosigned it. */
export async function verifyProofFile(context: CliContext, {proof, keys, witnesses}: ProofRequest): Promise<Outcome> {
  const given = parseOrUndefined(await readFile(resolve(context.cwd, proof), 'utf8'));
  const verdicts =
    keys.length === 0 ? [verifyEvidenceProof(given)] : keys.map((key) => verifyEvidenceProof(given, key));
  const [first] = verdicts;
  const verdict = verdicts.find(({valid}) => valid) ?? first;
  if (!verdict) throw new Error('a proof was checked under no key');
  const text = (): string => render(verdict, context.style);
  const data = {verdict};
  if (!verdict.valid) {
    return {data, text, failure: {code: 'EVIDENCE_TAMPERED', message: verdict.reason}, exitCode: 2};
  }
  if (verdict.trusted) {
    const missing = witnesses && missingCosigners(checkpointOf(given), witnesses);
    if (missing === undefined) return {data, text};
    const message = `too few witnesses cosigned the proof: ${missing}`;
    return {data, failure: {code: 'EVIDENCE_UNWITNESSED', message}, exitCode: 8};
  }
  return {data, text, failure: {code: 'EVIDENCE_UNSIGNED_TAIL', message: untrusted}, exitCode: 4};
}

const untrusted = 'the proof is consistent, but its signing key is unknown: name the key of the log with --key';

/** Of a valid proof. */
function checkpointOf(proof: unknown): string {
  return (proof as EvidenceProof).checkpoint;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Text that is not JSON is reported as an invalid proof.
    return undefined;
  }
}

function render(verdict: ProofVerdict, style: Style): string {
  if (!verdict.valid) {
    return `${style.bad('✘ not verified')}\n${renderFields([['why', cleanText(verdict.reason)]], style, 2)}`;
  }
  const {records, size, verifier_key, trusted} = verdict;
  const [started] = records;
  const finished = records.find((record) => record.type === 'tool_call_finished');
  const head = trusted ? style.good('✔ verified: the signed log contains the call') : style.warning(`● ${untrusted}`);
  return [
    wrapText(head, style.width),
    renderFields(
      [
        ['receipt', started && cleanText(started.receipt_id)],
        ['tool', started?.type === 'tool_call_started' ? cleanText(started.tool_name) : undefined],
        ['by', started?.type === 'tool_call_started' ? cleanText(started.by ?? '') || undefined : undefined],
        ['when', started?.timestamp],
        ['result', finished?.result ?? 'open when the proof was written'],
        ['records', `${records.map(({seq}) => seq).join(', ')} of ${size}`],
        ['key', cleanText(verifier_key)],
      ],
      style,
      2,
    ),
  ].join('\n');
}

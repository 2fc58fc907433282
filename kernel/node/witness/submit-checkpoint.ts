// Submits the newest checkpoint of a log to one witness, and stores the cosignature. The witness answers with the size that it cosigned
// last if another process, or a lost answer, made that known size wrong.
import {cutText} from '@lumenflow/kernel';
import {formatWitnessRequest} from '@lumenflow/kernel/adapters';
import type {LogHead} from '../signed-log/log-witnesses.ts';
import type {CosignedNotes} from './cosigned-notes.ts';
import type {WitnessResponse} from './post-to-witness.ts';
import type {WitnessVerifier} from './witness-key.ts';
import type {WitnessProblemKind} from './witness-reports.ts';

export interface Submission {
  readonly witness: WitnessVerifier;
  readonly cosigned: CosignedNotes;
  /** Undefined if nothing is signed. `rebuild`: hashes of the tree are computed again, from the log. */
  readonly head: (from: number, rebuild: boolean) => Promise<LogHead | undefined>;
  /** Rejects if there is no answer. */
  readonly post: (body: string) => Promise<WitnessResponse>;
}

export type SubmissionResult =
  | {readonly ok: true; readonly size: number}
  | {readonly ok: false; readonly kind: WitnessProblemKind; readonly message: string};

/** Several processes can submit at once, each of which makes the others' size wrong. */
const attemptsMax = 5;

/** Rejects if the witness does not answer, or the log cannot be read. */
export async function submitCheckpoint({witness, cosigned, head, post}: Submission): Promise<SubmissionResult> {
  let from = cosigned.newest(witness.id);
  let isRebuilt = false;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const newest = await head(from, false);
    if (newest === undefined) return {ok: true, size: 0};
    const {size, note, path} = newest;
    if (cosigned.has(size, witness.id, note)) return {ok: true, size};
    if (path === undefined) return rolledBack(from, size);
    const answer = await post(formatWitnessRequest({oldSize: from, path, note}));
    const known = sizeIn(answer);
    if (answer.status === 200) return await keep({witness, cosigned}, newest, answer.body);
    if (known !== undefined && known !== from) from = known;
    else if (answer.status !== 409 && answer.status !== 422) return rejected(answer);
    else if (isRebuilt) return rewritten(from, size);
    else {
      // A damaged hash on disk makes a wrong proof, too.
      await head(from, true);
      isRebuilt = true;
    }
  }
  return {
    ok: false,
    kind: 'unreachable',
    message: `it cosigned other checkpoints ${attemptsMax} times in the meantime`,
  };
}

async function keep(
  {witness, cosigned}: Pick<Submission, 'witness' | 'cosigned'>,
  {note, size}: LogHead,
  lines: string,
): Promise<SubmissionResult> {
  const complete = `${note}${lines}`;
  const own = witness.cosignatureIn(complete);
  if (own === undefined) {
    return {ok: false, kind: 'rejected', message: `its answer contains no cosignature by ${witness.verifierKey}`};
  }
  await cosigned.keep(size, witness.id, `${note}${own.line}`);
  return {ok: true, size};
}

/** The size that the witness cosigned last, if it says so. */
function sizeIn({status, contentType, body}: WitnessResponse): number | undefined {
  if (status !== 409 || contentType !== 'text/x.tlog.size') return undefined;
  const [, size] = /^(0|[1-9][0-9]{0,14})\n$/u.exec(body) ?? [];
  return size === undefined ? undefined : Number(size);
}

function rolledBack(known: number, size: number): SubmissionResult {
  const message = `it cosigned ${known} lines, and the newest checkpoint covers ${size}: the log was cut or rolled back`;
  return {ok: false, kind: 'rolled_back', message};
}

function rewritten(from: number, size: number): SubmissionResult {
  const message = `it cosigned other first ${from} lines than those that the checkpoint over ${size} continues: the log was rewritten`;
  return {ok: false, kind: 'rewritten', message};
}

function rejected({status, body}: WitnessResponse): SubmissionResult {
  const [reason = ''] = body.split('\n');
  const kind = status === 403 || status === 404 || status === 400 ? 'rejected' : 'unreachable';
  return {ok: false, kind, message: `it answers ${status}${reason === '' ? '' : `: ${cutText(reason, 200)}`}`};
}

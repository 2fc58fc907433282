// `lumenflow evidence prove`: writes a proof of one call, which verifies without the workspace.
import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {Command} from '../command.ts';
import {commandLine} from '../rendering/command-line.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {renderNext} from '../rendering/render-failure.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly out?: string;
}

export const evidenceProve: Command<Options> = async (context, [receiptId = ''], {out}) =>
  await withHost(context, async ({runtime}) => {
    const {receipt_id} = await findReceipt(runtime, receiptId);
    const proof = await runtime.evidence.prove(receipt_id);
    if (!proof) throw new Error(`receipt ${receipt_id} exists but has no proof`);
    const text = JSON.stringify(proof, null, 2);
    if (out !== undefined) await writeFile(resolve(context.cwd, out), `${text}\n`);
    const {errorStyle} = context;
    const check = commandLine(['evidence', 'verify'], {proof: out ?? 'FILE', key: proof.verifier_key});
    return {
      data: out === undefined ? {proof} : {receipt_id, file: out, verifier_key: proof.verifier_key},
      text: () => (out === undefined ? text : ''),
      note: () => {
        const done = out === undefined ? [] : [`${errorStyle.good('✔')} wrote the proof of ${receipt_id} to ${out}`];
        const next = renderNext([{to: 'verify it with', command: check}], errorStyle);
        return [...done, next].join('\n');
      },
    };
  });

// `lumenflow evidence consistency`: proves that the log still begins with what an older checkpoint was signed over.
import {parseCheckpoint} from '@lumenflow/kernel/adapters';
import {parseVerifierKey, verifyEvidenceConsistency} from '@lumenflow/kernel/node';
import {readFile, writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {withHost} from '../with-host.ts';

interface Options {
  readonly out?: string;
  readonly key?: readonly string[];
}

/** As of `evidence verify`. */
const tampered = 2;

export const evidenceConsistency: Command<Options> = async (context, [file = ''], {out, key}) => {
  const older = await readFile(resolve(context.cwd, file), 'utf8');
  const checkpoint = parseCheckpoint(older.slice(0, older.lastIndexOf('\n\n') + 1));
  if (checkpoint === undefined || key?.some((text) => parseVerifierKey(text) === undefined) === true) {
    throw new CliError(
      'INVALID_ARGUMENT',
      checkpoint ? 'a key is not a verifier key' : `\`${file}\` is not a checkpoint`,
      {
        help: 'pass a file that `lumenflow evidence checkpoint --out FILE` wrote, and keys such as those in `evidence.pub`',
        exitCode: exitCode.failed,
      },
    );
  }
  return await withHost(context, async ({runtime}) => {
    const proof = await runtime.evidence.proveConsistency(checkpoint.size);
    const isProven = proof !== undefined && verifyEvidenceConsistency(proof, older, key);
    if (!isProven) {
      const message = `the log does not begin with the ${checkpoint.size} records that \`${file}\` was signed over`;
      return {data: {}, failure: {code: 'EVIDENCE_TAMPERED', message}, exitCode: tampered};
    }
    if (out !== undefined) await writeFile(resolve(context.cwd, out), `${JSON.stringify(proof, null, 2)}\n`);
    return {
      data: out === undefined ? {proof} : {file: out},
      text: () =>
        `${context.style.good('✔')} the log begins with the ${checkpoint.size} records that ${file} was signed over`,
    };
  });
};

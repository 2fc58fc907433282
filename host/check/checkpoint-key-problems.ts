// A checkpoint key of the environment that cannot sign: a start would fail.
import {isKernelError, type Problem} from '@lumenflow/kernel';
import type {WorkspaceSource} from '@lumenflow/kernel/adapters';
import {parseSigningKey} from '@lumenflow/kernel/node';

export function checkpointKeyProblems(
  {spec, locate}: Pick<WorkspaceSource, 'spec' | 'locate'>,
  env: Readonly<Record<string, string | undefined>>,
): readonly Problem[] {
  const name = spec.evidence?.checkpoint_key_env;
  const value = name === undefined ? undefined : env[name];
  // A start reports a variable that is not set.
  if (value === undefined) return [];
  try {
    parseSigningKey(value);
    return [];
  } catch (error) {
    if (!isKernelError(error)) throw error;
    return [
      {
        code: 'EVIDENCE_KEY_INVALID',
        severity: 'error',
        message: `\`${name ?? ''}\` does not contain an Ed25519 private key`,
        where: locate('/evidence/checkpoint_key_env'),
        help: 'set it to the base64 of a PKCS #8 Ed25519 private key',
      },
    ];
  }
}

// Problems with a pack's signature: an error if the workspace requires one, a warning if an optional one is invalid.
import type {Problem} from '@lumenflow/kernel';
import {parseVerifierKey} from '@lumenflow/kernel/node';
import type {PackPin, PackSecurity} from '@lumenflow/schemas';
import {signatureFile, type SignatureFinding} from './pack-signature.ts';

export interface SignaturePlace {
  readonly pin: PackPin;
  readonly pinPointer: string;
  readonly security: PackSecurity | undefined;
  locate(pointer: string): string;
}

export function signatureProblems(finding: SignatureFinding, place: SignaturePlace): readonly Problem[] {
  const {pin, pinPointer, security, locate} = place;
  const isRequired = security?.require_signature === true;
  const fault = faultOf(finding, pin);
  // A dev pack whose signature no longer matches is in development.
  if (!fault || (!isRequired && (pin.integrity === 'dev' || fault.isTrustOnly))) return [];
  return [
    {
      code: fault.code,
      severity: isRequired ? 'error' : 'warning',
      message: `the pack \`${pin.id}\` ${fault.message}${isRequired ? ', and `security.packs` requires a signature' : ''}`,
      where: locate(pinPointer),
      pointer: pinPointer,
      help: fault.help,
    },
  ];
}

/**
 * Reports keys that can never match, because a workspace that trusts no valid key would reject packs without an apparent reason.
 */
export function keyProblems(
  security: PackSecurity | undefined,
  locate: (pointer: string) => string,
): readonly Problem[] {
  return (security?.trusted_keys ?? []).flatMap((key, index): readonly Problem[] => {
    if (parseVerifierKey(key)) return [];
    const pointer = `/security/packs/trusted_keys/${index}`;
    return [
      {
        code: 'PACK_KEY_INVALID',
        severity: 'error',
        message: `\`${key}\` is not a valid public key: its parts do not match`,
        where: locate(pointer),
        pointer,
        help: 'copy the whole line that `lumenflow pack keygen` printed',
      },
    ];
  });
}

interface Fault {
  readonly code: string;
  readonly message: string;
  readonly help: string;
  /** The signature is valid, but its key is not trusted. */
  readonly isTrustOnly: boolean;
}

function faultOf({state, key = '', trusted, reason = ''}: SignatureFinding, {id}: PackPin): Fault | undefined {
  const help = `ask its author to sign it (\`lumenflow pack sign FOLDER --key FILE\`), or remove the pack`;
  switch (state) {
    case 'unsigned':
      return {code: 'PACK_SIGNATURE_MISSING', message: 'is not signed', help, isTrustOnly: true};
    case 'invalid':
      return {
        code: 'PACK_SIGNATURE_INVALID',
        message: `has an invalid signature: ${reason}`,
        help,
        isTrustOnly: false,
      };
    case 'modified':
      return {
        code: 'PACK_SIGNATURE_MODIFIED',
        message: `was changed after it was signed by ${key.split('+', 1).join('')}: ${signatureFile} does not match the files`,
        help: `install the files that were signed (\`lumenflow pack install ${id}\`), or ask its author to sign these`,
        isTrustOnly: false,
      };
    case 'signed':
      if (trusted) return undefined;
      return {
        code: 'PACK_SIGNATURE_UNTRUSTED',
        message: `is signed by \`${key}\`, which this workspace does not trust`,
        help: 'if you know from its owner that the key is theirs, add it to `security.packs.trusted_keys`',
        isTrustOnly: true,
      };
    default:
      return state satisfies never;
  }
}

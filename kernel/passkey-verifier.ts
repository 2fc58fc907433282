// The port of the check of signatures: the kernel itself has no cryptography.
import type {PasskeyAssertion} from '@lumenflow/schemas';

/** Checks what passkeys signed. It has no effects and does not wait, because transactions call it. */
export interface PasskeyVerifier {
  /** Why the assertion is not a signature of this passkey, with the person verified, over the SHA-256 of `challenge`. Undefined if it is one. */
  faultOf(
    assertion: PasskeyAssertion,
    passkey: {readonly public_key: string; readonly rp_id: string; readonly origin: string},
    challenge: string,
  ): string | undefined;
}

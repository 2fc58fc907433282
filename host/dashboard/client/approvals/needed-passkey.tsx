// What a person who cannot sign an approval here does about it.
import type {HttpSigning} from '@lumenflow/schemas';
import type {JSX} from 'preact';

/** Passkeys that sign at this address. */
export function passkeysHere(signing: HttpSigning): HttpSigning['passkeys'] {
  return signing.passkeys.filter(({origin}) => origin === location.origin);
}

export function NeededPasskey({signing, id}: {readonly signing: HttpSigning; readonly id: string}): JSX.Element | null {
  if (passkeysHere(signing).length > 0) return null;
  const [elsewhere] = signing.passkeys;
  if (!elsewhere) {
    return (
      <p class="needed">
        This approval must be signed with a passkey. <a href="#/passkeys">Add a passkey</a> first.
      </p>
    );
  }
  const address = `${elsewhere.origin}/#/approvals/${encodeURIComponent(id)}`;
  return (
    <p class="needed">
      This approval must be signed with a passkey, and yours sign at <a href={address}>{elsewhere.origin}</a> only.
    </p>
  );
}

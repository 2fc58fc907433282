// A certificate of a server that signs its own, as Proxmox VE does.
import {X509Certificate} from 'node:crypto';
import {generate} from 'selfsigned';

export interface OwnCertificate {
  readonly key: string;
  /** PEM. */
  readonly cert: string;
  readonly fingerprint: string;
}

/** `address`: where the server answers. */
export async function ownCertificate(address: string): Promise<OwnCertificate> {
  const {private: key, cert} = await generate([{name: 'commonName', value: 'lumenflow.test'}], {
    keyType: 'ec',
    extensions: [{name: 'subjectAltName', altNames: [{type: 7, ip: address}]}],
  });
  return {key, cert, fingerprint: new X509Certificate(cert).fingerprint256};
}

// Opens a connection to a server whose certificate is known beforehand: by its fingerprint, or by its authority. Nothing is sent
// to another server.
import {readFile} from 'node:fs/promises';
import {isIP} from 'node:net';
import {connect, type ConnectionOptions, type TLSSocket} from 'node:tls';

const usualPort = 8006;

/** `certificate`: a SHA-256 fingerprint, or the path of a certificate in PEM format. Rejects if the server has another one. */
export async function connectPinned(url: URL, certificate: string, signal: AbortSignal): Promise<TLSSocket> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const address = {host, port: Number(url.port || usualPort), ...(isIP(host) === 0 && {servername: host})};
  const isFile = certificate.startsWith('/');
  // The fingerprint replaces the check of the authority: Proxmox VE signs its own certificates.
  const trust: ConnectionOptions = isFile ? {ca: await readFile(certificate)} : {rejectUnauthorized: false};
  const socket = connect({...address, ...trust});
  const abort = (): void => void socket.destroy(new Error('it did not answer in time'));
  signal.addEventListener('abort', abort, {once: true});
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('secureConnect', () => {
      const {fingerprint256} = socket.getPeerCertificate();
      if (isFile || fingerprint256 === certificate) return resolve();
      reject(new Error(`its certificate has the fingerprint ${fingerprint256}, which is not the configured one`));
    });
  }).catch((error: unknown) => {
    socket.destroy();
    throw error;
  });
  return socket;
}

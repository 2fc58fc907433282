import {isIP} from 'node:net';
import type {RestateSettings} from './restate-settings.ts';

/** Throws if others than the server could advance runs at this address. */
export function requireSignatures({identity_keys}: RestateSettings, hostname: string): void {
  if (identity_keys !== undefined || isLoopback(hostname)) return;
  throw new Error(
    `${hostname} is reachable from other machines, and anybody there could advance runs: set \`engine.identity_keys\` in workspace.yaml`,
  );
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

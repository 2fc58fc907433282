// Names what the gates of a workspace are: results hold for these alone.
import {sha256Hex} from '../files/sha256-hex.ts';
import type {Gate} from './plan-gates.ts';

/** Of all that is configured, in its order. */
export async function configHash(gates: readonly Gate[]): Promise<string> {
  const words = gates.map(({name, command, timeout_ms, optional, trigger_patterns = [], coverage}) => [
    [name, command, timeout_ms, optional],
    trigger_patterns,
    coverage ?? null,
  ]);
  return await sha256Hex(JSON.stringify(words));
}

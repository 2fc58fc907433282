// Identifies the gate config of a workspace. Results are valid only for the same config.
import {sha256Hex} from '../files/sha256-hex.ts';
import type {Gate} from './plan-gates.ts';

/** Hash of all configured gates, in order. */
export async function configHash(gates: readonly Gate[]): Promise<string> {
  const words = gates.map(({name, command, timeout_ms, optional, trigger_patterns = [], coverage}) => [
    [name, command, timeout_ms, optional],
    trigger_patterns,
    coverage ?? null,
  ]);
  return await sha256Hex(JSON.stringify(words));
}

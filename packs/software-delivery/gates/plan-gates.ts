// The gates that the config declares, in its order, with every default filled in. Pure: the policy factory runs it
// in an isolate, too.
import type {PackConfig} from '../pack-config.ts';

export interface Gate {
  readonly name: string;
  /** For `sh -c` in the workspace root. */
  readonly command: string;
  readonly timeout_ms: number;
  readonly optional: boolean;
}

const defaultTimeoutMs = 600_000;

export function planGates(config: PackConfig): readonly Gate[] {
  return Object.entries(config?.gates?.commands ?? {}).map(([name, declared]) => ({
    timeout_ms: defaultTimeoutMs,
    optional: false,
    ...(typeof declared === 'string' ? {command: declared} : declared),
    name,
  }));
}

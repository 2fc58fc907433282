// The gates that a call requests. No gate at all is an error, because nothing would be checked.
import {ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {detectPresets} from './detect-presets.ts';
import type {Gate} from './plan-gates.ts';

export interface GateChoice {
  /** Default: all. */
  readonly only: readonly string[] | undefined;
  readonly skipped: readonly string[];
}

/** Throws ToolErrors UNKNOWN_GATE and NO_GATES_CONFIGURED, which suggests presets for the repository. */
export async function selectGates(
  fs: ScopedFileSystem,
  planned: readonly Gate[],
  {only, skipped}: GateChoice,
): Promise<readonly Gate[]> {
  const configured = planned.map(({name}) => name);
  const unknown = [...(only ?? []), ...skipped].filter((name) => !configured.includes(name));
  if (unknown.length > 0) {
    const message = `unknown gates: \`${unknown.join('`, `')}\``;
    throw new ToolError('UNKNOWN_GATE', message, {unknown, configured});
  }
  const selected = planned.filter(({name}) => only?.includes(name) ?? true);
  if (selected.length > 0) return selected;
  const detected = await detectPresets(fs);
  const [first] = detected;
  const hint =
    first === undefined
      ? 'set `software_delivery.gates`'
      : `\`${first.because}\` suggests \`preset: ${first.preset}\` in \`software_delivery.gates\``;
  throw new ToolError('NO_GATES_CONFIGURED', `no gate would run: ${hint} in workspace.yaml`, {configured, detected});
}

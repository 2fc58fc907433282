// The configured gates in run order, with all defaults and their source. Pure, because the policy factory also runs it in an
// isolate.
import type {ConditionalGate, CoverageGate, GatesConfig, PackConfig} from '../pack-config.ts';
import {gatePresets} from './gate-presets.ts';

export interface Gate {
  readonly name: string;
  /** Argument of `sh -c` in the root of a copy of the tree. For the coverage gate, a description of its condition. */
  readonly command: string;
  readonly timeout_ms: number;
  readonly optional: boolean;
  /** `config`, or the preset's name. */
  readonly source: string;
  /** For a conditional gate: it runs only if a changed path matches one of them. */
  readonly trigger_patterns?: readonly string[];
  readonly guidance?: string;
  /** For the coverage gate, which runs no command. */
  readonly coverage?: CoverageGate;
}

const defaultTimeoutMs = 600_000;

export function planGates(config: PackConfig): readonly Gate[] {
  const gates: GatesConfig = config?.gates ?? {};
  return [
    ...plannedCommands(gates),
    ...(gates.conditional ?? []).map(plannedConditional),
    ...(gates.coverage === undefined ? [] : [plannedCoverage(gates.coverage)]),
  ];
}

/** The preset's order first, then the gates that the config adds. */
function plannedCommands({preset, commands = {}}: GatesConfig): readonly Gate[] {
  const byPreset = preset === undefined ? {} : gatePresets[preset];
  return Object.entries({...byPreset, ...commands}).flatMap(([name, declared]) => {
    if (declared === false) return [];
    const given = typeof declared === 'string' ? {command: declared} : declared;
    const source = name in commands ? 'config' : `preset ${preset ?? ''}`;
    return [{timeout_ms: defaultTimeoutMs, optional: false, ...given, name, source}];
  });
}

function plannedConditional(gate: ConditionalGate, index: number): Gate {
  const {name = `conditional-${index + 1}`, severity, timeout_ms = defaultTimeoutMs, ...rest} = gate;
  return {...rest, name, timeout_ms, optional: severity === 'warn', source: 'config'};
}

function plannedCoverage(coverage: CoverageGate): Gate {
  const command = `at least ${coverage.min} % of lines in ${coverage.report}`;
  return {name: 'coverage', command, timeout_ms: defaultTimeoutMs, optional: false, source: 'config', coverage};
}

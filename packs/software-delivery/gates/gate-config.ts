// `gates:` of the pack's config, as config.schema.json admits it.
import type {GatePreset} from './gate-presets.ts';

export interface GateCommand {
  readonly command: string;
  readonly timeout_ms?: number;
  /** Its failure is reported and fails nothing. */
  readonly optional?: boolean;
}

/** Runs only where one of its patterns matches a changed path. */
export interface ConditionalGate {
  /** Default `conditional-` and its place. */
  readonly name?: string;
  readonly trigger_patterns: readonly string[];
  readonly command: string;
  /** warn: its failure is reported and fails nothing. */
  readonly severity: 'error' | 'warn';
  /** What whoever made the change should know, shown when the gate runs. */
  readonly guidance?: string;
  readonly timeout_ms?: number;
}

export interface CoverageGate {
  /** Percent of lines. */
  readonly min: number;
  /** Of the file that a gate before it writes. */
  readonly report: string;
}

export interface GatesConfig {
  readonly preset?: GatePreset;
  /** Beside the preset's, or instead of the one of the same name; false leaves that one out. */
  readonly commands?: Readonly<Record<string, string | GateCommand | false>>;
  readonly conditional?: readonly ConditionalGate[];
  readonly coverage?: CoverageGate;
}

// One place at which a crash was tried, and what was wrong after it.
import type {FileSystemTap} from './file-operation.ts';

export interface CrashPoint {
  /** Says where, well enough to find it again with the same seed. */
  readonly name: string;
  /** Empty if all invariants were kept. */
  readonly problems: readonly string[];
  readonly figures?: readonly CrashFigure[];
}

/** What was measured or counted on the way, and only informs. */
export interface CrashFigure {
  readonly title: string;
  readonly value: number;
  /** Figures over all points of a suite. */
  readonly over: 'sum' | 'worst';
}

export interface SuiteOptions {
  readonly seed: number;
  /** How much is tried, of 1. */
  readonly share: number;
  readonly tap: FileSystemTap;
}

export type CrashSuite = (options: SuiteOptions) => AsyncGenerator<CrashPoint>;

/** Of a full number of tries, as many as the share asks for; one at least. */
export function tries(full: number, {share}: Pick<SuiteOptions, 'share'>): number {
  return Math.max(1, Math.round(full * share));
}

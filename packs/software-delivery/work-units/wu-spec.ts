// The content of a spec file: wu-spec.schema.json as types.
export type WuType = 'feature' | 'bug' | 'documentation' | 'process' | 'tooling' | 'chore' | 'refactor';
export type WuPriority = 'P0' | 'P1' | 'P2' | 'P3';
export type WuExposure = 'ui' | 'api' | 'backend-only' | 'documentation';

export interface WuTests {
  readonly unit?: readonly string[];
  readonly e2e?: readonly string[];
  readonly integration?: readonly string[];
  readonly manual?: readonly string[];
}

export interface WuSpec {
  /** For example `WU-12`. Its kernel task has the same id. */
  readonly id: string;
  readonly title: string;
  readonly lane: string;
  readonly type: WuType;
  readonly priority: WuPriority;
  readonly description: string;
  readonly acceptance: readonly string[];
  /** Globs, relative to the repository's root. */
  readonly code_paths: readonly string[];
  readonly tests?: WuTests;
  readonly exposure?: WuExposure;
  /** Work units that must be done first. */
  readonly depends_on?: readonly string[];
  /** Work units that wait for this one. */
  readonly blocks?: readonly string[];
  /** The finished work unit whose failure this one fixes. */
  readonly fixes?: string;
  readonly initiative?: string;
  readonly phase?: number;
  readonly spec_refs?: readonly string[];
  readonly labels?: readonly string[];
  readonly risk?: 'low' | 'medium' | 'high';
}

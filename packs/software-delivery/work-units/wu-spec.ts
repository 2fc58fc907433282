// What a work unit's file says: wu-spec.schema.json as types.
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
  /** Like `WU-12`; its kernel task has the same. */
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
  /** Work units that must be done before. */
  readonly depends_on?: readonly string[];
  /** Work units that wait for this one. */
  readonly blocks?: readonly string[];
  /** The done work unit whose failure this one repairs. */
  readonly fixes?: string;
  readonly initiative?: string;
  readonly phase?: number;
  readonly spec_refs?: readonly string[];
  readonly labels?: readonly string[];
  readonly risk?: 'low' | 'medium' | 'high';
}

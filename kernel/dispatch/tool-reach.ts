// The tools that a session may call: what lists show, and what code or a program that a call runs can reach.
import type {GrantedScopes, PolicyDecision} from '@lumenflow/schemas';
import type {RegisteredTool} from '../packs/loaded-pack.ts';

export interface GovernedTool {
  readonly tool: RegisteredTool;
  readonly decision: 'allow' | 'approval_required';
  readonly granted_scopes: GrantedScopes;
  readonly policy_decisions: readonly PolicyDecision[];
}

/** Passed to tools that run code of their callers, and to programs. */
export interface ToolReach {
  /** All tools of the workspace, by name. */
  readonly tools: ReadonlyMap<string, RegisteredTool>;
  /** Those that may be called; with `among`, only those of these names, in their order. */
  govern(among?: readonly string[]): Promise<readonly GovernedTool[]>;
}

// A pack's factories: from its validated config they make policy rules and capabilities.
// They run in an isolate without I/O, so they are plain functions of their argument.
import type {CallResult, Permission, PolicyOutcome, PolicyTrigger} from '@lumenflow/schemas';

/** One earlier call of the task, oldest first. */
export interface TaskEvidence {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly permission: Permission;
  readonly result: CallResult | 'open';
  /** UTC, ISO 8601. */
  readonly started_at: string;
  /** Places in the evidence log: what finished before another started. `finished_seq` is absent while the call is open. */
  readonly started_seq: number;
  readonly finished_seq?: number;
  /** The output's data, when the call succeeded and it is small (64 KiB). */
  readonly data?: unknown;
}

export interface PolicyEvaluationContext {
  readonly trigger: PolicyTrigger;
  readonly run_id: string;
  readonly tool_name?: string;
  readonly task_id?: string;
  readonly lane_id?: string;
  readonly pack_id?: string;
  readonly tool_arguments?: unknown;
  readonly execution_metadata?: Readonly<Record<string, unknown>>;
  /** on_claim and on_completion only. */
  readonly evidence?: readonly TaskEvidence[];
}

export interface FactoryRule {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly reason?: string;
  /** Must answer within 50 ms; a throw counts as deny. */
  readonly when?: (context: PolicyEvaluationContext) => boolean;
}

export interface Capabilities {
  /** Added to the required_env of the named tools. */
  readonly required_env?: Readonly<Record<string, readonly string[]>>;
  /** host:port entries added to the network scope that the named tools require. */
  readonly network_allowlist?: Readonly<Record<string, readonly string[]>>;
}

export type PolicyFactory<Config = unknown> = (input: {readonly config: Config}) => readonly FactoryRule[];
export type CapabilityFactory<Config = unknown> = (input: {readonly config: Config}) => Capabilities;

export function definePolicyFactory<Config = unknown>(factory: PolicyFactory<Config>): PolicyFactory<Config> {
  return factory;
}

export function defineCapabilityFactory<Config = unknown>(
  factory: CapabilityFactory<Config>,
): CapabilityFactory<Config> {
  return factory;
}

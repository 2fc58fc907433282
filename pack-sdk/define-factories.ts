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
  /** Of a preview: the tool whose call it was made for. */
  readonly preview_of?: string;
  /** The output's data, when the call succeeded and it is small (64 KiB); on_tool_request: the properties that were asked for. */
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
  /** The call that makes this one, `depth` counted from 1; absent for a call from outside. */
  readonly caller?: {readonly tool: string; readonly pack: string; readonly depth: number};
  /** On on_claim and on_completion, and for rules that say `evidence_data`. */
  readonly evidence?: readonly TaskEvidence[];
}

export interface FactoryRule {
  readonly id: string;
  readonly trigger: PolicyTrigger;
  readonly decision: PolicyOutcome;
  readonly reason?: string;
  /**
   * on_tool_request: the condition looks at the task's evidence too, and of each output's data at these properties.
   * Empty: what was called and how it ended is enough.
   */
  readonly evidence_data?: readonly string[];
  /** Must answer within 50 ms; a throw counts as deny. */
  readonly when?: (context: PolicyEvaluationContext) => boolean;
}

/** `host:port`, or that of the address which a variable of the host's environment holds when the pack is loaded. */
export type NetworkEntry = string | {readonly url_env: string};

/** What calls need whose input has a certain value of a property. */
export interface InputCapabilities {
  /** Of the input: a string. */
  readonly property: string;
  /** The value that an input without the property stands for. */
  readonly default?: string;
  /** By the property's value. */
  readonly values: Readonly<
    Record<string, {readonly required_env?: readonly string[]; readonly network_allowlist?: readonly NetworkEntry[]}>
  >;
}

export interface Capabilities {
  /** Added to the required_env of the named tools. */
  readonly required_env?: Readonly<Record<string, readonly string[]>>;
  /** Added to the network scope that the named tools require. */
  readonly network_allowlist?: Readonly<Record<string, readonly NetworkEntry[]>>;
  /** Added for calls with such an input alone: others of the same tool get nothing of it. */
  readonly by_input?: Readonly<Record<string, InputCapabilities>>;
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

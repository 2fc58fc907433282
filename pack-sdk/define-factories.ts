// A pack's factories: they compute policy rules and capabilities from its validated config.
// They run in an isolate without I/O, so they are plain functions of their argument.
import type {FactoryRule, PathScope} from '@lumenflow/schemas';

/** `host:port`, or the name of a variable of the host's environment that contains a URL when the pack is loaded. */
export type NetworkEntry = string | {readonly url_env: string};

/** What calls need if a property of their input has a certain value. */
export interface InputCapabilities {
  /** Of the input: a string. */
  readonly property: string;
  /** The value of an input without the property. */
  readonly default?: string;
  /** By the property's value. */
  readonly values: Readonly<
    Record<
      string,
      {
        readonly required_scopes?: readonly PathScope[];
        readonly required_env?: readonly string[];
        readonly network_allowlist?: readonly NetworkEntry[];
      }
    >
  >;
}

export interface Capabilities {
  /** Path scopes, added to those that the named tools require. Workspace, lane and task must still grant them. */
  readonly required_scopes?: Readonly<Record<string, readonly PathScope[]>>;
  /** Added to the required_env of the named tools. */
  readonly required_env?: Readonly<Record<string, readonly string[]>>;
  /** Added to the network scope that the named tools require. */
  readonly network_allowlist?: Readonly<Record<string, readonly NetworkEntry[]>>;
  /** Added only for calls with such an input, not for other calls of the same tool. */
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

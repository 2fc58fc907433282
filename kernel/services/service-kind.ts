// The port of services whose operations become governed tools, such as HTTP services that an OpenAPI document describes. The host
// pins the service's document, makes a pack of it, and decides about each call; a kind of service only translates.
import type {PackPin, Permission, ToolFailure} from '@lumenflow/schemas';
import type {CancelSignal} from '../dispatch/cancel-signal.ts';
import type {Outcome} from '../outcome.ts';

export interface ServiceKind {
  /** Reads the service's description: its pinned file, its address, or the service itself. */
  read(pin: PackPin, source: DocumentSource): Promise<Outcome<unknown, ServiceProblem>>;
  /** `document` is what `read` returned, as JSON. Returns the same for the same arguments. */
  describe(pin: PackPin, document: unknown): Outcome<ServiceDescription, ServiceProblem>;
  connect(): ServiceClient;
}

export interface DocumentSource {
  /** Absolute. */
  readonly workspaceRoot: string;
  /** The host's environment, with the secrets that the pin's credentials name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly network: ServiceNetwork;
  readonly signal: CancelSignal;
}

export interface ServiceProblem {
  readonly message: string;
  readonly help: string;
}

export interface ServiceDescription {
  readonly title: string;
  readonly version: string;
  /** Addresses that the document names; none if it names none. */
  readonly servers: readonly string[];
  /** What each security scheme needs, by name: keys of a credential. */
  readonly schemes: Readonly<Record<string, readonly (readonly CredentialKey[])[]>>;
  readonly operations: readonly ServiceOperation[];
}

export type CredentialKey = 'token' | 'username' | 'password' | 'client_id' | 'client_secret';

export interface ServiceOperation {
  /** The verb of the tool's name; unique in the service. */
  readonly name: string;
  /** Groups of operations in the document, to select by. */
  readonly tags: readonly string[];
  readonly description: string;
  /** What the kind of the operation suggests. */
  readonly permission: Permission;
  readonly idempotent: boolean;
  readonly input_schema: Readonly<Record<string, unknown>>;
  readonly output_schema?: Readonly<Record<string, unknown>>;
  /** Names of the security schemes that it uses. */
  readonly schemes: readonly string[];
  /** Variables with the secrets of its calls, as the pin names them. */
  readonly required_env: readonly string[];
  /** URLs that its calls reach besides the pin's servers. */
  readonly addresses: readonly string[];
  /** JSON that `call` gets: how to make the request. */
  readonly plan: unknown;
}

export interface ServiceClient {
  /** Makes one request. Never rejects because of the service. */
  call(call: ServiceCall): Promise<ServiceReply>;
  close(): void;
}

export interface ServiceCall {
  readonly plan: unknown;
  /** One of the pin's servers. */
  readonly server: string;
  readonly input: unknown;
  /** Values of `required_env`. */
  readonly env: Readonly<Record<string, string>>;
  readonly network: ServiceNetwork;
  /** Aborts at the call's deadline, and when it is cancelled. */
  readonly signal: CancelSignal;
  /** Milliseconds that remain. */
  readonly timeoutMs: number;
  onProgress(payload: unknown): void;
}

/** The network that a call is granted. */
export interface ServiceNetwork {
  /** Identifies the grant: connections must not be shared between different ones. */
  readonly key: string;
  /** The addresses to dial for a host name or an address, or why none may be dialled. */
  resolve(host: string, port: number): Promise<Outcome<readonly string[], string>>;
}

export type ServiceReply = ServiceValue | ServiceFailure;

export interface ServiceValue {
  readonly ok: true;
  readonly value: unknown;
  /** Secrets that the client made of the given ones: they are removed from the output, too. */
  readonly secrets?: readonly string[];
}

export interface ServiceFailure {
  readonly ok: false;
  readonly failure: ToolFailure;
  /** The service is down or overloaded: another server, or the same one later, may do better. */
  readonly isUnavailable: boolean;
  /** The request did not reach the service, so it can always be repeated. */
  readonly isUnsent?: boolean;
  /** When the service says that it can be repeated. */
  readonly retryAfterMs?: number | undefined;
  readonly secrets?: readonly string[];
}

// Seals the state that the client carries from a question to its answer. The client cannot change it, or use it for another
// tool or client. It is not encrypted.
import {createRequestStateCodec, type RequestStateCodec} from '@modelcontextprotocol/server';
import {randomBytes} from 'node:crypto';

export interface SealedState {
  /** The tool whose call asked. */
  readonly tool: string;
  /** Present when a person was asked to approve the call. */
  readonly consent?: {readonly request_id: string; readonly nonce: string};
  /** The handler's input in addition to the client's arguments when the call is repeated. */
  readonly carried: CarriedInput;
}

/** The parts of an input that have their own field in the protocol. */
export interface CarriedInput {
  /** The client's answers to the handler's questions, by name. */
  readonly input_responses?: unknown;
  /** The state that the handler returned with its questions. */
  readonly request_state?: unknown;
}

const carriedNames: readonly string[] = ['input_responses', 'request_state'] satisfies readonly (keyof CarriedInput)[];

/** The protocol has separate fields for these, because they would not be sealed among the arguments. */
export function withoutCarried(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !carriedNames.includes(name)));
}

export type Seal = RequestStateCodec<SealedState>;

export function createRequestStateSeal(): Seal {
  return createRequestStateCodec<SealedState>({key: randomBytes(32), bind: ({mcpReq}) => mcpReq.method});
}

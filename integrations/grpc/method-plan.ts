// How to call a method: what is recorded in the generated pack, and read when it is called.
import type {protobuf} from './protobuf.ts';

export interface MethodPlan {
  readonly path: string;
  /** Full names of messages in `types`. */
  readonly request: string;
  readonly response: string;
  readonly request_stream: boolean;
  readonly response_stream: boolean;
  readonly types: protobuf.INamespace;
  /** The values of `token` are names of variables; `key` is `bearer`, or the metadata to set. */
  readonly credentials: readonly {readonly key: string; readonly token: string}[];
}

// A stand-in for a Temporal server: its front end in memory, with the wire format of @temporalio/proto. Real clients and workers, with
// their Rust core, use it as they use a server. It has what this package needs, and no persistence.
import {Server, ServerCredentials, status, type ServerUnaryCall, type sendUnaryData} from '@grpc/grpc-js';
import proto from '@temporalio/proto';
import {activityMethods} from './activity-methods.fixture.ts';
import {clientMethods} from './client-methods.fixture.ts';
import {FrontEndState} from './front-end-state.fixture.ts';
import {Refused} from './refused.fixture.ts';
import {workflowTaskMethods} from './workflow-task-methods.fixture.ts';

export interface FrontEnd {
  readonly address: string;
  /** How often each method was called. */
  readonly counts: ReadonlyMap<string, number>;
  /** Ends as a crash would: connections break. */
  close(): void;
}

interface Message {
  decode(bytes: Uint8Array): object;
  encode(value: object): {finish(): Uint8Array};
}

type Method = (request: never, end: {readonly ended: Promise<void>}) => object | Promise<object>;

const service = 'temporal.api.workflowservice.v1.WorkflowService';
const pollMs = 10_000;

export async function startFrontEnd(): Promise<FrontEnd> {
  const state = new FrontEndState();
  const methods: Readonly<Record<string, Method>> = {
    ...clientMethods(state),
    ...workflowTaskMethods(state),
    ...activityMethods(state),
  };
  const counts = new Map<string, number>();
  const server = new Server();
  const messages = proto.temporal.api.workflowservice.v1 as unknown as Readonly<Record<string, Message>>;
  const definitionOf = (name: string) => ({
    path: `/${service}/${name}`,
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: (value: object) => Buffer.from(messages[`${name}Request`]?.encode(value).finish() ?? []),
    requestDeserialize: (bytes: Buffer) => messages[`${name}Request`]?.decode(bytes) ?? {},
    responseSerialize: (value: object) => Buffer.from(messages[`${name}Response`]?.encode(value).finish() ?? []),
    responseDeserialize: (bytes: Buffer) => messages[`${name}Response`]?.decode(bytes) ?? {},
  });
  const handlerOf =
    (name: string, method: Method) => (call: ServerUnaryCall<object, object>, reply: sendUnaryData<object>) => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      const ended = new Promise<void>((resolve) => {
        call.on('cancelled', resolve);
        setTimeout(resolve, pollMs).unref();
      });
      void (async () => await method(call.request as never, {ended}))().then(
        (value) => reply(null, value),
        (error: Error) =>
          reply(error instanceof Refused ? error : {code: status.INTERNAL, details: String(error.stack)}),
      );
    };
  const names = Object.keys(methods);
  server.addService(
    Object.fromEntries(names.map((name) => [name, definitionOf(name)])),
    Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, handlerOf(name, method)])),
  );
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error ? reject(error) : resolve(bound),
    );
  });
  return {
    address: `127.0.0.1:${port}`,
    counts,
    close() {
      state.close();
      server.forceShutdown();
    },
  };
}

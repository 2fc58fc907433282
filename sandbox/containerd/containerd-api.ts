// The part of containerd's API that calls need. The numbers are those of its protocol, whose version 1 does not change.
import type {EngineFailure} from '../engine/engine-client.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {ContainerdClient, ContainerdRequest} from './containerd-client.ts';
import {decodeMessage, encodeMessage, type FieldValue, type Message} from './protobuf.ts';

type Answer<T> = Promise<Outcome<T, EngineFailure>>;

export interface NewContainer {
  readonly id: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Such as `io.containerd.runc.v2`. */
  readonly runtime: string;
  /** Of the runtime `io.containerd.runc.v2`: the program that it starts. */
  readonly binary?: string | undefined;
  /** The OCI configuration. */
  readonly spec: object;
}

/** Paths of named pipes; none: the stream is empty. */
export interface TaskStreams {
  readonly stdin?: string;
  readonly stdout?: string;
  readonly stderr?: string;
}

export interface TaskProcess {
  readonly name: string;
  /** As in an OCI configuration. */
  readonly spec: object;
  readonly streams: TaskStreams;
}

/** Each resolves to what containerd answered. None rejects. */
export interface ContainerdApi {
  readonly socketPath: string;
  version(): Answer<string>;
  createContainer(container: NewContainer): Answer<void>;
  /** Those with the label. */
  listContainers(label: string): Answer<readonly {readonly id: string; readonly label: string}[]>;
  deleteContainer(id: string): Answer<void>;
  /** Returns the process id of the first process, which waits. */
  createTask(id: string, streams: TaskStreams): Answer<number>;
  startTask(id: string): Answer<void>;
  /** Starts another process in it. */
  exec(id: string, process: TaskProcess): Answer<void>;
  /** Sends SIGKILL to all its processes. */
  killTask(id: string): Answer<void>;
  /** Returns its exit status once it has ended. */
  waitForTask(id: string, timeoutMs: number | 'none'): {readonly status: Answer<number>; keepAlive(on: boolean): void};
  /** Of one that has ended, once its output is in its pipes. */
  deleteTask(id: string): Answer<void>;
}

const specType = 'types.containerd.io/opencontainers/runtime-spec/1/Spec';
const processType = 'types.containerd.io/opencontainers/runtime-spec/1/Process';
const runcOptionsType = 'containerd.runc.v1.Options';
const sigkill = 9;

export function createContainerdApi(client: ContainerdClient): ContainerdApi {
  const ask = async <T>(request: ContainerdRequest, read: (fields: Fields) => T): Answer<T> =>
    readAnswer(await client.begin(request).answer, read);
  const order = async (service: ContainerdRequest['service'], method: string, message: Message): Answer<void> =>
    await ask({service, method, message: encodeMessage(message)}, () => undefined);
  return {
    socketPath: client.socketPath,
    version: async () => await ask({service: 'version', method: 'Version', message: encodeMessage({})}, textOf(1)),
    createContainer: async (container) => await order('containers', 'Create', {1: encoded(container)}),
    async listContainers(label) {
      const message = encodeMessage({1: `labels."${label}"`});
      return await ask({service: 'containers', method: 'List', message}, (fields) =>
        (fields.get(1) ?? []).map((bytes) => listed(nested(bytes), label)),
      );
    },
    deleteContainer: async (id) => await order('containers', 'Delete', {1: id}),
    async createTask(id, {stdin, stdout, stderr}) {
      const message = encodeMessage({1: id, 4: stdin, 5: stdout, 6: stderr});
      return await ask({service: 'tasks', method: 'Create', message}, numberOf(2));
    },
    startTask: async (id) => await order('tasks', 'Start', {1: id}),
    async exec(id, {name, spec, streams: {stdin, stdout, stderr}}) {
      const process = any(processType, JSON.stringify(spec));
      const made = await order('tasks', 'Exec', {1: id, 2: stdin, 3: stdout, 4: stderr, 6: process, 7: name});
      return made.ok ? await order('tasks', 'Start', {1: id, 2: name}) : made;
    },
    killTask: async (id) => await order('tasks', 'Kill', {1: id, 3: sigkill, 4: true}),
    waitForTask(id, timeoutMs) {
      const message = encodeMessage({1: id});
      const {answer, keepAlive} = client.begin({service: 'tasks', method: 'Wait', message, timeoutMs});
      return {status: answer.then((ended) => readAnswer(ended, numberOf(1))), keepAlive};
    },
    deleteTask: async (id) => await order('tasks', 'Delete', {1: id}),
  };
}

type Fields = ReadonlyMap<number, readonly FieldValue[]>;

function readAnswer<T>(answer: Outcome<Buffer, EngineFailure>, read: (fields: Fields) => T): Outcome<T, EngineFailure> {
  if (!answer.ok) return answer;
  try {
    return ok(read(decodeMessage(answer.value)));
  } catch {
    return failed({status: undefined, message: 'its answer is not one of containerd'});
  }
}

function encoded({id, labels, runtime, binary, spec}: NewContainer): Buffer {
  const options = binary === undefined ? undefined : any(runcOptionsType, encodeMessage({6: binary}));
  return encodeMessage({
    1: id,
    2: Object.entries(labels).map(([name, value]) => encodeMessage({1: name, 2: value})),
    4: encodeMessage({1: runtime, 2: options}),
    5: any(specType, JSON.stringify(spec)),
  });
}

function any(type: string, value: string | Uint8Array): Buffer {
  return encodeMessage({1: type, 2: value});
}

function listed(container: Fields, label: string): {readonly id: string; readonly label: string} {
  const labels = (container.get(2) ?? []).map(nested);
  const found = labels.find((entry) => textOf(1)(entry) === label);
  return {id: textOf(1)(container), label: found === undefined ? '' : textOf(2)(found)};
}

function nested(value: FieldValue): Fields {
  if (typeof value === 'number') throw new Error('a field is not a message');
  return decodeMessage(value);
}

function textOf(number: number): (fields: Fields) => string {
  return (fields) => (fields.get(number)?.at(-1) ?? '').toString();
}

function numberOf(number: number): (fields: Fields) => number {
  return (fields) => Number(fields.get(number)?.at(-1) ?? 0);
}

// Asks a service for its types with the protocol of gRPC server reflection, version 1, or 1alpha for older services.
import {status, type ServiceError} from '@grpc/grpc-js';
import type {ServiceNetwork} from '@lumenflow/kernel/adapters';
import {protobuf} from './protobuf.ts';
import descriptor, {type IFileDescriptorProto} from 'protobufjs/ext/descriptor/index.js';
import {openChannel} from './open-channel.ts';
import {reflectionTypes} from './reflection-types.ts';

export interface Reflection {
  readonly server: string;
  readonly network: ServiceNetwork;
  readonly signal: AbortSignal;
  readonly token: string | undefined;
}

// A CommonJS module, whose exports Node does not see by name.
const {FileDescriptorSet} = descriptor;

type Ask = (question: object) => Promise<ReflectionReply>;

interface ReflectionReply {
  readonly list_services_response?: {readonly service?: readonly {readonly name: string}[]};
  readonly file_descriptor_response?: {readonly file_descriptor_proto?: readonly Uint8Array[]};
  readonly error_response?: {readonly error_message?: string};
}

/** For all answers together. */
const waitMs = 20_000;
const filesMax = 1_000;

/** Rejects with the reason. */
export async function reflectTypes(reflection: Reflection): Promise<protobuf.Root> {
  try {
    return await reflectWith('v1', reflection);
  } catch (error) {
    if ((error as Partial<ServiceError>).code !== status.UNIMPLEMENTED) throw error;
    return await reflectWith('v1alpha', reflection);
  }
}

async function reflectWith(version: string, {server, network, signal, token}: Reflection): Promise<protobuf.Root> {
  const channel = await openChannel(server, network);
  const end = Date.now() + waitMs;
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const ask: Ask = async (question) => {
    const [reply] = await channel.call({
      path,
      request: reflectionTypes.lookupType('Request'),
      response: reflectionTypes.lookupType('Response'),
      messages: [question],
      metadata: token === undefined ? {} : {authorization: `Bearer ${token}`},
      timeoutMs: end - Date.now(),
      signal,
      onMessage: () => undefined,
    });
    const {error_response, ...found} = (reply ?? {}) as ReflectionReply;
    if (error_response) throw new Error(error_response.error_message);
    return found;
  };
  try {
    return await collect(ask);
  } finally {
    channel.close();
  }
}

async function collect(ask: Ask): Promise<protobuf.Root> {
  const {list_services_response} = await ask({list_services: '*'});
  const names = (list_services_response?.service ?? []).map(({name}) => name);
  const services = names.filter((name) => !name.startsWith('grpc.reflection.'));
  const files = new Map<string, IFileDescriptorProto>();
  const add = ({file_descriptor_response}: ReflectionReply): void => {
    for (const bytes of file_descriptor_response?.file_descriptor_proto ?? []) {
      const file = decodeFile(bytes);
      files.set(file.name ?? '', file);
      if (files.size > filesMax) throw new Error(`its types are in more than ${filesMax} files`);
    }
  };
  for (const name of services) add(await ask({file_containing_symbol: name}));
  for (const file of files.values()) {
    for (const needed of file.dependency ?? []) {
      if (!files.has(needed)) add(await ask({file_by_filename: needed}));
    }
  }
  const set = FileDescriptorSet.create({file: [...files.values()]});
  return (protobuf.Root as typeof protobuf.Root & {fromDescriptor(set: unknown): protobuf.Root}).fromDescriptor(set);
}

function decodeFile(bytes: Uint8Array): IFileDescriptorProto {
  // A set of one file: its field 1 is the file, with the length before it.
  const writer = protobuf.Writer.create().uint32(10).bytes(bytes);
  return (
    (FileDescriptorSet.decode(writer.finish()) as {readonly file?: readonly IFileDescriptorProto[]}).file?.[0] ?? {}
  );
}

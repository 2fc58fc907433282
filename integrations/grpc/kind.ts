// gRPC services as one kind of service, described by a .proto file or by their reflection.
import type {ServiceKind} from '@lumenflow/kernel/adapters';
import {createGrpcClient} from './create-grpc-client.ts';
import {describeGrpc} from './describe-grpc.ts';
import {readTypes} from './read-types.ts';

export const kind: ServiceKind = {read: readTypes, describe: describeGrpc, connect: createGrpcClient};

// The types of a service as JSON of protobufjs: from a .proto file, or from the service's reflection.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {DocumentSource, ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {resolve} from 'node:path';
import {protobuf} from './protobuf.ts';
import {reflectTypes} from './reflect-types.ts';

export async function readTypes(
  {
    document,
    servers = [''],
    credentials,
  }: Pick<PackPin, 'document' | 'credentials'> & {readonly servers?: readonly string[]},
  {workspaceRoot, env, network, signal}: DocumentSource,
): Promise<Outcome<unknown, ServiceProblem>> {
  const [server = ''] = servers;
  try {
    const root =
      document === undefined
        ? await reflectTypes({server, network, signal, token: env[credentials?.['bearer']?.token ?? '']})
        : await new protobuf.Root().load(resolve(workspaceRoot, document), {
            keepCase: true,
            alternateCommentMode: true,
          });
    return ok(root.toJSON({keepComments: true}));
  } catch (error) {
    const {message} = error as Error;
    return failed(
      document === undefined
        ? {
            message: `the reflection of ${server} cannot be read: ${message}`,
            help: 'if the service has no reflection, name its .proto file with `--proto`',
          }
        : {message: `\`${document}\` cannot be read: ${message}`, help: 'name a .proto file relative to the workspace'},
    );
  }
}

// The network of a call as a separate container, in which nothing of the call runs. An engine starts containers in the network of
// another container, and in no network of the host's.
import {randomBytes} from 'node:crypto';
import {thisProcess} from '../process-name.ts';
import type {NetworkHome} from '../backends/network-attachment.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {createEngineContainer} from './engine-container.ts';
import type {EngineHost} from './engine-host.ts';
import {openNamespacesOf} from './open-namespaces-of.ts';
import {protectedContainer} from './protected-container.ts';

const idle = 'sleep 2147483647 & wait';

export async function openNetworkHome(host: EngineHost): Promise<Outcome<NetworkHome>> {
  const {engine, client} = host;
  const mark = randomBytes(8).toString('hex');
  const name = `lumenflow-network-${thisProcess()}-${mark}`;
  const container = createEngineContainer(client, name, engine);
  const {masksByOption} = engine;
  const always = {...host, masksByOption, owner: thisProcess(), networkOf: undefined, filter: undefined};
  const request = {...protectedContainer(always), Entrypoint: ['/bin/sh', '-c', idle, mark], Cmd: []};
  const begun = await container.begin(request, mark);
  const nsenter = findProgram('nsenter');
  const opened = begun.ok && begun.value !== undefined ? openNamespacesOf(begun.value, mark) : undefined;
  if (opened !== undefined && nsenter !== undefined) {
    return ok({
      name,
      enter: [nsenter, ...opened.options, '--'],
      async close() {
        opened.close();
        await container.remove();
      },
    });
  }
  opened?.close();
  await container.remove();
  const why = begun.ok ? 'the process of its container cannot be seen from here' : begun.problem.message;
  return failed({
    message: `${engine.backend} could not provide a network (\`${why}\`)`,
    help: 'use an engine on this machine, or grant network posture `off`',
  });
}

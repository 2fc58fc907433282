// What an engine itself does with a container, by its API: the baseline of calls in containers of that engine.
import {once} from 'node:events';
import {request, type IncomingMessage} from 'node:http';
import {text} from 'node:stream/consumers';
import {nodeWithModule} from './node-with-module.ts';

export interface EngineContainers {
  /** Creates, starts, awaits and removes a container of a Node that imports a module. */
  runOnce(): Promise<void>;
  /** Runs `/bin/true` in a container that was started before. */
  exec(): Promise<void>;
  close(): Promise<void>;
}

const limits = {nofile: 1024, nproc: 4096};

interface Created {
  readonly Id: string;
}

/** `label`: of the image. */
export async function openEngineContainers(socketPath: string, label: string): Promise<EngineContainers> {
  const ask = async (method: string, path: string, body?: object): Promise<unknown> =>
    await send({socketPath, method, path, body});
  const filters = encodeURIComponent(JSON.stringify({label: [label]}));
  const [image] = (await ask('GET', `/images/json?filters=${filters}`)) as readonly Created[];
  if (image === undefined) throw new Error(`the engine has no image with the label ${label}`);
  const start = async (Cmd: readonly string[]): Promise<string> => {
    // An engine's default can exceed what it may set.
    const Ulimits = Object.entries(limits).map(([Name, bound]) => ({Name, Soft: bound, Hard: bound}));
    const HostConfig = {NetworkMode: 'none', ReadonlyRootfs: true, Ulimits};
    const {Id} = (await ask('POST', '/containers/create', {Image: image.Id, Cmd, HostConfig})) as Created;
    await ask('POST', `/containers/${Id}/start`);
    return Id;
  };
  const waiting = await start([process.execPath, '-e', 'setInterval(() => undefined, 1e6)']);
  return {
    async runOnce() {
      const id = await start(nodeWithModule);
      await ask('POST', `/containers/${id}/wait`);
      await ask('DELETE', `/containers/${id}`);
    },
    async exec() {
      const {Id} = (await ask('POST', `/containers/${waiting}/exec`, {
        Cmd: ['/bin/true'],
        AttachStdout: true,
      })) as Created;
      await ask('POST', `/exec/${Id}/start`, {Detach: false});
    },
    close: async () => void (await ask('DELETE', `/containers/${waiting}?force=true`)),
  };
}

interface EngineRequest {
  readonly socketPath: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
}

async function send({socketPath, method, path, body}: EngineRequest): Promise<unknown> {
  const sent = request({socketPath, method, path, headers: {host: 'engine', 'content-type': 'application/json'}});
  sent.end(body === undefined ? undefined : JSON.stringify(body));
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  // The output of a command ends with it.
  const said = await text(response);
  const {statusCode = 500, headers} = response;
  if (statusCode >= 300) throw new Error(`${method} ${path}: ${statusCode} ${said}`);
  return headers['content-type']?.startsWith('application/json') === true && said !== '' ? JSON.parse(said) : undefined;
}

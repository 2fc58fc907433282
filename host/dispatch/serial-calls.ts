// Runs the calls of a server with `serial: true` one after another, among all hosts of the workspace. A call is over once its
// changes are applied, so the next one sees them.
import {join} from 'node:path';
import {isKernelError, type DispatchOutcome, type DispatchRequest} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {WorkspaceLock} from '@lumenflow/kernel/node';
import {busy} from '../pool/index.ts';
import {createAdmission, type Admission} from './admission.ts';

export interface SerialCalls {
  /** If the pin is serial, its other calls wait until `afterCall` of the outcome is called. */
  run(
    request: Pick<DispatchRequest, 'tool' | 'signal'>,
    timeoutMs: number,
    call: () => Promise<DispatchOutcome>,
  ): Promise<DispatchOutcome>;
  /** Rejects queued calls; resolves when the last call is over. */
  close(): Promise<void>;
}

interface Server {
  readonly admission: Admission;
  readonly lock: WorkspaceLock;
}

const queueMax = 4096;
/** How long a call waits for the calls of other hosts. */
const othersMaxMs = 60_000;

export function createSerialCalls(options: {
  readonly workspaceRoot: string;
  readonly processes: ProcessRegistry;
}): SerialCalls {
  const servers = new Map<string, Server>();

  function serverOf(pack: string): Server {
    const known = servers.get(pack);
    if (known) return known;
    const folder = join(options.workspaceRoot, '.lumenflow', 'serial', pack);
    const server = {
      admission: createAdmission({places: 1, queueMax}),
      lock: new WorkspaceLock({folder, processes: options.processes, timeoutMs: othersMaxMs}),
    };
    servers.set(pack, server);
    return server;
  }

  return {
    async run({tool, signal}, timeoutMs, call) {
      const {id, serial} = tool.pack.pin;
      if (serial !== true) return await call();
      const {admission, lock} = serverOf(id);
      const refused = await admission.enter(signal === undefined ? {timeoutMs} : {timeoutMs, signal});
      if (refused !== undefined) return {output: refused};
      try {
        await lock.enter();
      } catch (error) {
        admission.leave();
        if (isKernelError(error)) return {output: busy(`other calls of the server \`${id}\` are running`)};
        throw error;
      }
      const leave = (): void => {
        lock.leave();
        admission.leave();
      };
      try {
        const outcome = await call();
        return {...outcome, afterCall: () => (outcome.afterCall?.(), leave())};
      } catch (error) {
        leave();
        throw error;
      }
    },
    async close() {
      await Promise.all(
        [...servers.values()].map(async ({admission, lock}) => {
          await admission.close();
          lock.close();
        }),
      );
    },
  };
}

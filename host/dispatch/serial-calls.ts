// Runs calls one after another: those of a server with `serial: true`, among all hosts of the workspace, and those that share a
// server that lasts. A call is over once its changes are applied, so the next one sees them.
import {join} from 'node:path';
import {isKernelError, type DispatchOutcome, type DispatchRequest} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {WorkspaceLock} from '@lumenflow/kernel/node';
import type {PackPin, ToolOutput} from '@lumenflow/schemas';
import {busy} from '../pool/index.ts';
import {spanOf} from '../sessions/end-spans.ts';
import {createAdmission, type Admission, type Waiter} from './admission.ts';

export interface SerialCalls {
  /** If others would have to wait for the call, they wait until `afterCall` of the outcome is called. */
  run(request: TurnRequest, timeoutMs: number, call: () => Promise<DispatchOutcome>): Promise<DispatchOutcome>;
  /** Rejects queued calls; resolves when the last call is over. */
  close(): Promise<void>;
}

interface Server {
  /** Calls that run or wait. */
  calls: number;
  readonly admission: Admission;
  /** Among hosts. */
  readonly lock: WorkspaceLock | undefined;
}

type TurnRequest = Pick<DispatchRequest, 'tool' | 'signal' | 'session_id' | 'run_id'>;

const queueMax = 4096;
/** How long a call waits for the calls of other hosts. */
const othersMaxMs = 60_000;

export function createSerialCalls(options: {
  readonly workspaceRoot: string;
  readonly processes: ProcessRegistry;
}): SerialCalls {
  const servers = new Map<string, Server>();

  function serverOf({id, serial}: PackPin, key: string): Server {
    const known = servers.get(key);
    if (known) return known;
    const folder = join(options.workspaceRoot, '.lumenflow', 'serial', id);
    const server: Server = {
      calls: 0,
      admission: createAdmission({places: 1, queueMax}),
      lock:
        serial === true ? new WorkspaceLock({folder, processes: options.processes, timeoutMs: othersMaxMs}) : undefined,
    };
    servers.set(key, server);
    return server;
  }

  return {
    async run(request, timeoutMs, call) {
      const {pin} = request.tool.pack;
      const key = turnKey(request);
      if (key === undefined) return await call();
      const server = serverOf(pin, key);
      server.calls += 1;
      const forget = (): void => {
        server.calls -= 1;
        // Spans come and go; a lock belongs to the pin.
        if (server.calls === 0 && server.lock === undefined) servers.delete(key);
      };
      const refused = await enter(server, pin.id, waiterOf(request, timeoutMs));
      if (refused !== undefined) {
        forget();
        return {output: refused};
      }
      const leave = (): void => {
        server.lock?.leave();
        server.admission.leave();
        forget();
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
          lock?.close();
        }),
      );
    },
  };
}

function waiterOf({signal}: TurnRequest, timeoutMs: number): Waiter {
  return signal === undefined ? {timeoutMs} : {timeoutMs, signal};
}

/** Returns undefined once it is the call's turn, otherwise the answer that rejects the call. */
async function enter({admission, lock}: Server, pack: string, waiter: Waiter): Promise<ToolOutput | undefined> {
  const refused = await admission.enter(waiter);
  if (refused !== undefined || lock === undefined) return refused;
  try {
    await lock.enter();
    return undefined;
  } catch (error) {
    admission.leave();
    if (isKernelError(error)) return busy(`other calls of the server \`${pack}\` are running`);
    throw error;
  }
}

/** Calls with the same key wait for each other; undefined for a call that waits for none. */
function turnKey({tool, ...claim}: TurnRequest): string | undefined {
  const {id, serial, lifetime = 'call'} = tool.pack.pin;
  const span = spanOf(lifetime, claim);
  if (serial === true) return id;
  return span && `${id} ${span.lifetime} ${span.id}`;
}

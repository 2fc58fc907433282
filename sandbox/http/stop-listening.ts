import type {Server} from 'node:http';
import {Server as NetServer} from 'node:net';
import {setImmediate as nextTurn} from 'node:timers/promises';

/**
 * Accepts the connections that the system has already established, and then no more. Unlike `server.close` of HTTP it leaves idle
 * connections open: a client may be sending a request on one. The result's `closed` resolves once the last one is closed.
 */
export async function stopListening(server: Server): Promise<{readonly closed: Promise<void>}> {
  // The system resets connections that it has established and we have not accepted: a whole turn of the event loop accepts them.
  // In another one their requests are read.
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  return {closed: new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))};
}

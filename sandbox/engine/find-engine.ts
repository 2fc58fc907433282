// Finds the engine of a backend on this machine by its socket.
import {existsSync} from 'node:fs';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import {createEngineClient, type EngineClient} from './engine-client.ts';
import {engines, type EngineBackendName} from './engines.ts';

/** `socket`: the one that the workspace names. Whether the engine answers is not known yet. */
export function findEngine(backend: EngineBackendName, socket: string | undefined): Outcome<EngineClient> {
  const {program, install, start, sockets} = engines[backend];
  const candidates = socket === undefined ? sockets(process.geteuid?.() ?? 0) : [socket];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return ok(createEngineClient(found));
  if (socket !== undefined) {
    return failed({
      message: `\`${socket}\` does not exist`,
      help: `correct \`security.sandbox.backends.${backend}.socket\``,
    });
  }
  return findProgram(program) === undefined
    ? failed({message: `${backend} is not installed`, help: `install it with \`${install}\``})
    : failed({message: `${backend} is not running`, help: `start it with \`${start}\``});
}

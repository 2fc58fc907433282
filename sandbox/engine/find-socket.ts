// Finds the socket of an engine on this machine.
import {existsSync, realpathSync} from 'node:fs';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';

export interface InstalledEngine {
  readonly backend: string;
  /** The program whose absence means that it is not installed. */
  readonly program: string;
  readonly install: string;
  /** How to start it where it is installed. */
  readonly start: string;
  /** Sockets that it listens at, the preferred first. */
  sockets(uid: number): readonly string[];
}

/** `named`: the one that the workspace names. Returns its real path; whether the engine answers is not known yet. */
export function findSocket(engine: InstalledEngine, named: string | undefined): Outcome<string> {
  const {backend, program, install, start, sockets} = engine;
  const candidates = named === undefined ? sockets(process.geteuid?.() ?? 0) : [named];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return ok(realpathSync(found));
  if (named !== undefined) {
    return failed({
      message: `\`${named}\` does not exist`,
      help: `correct \`security.sandbox.backends.${backend}.socket\``,
    });
  }
  return findProgram(program) === undefined
    ? failed({
        message: `${backend} is not installed`,
        help: `install it with \`${install}\``,
      })
    : failed({
        message: `${backend} is not running`,
        help: `start it with \`${start}\``,
      });
}

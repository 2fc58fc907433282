// Finds the socket of an engine on this machine.
import {existsSync, realpathSync, statSync} from 'node:fs';
import {errorCode} from '../error-code.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';

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
  const closed = candidates.find(isClosed);
  if (closed !== undefined) return failed(noAccess(backend, closed));
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
        help: `start it with \`${start}\`, or name its socket as \`security.sandbox.backends.${backend}.socket\``,
      });
}

export function noAccess(backend: string, socket: string): SandboxProblem {
  return {
    message: `this user may not connect to ${backend} at \`${socket}\``,
    help: `add the user to the group of the socket, or set \`security.sandbox.backends.${backend}.socket\` to that of a rootless engine`,
  };
}

/** Whether it may exist in a directory that this user may not enter. */
function isClosed(path: string): boolean {
  try {
    statSync(path);
    return false;
  } catch (error) {
    return errorCode(error) === 'EACCES';
  }
}

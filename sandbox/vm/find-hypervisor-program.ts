// The program of a hypervisor: that of workspace.yaml, else the first in the directories of the system.
import {executableAt} from '../commands/executable-at.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';

export interface ProgramChoice {
  /** Absolute path; undefined: not given. */
  readonly given: string | undefined;
  /** Its key below `security.sandbox.backends`. */
  readonly option: string;
  /** How to install it. */
  readonly install: string;
}

export function findHypervisorProgram(name: string, {given, option, install}: ProgramChoice): Outcome<string> {
  const path = given === undefined ? findProgram(name) : executableAt(given);
  if (path !== undefined) return ok(path);
  return given === undefined
    ? failed({message: `${name} is not installed`, help: install})
    : failed({
        message: `\`${given}\` is not an executable file`,
        help: `correct \`security.sandbox.backends.${option}\``,
      });
}

// The paths of a server's program, which its calls see read-only.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {realpath} from 'node:fs/promises';
import {resolve} from 'node:path';
import type {UpstreamProblem} from './upstream-problem.ts';

/** Absolute, symlinks resolved; empty for a system program. */
export async function runtimePathsOf(
  {id, path}: PackPin,
  workspaceRoot: string,
): Promise<Outcome<readonly string[], UpstreamProblem>> {
  if (path === undefined) return ok([]);
  try {
    return ok([await realpath(resolve(workspaceRoot, path))]);
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return failed({
      message: `the program of the pack \`${id}\` is missing: LumenFlow cannot read \`${path}\` (${String(code)})`,
      help: 'install the server first, for example with npm, and set `path` to its folder, relative to the workspace',
    });
  }
}

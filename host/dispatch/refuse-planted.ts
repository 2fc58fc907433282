// The outcome of a call that planted files which outside programs obey, or that kept the host from checking. The call fails; its
// error names the files and where they are now.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {printablePath, type LookFindings, type Quarantined} from '@lumenflow/sandbox';
import {failedOutput} from '../pool/index.ts';

const listedMax = 20;

/** Undefined when there is nothing to refuse. */
export function refusePlanted(
  {planted, restored, unlistable, reopened, isCut}: LookFindings,
  tool: string,
  keptIn: string,
): DispatchOutcome['output'] | undefined {
  const moved = [...planted, ...restored, ...unlistable];
  const paths = [...moved.map(({path}) => path), ...reopened].map(printablePath);
  if (paths.length === 0) return isCut ? tooMany(tool) : undefined;
  const sentences = [
    sentence(
      planted,
      'is obeyed by programs outside the sandbox, and no scope names it',
      'are obeyed by programs outside the sandbox, and no scope names them',
    ),
    sentence(
      restored,
      'is a trusted symlink that the call replaced; it was put back',
      'are trusted symlinks that the call replaced; they were put back',
    ),
    sentence(unlistable, 'could not be listed', 'could not be listed'),
    sentence(
      reopened.map((path) => ({path})),
      'had been made unreadable; it was opened again',
      'had been made unreadable; they were opened again',
    ),
    ...(isCut ? ['there are more files than can be inspected'] : []),
  ].filter((text) => text !== undefined);
  return failedOutput(
    'SCOPE_DENIED',
    `\`${tool}\` left paths that it may not leave: ${sentences.join('; ')}${after(moved, keptIn)}`,
    {
      paths: paths.slice(0, listedMax),
      access: 'write',
      kept_in: keptIn,
      remedy:
        'inspect it there; to allow it, name the path itself in one write scope; the other layers need only cover it',
    },
  );
}

function after(moved: readonly Quarantined[], keptIn: string): string {
  const stuck = moved.find(({problem}) => problem !== undefined);
  if (stuck !== undefined) {
    return `. Remove \`${printablePath(stuck.path)}\` yourself: it could not be moved (${stuck.problem ?? ''})`;
  }
  return moved.length === 0 ? '' : `. What was found was moved to \`${keptIn}\``;
}

function sentence(found: readonly Pick<Quarantined, 'path'>[], one: string, many: string): string | undefined {
  if (found.length === 0) return undefined;
  const first = `\`${printablePath(found[0]?.path ?? '')}\``;
  return found.length === 1 ? `${first} ${one}` : `${first} and ${found.length - 1} more ${many}`;
}

function tooMany(tool: string): DispatchOutcome['output'] {
  return failedOutput(
    'LIMIT_EXCEEDED',
    `LumenFlow cannot check what \`${tool}\` wrote: there are too many files. Delete the files that the call created, or narrow the scopes`,
  );
}

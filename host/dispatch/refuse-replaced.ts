// The outcome of a direct call during which a hidden or sealed file was replaced outside. The call was killed and can be
// repeated.
import type {DispatchOutcome} from '@lumenflow/kernel';
import {printablePath} from '@lumenflow/sandbox';
import {failedOutput} from '../pool/index.ts';

const listedMax = 20;

/** `replaced` contains absolute paths. Returns undefined when it is empty. */
export function refuseReplaced(
  replaced: readonly string[],
  tool: string,
  workspaceRoot: string,
): DispatchOutcome['output'] | undefined {
  if (replaced.length === 0) return undefined;
  const paths = replaced.map((path) =>
    printablePath(path.startsWith(`${workspaceRoot}/`) ? path.slice(workspaceRoot.length + 1) : path),
  );
  const message =
    `\`${paths[0] ?? ''}\` was replaced or removed while \`${tool}\` ran, so the sandbox no longer protected it. ` +
    'LumenFlow ended the call. Check the file: until then the call could change it. Call the tool again; with `writes: transactional` such changes do not end a call';
  return failedOutput('WRITE_CONFLICT', message, {paths: paths.slice(0, listedMax), retryable: true});
}

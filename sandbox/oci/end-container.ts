// Ends a container that its runtime left, because the runtime or the host was killed.
import {existsSync} from 'node:fs';
import {join} from 'node:path';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {surroundedCommand, type Surroundings} from './container-command.ts';
import type {ContainerBundle} from './container-bundle.ts';
import type {OciRuntime} from './oci-runtime.ts';

export interface ContainerEnding {
  readonly runtime: OciRuntime;
  readonly programPath: string;
  readonly executor: CommandExecutor;
  surroundings(joinsNetwork: boolean): Surroundings;
  readonly uid: number;
}

const deleteMs = 10_000;

/** Does nothing if the runtime removed the container itself. Never rejects. */
export async function endContainer(
  {runtime, programPath, executor, surroundings, uid}: ContainerEnding,
  {id, stateFolder}: Pick<ContainerBundle, 'id' | 'stateFolder'>,
): Promise<void> {
  if (!isLeft(stateFolder, id)) return;
  const start = {stateFolder, isRootless: uid !== 0, joinsNetwork: false};
  const deletion = [programPath, ...runtime.globalArgs(start), 'delete', '--force', id];
  const [command = '', ...args] = [...surroundedCommand(surroundings(false)), ...deletion];
  await executor.run({
    command,
    args,
    cwd: '/',
    env: {PATH: '/usr/sbin:/usr/bin:/sbin:/bin'},
    outputSink: {kind: 'capture', maxBytes: 4000},
    timeoutMs: deleteMs,
  });
}

/** runc and crun keep a folder for each container, gVisor a file. */
function isLeft(stateFolder: string, id: string): boolean {
  return [id, `${id}_sandbox:${id}.state`].some((name) => existsSync(join(stateFolder, name)));
}

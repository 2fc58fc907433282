// Where the records of the command's workspace are, without starting a host.
import {readWorkspace} from '@lumenflow/kernel/node';
import type {ArchiveSettings, RetentionSettings, StateSettings} from '@lumenflow/schemas';
import type {CliContext} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';

export interface StateOfWorkspace {
  readonly workspaceRoot: string;
  readonly settings: StateSettings;
  /** Where old parts of the evidence are. */
  readonly archive?: ArchiveSettings | undefined;
  readonly retention?: RetentionSettings | undefined;
  /** Whether people sign in to the workspace. */
  readonly hasSignIn: boolean;
}

export async function stateOf(context: CliContext): Promise<StateOfWorkspace> {
  const workspaceRoot = findWorkspace(context);
  const read = await readWorkspace({root: workspaceRoot, env: context.env});
  if (!read.ok) {
    throw new CliError('LOAD_FAILED', 'workspace.yaml cannot be read', {
      problems: read.problem,
      exitCode: exitCode.usage,
    });
  }
  const {state: settings = {kind: 'files' as const}, archive, retention, sign_in} = read.value.spec;
  return {workspaceRoot, settings, archive, retention, hasSignIn: sign_in !== undefined};
}

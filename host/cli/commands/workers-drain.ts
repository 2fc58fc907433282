// `lumenflow workers drain`: a worker takes no more calls.
import {askWorker} from '@lumenflow/sandbox';
import {keyForWorkers} from '../../worker/key-for-workers.ts';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {keyValue} from '../workers/key-value.ts';
import {workersOf} from '../workers/workers-of.ts';

export const workersDrain: Command = async (context, [name = '']) => {
  const worker = (await workersOf(context)).find((each) => each.name === name);
  if (worker === undefined) {
    throw new CliError('INVALID_ARGUMENT', `workspace.yaml names no worker \`${name}\``, {
      help: 'list them with `lumenflow workers list`',
      exitCode: exitCode.usage,
    });
  }
  const key = keyValue(await keyForWorkers(context.env));
  const report = await askWorker(worker, 'drain', {key, workspaceRoot: findWorkspace(context)});
  if (!report.ok) throw new CliError('SANDBOX_UNAVAILABLE', report.problem.message, {help: report.problem.help});
  const {slots, free} = report.value;
  const running = slots - free;
  return {
    data: {worker: name, running},
    text: () => `${context.style.good('✔')} ${name} takes no more calls; ${running} still run there`,
  };
};

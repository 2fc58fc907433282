// `lumenflow workers list`: the workers of workspace.yaml, each of which is asked for its state now.
import {askWorker, type Outcome, type WorkerReport} from '@lumenflow/sandbox';
import type {RemoteWorker} from '@lumenflow/schemas';
import type {CliContext, Command} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {renderTable} from '../rendering/render-table.ts';
import {keyForWorkers} from '../../worker/key-for-workers.ts';
import {keyValue} from '../workers/key-value.ts';
import {workersOf} from '../workers/workers-of.ts';

interface Row {
  readonly worker: RemoteWorker;
  readonly found: Outcome<WorkerReport>;
}

export const workersList: Command = async (context) => {
  const workers = await workersOf(context);
  const rows = workers.length === 0 ? [] : await asked(workers, context);
  const {style, errorStyle} = context;
  return {
    data: {
      workers: rows.map(({worker: {name, url}, found}) => ({
        name,
        url,
        state: stateOf(found),
        ...(found.ok ? {report: found.value} : {problem: found.problem.message}),
      })),
    },
    text: () =>
      rows.length === 0
        ? ''
        : renderTable(
            rows,
            [
              {title: 'NAME', cell: ({worker}) => worker.name, paint: () => style.bold},
              {
                title: 'STATE',
                cell: ({found}) => stateOf(found),
                paint: ({found}) => (stateOf(found) === 'ready' ? style.good : style.warning),
              },
              {
                title: 'FREE',
                cell: ({found}) => (found.ok ? `${found.value.free} of ${found.value.slots}` : ''),
                align: 'right',
              },
              {title: 'BACKEND', cell: ({found}) => backendOf(found)},
              {title: 'URL', cell: ({worker}) => worker.url, shrinksTo: 20},
            ],
            style,
          ),
    note: () =>
      rows.length === 0
        ? errorStyle.dim('no workers: add one with `lumenflow workers add`')
        : rows
            .flatMap(({found}) => (found.ok ? [] : [errorStyle.dim(`${found.problem.message}: ${found.problem.help}`)]))
            .join('\n'),
  };
};

async function asked(workers: readonly RemoteWorker[], context: CliContext): Promise<readonly Row[]> {
  const key = keyValue(await keyForWorkers(context.env));
  const workspaceRoot = findWorkspace(context);
  const ask = async (worker: RemoteWorker): Promise<Row> => ({
    worker,
    found: await askWorker(worker, 'report', {key, workspaceRoot}),
  });
  return await Promise.all(workers.map(ask));
}

function stateOf(found: Outcome<WorkerReport>): 'ready' | 'draining' | 'full' | 'unusable' | 'unavailable' {
  if (!found.ok) return 'unavailable';
  const {draining, enforced, free} = found.value;
  if (enforced === null) return 'unusable';
  return draining ? 'draining' : free === 0 ? 'full' : 'ready';
}

function backendOf(found: Outcome<WorkerReport>): string {
  const enforced = found.ok ? found.value.enforced : null;
  return enforced === null ? '' : `${enforced.backend} ${enforced.version} (${enforced.tier})`;
}

// `lumenflow task show`: a task's spec, its history and its calls.
import type {Receipt, TaskView} from '@lumenflow/kernel';
import type {KernelEvent} from '@lumenflow/schemas';
import type {CliContext, Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {renderReceipts} from '../rendering/render-receipts.ts';
import {renderTable} from '../rendering/render-table.ts';
import {renderTime} from '../rendering/render-time.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {stateAliasOf} from '../state-alias.ts';
import {transitionOutcome} from '../transition-outcome.ts';
import {withHost} from '../with-host.ts';

export const taskShow: Command = async (context, [taskId = '']) =>
  await withHost(context, async ({runtime}) => {
    const found = await runtime.inspectTask(taskId);
    if (!found.success) return transitionOutcome(context, {result: found, key: 'task', said: () => ''});
    const events = await runtime.events.read({task_id: taskId});
    const {receipts} = await runtime.evidence.readTraces({task_id: taskId, limit: 20});
    const alias = stateAliasOf(runtime.workspace, found.data);
    const task = {...found.data, ...(alias !== undefined && {state_alias: alias})};
    return {
      data: {task, events, receipts},
      text: () => render(context, task, {events, receipts}),
    };
  });

function render(
  {style}: CliContext,
  task: TaskView & {readonly state_alias?: string},
  {events, receipts}: {readonly events: readonly KernelEvent[]; readonly receipts: readonly Receipt[]},
): string {
  const {spec, run, state} = task;
  const scopes = (spec.declared_scopes ?? []).map((scope) =>
    scope.type === 'path' ? `${scope.access} ${scope.pattern}` : `network ${scope.posture}`,
  );
  const facts = renderFields(
    [
      ['title', spec.title === undefined ? undefined : cleanText(spec.title)],
      ['lane', task.lane_id],
      ['state', paintOf(style, state)(task.state_alias === undefined ? state : `${task.state_alias} (${state})`)],
      ['waits for', task.blocked_reason === undefined ? undefined : cleanText(task.blocked_reason)],
      ['type', spec.type],
      ['held by', run && `${run.by}, session ${run.session_id}, run ${run.run_id}`],
      ['may touch', scopes.length === 0 ? 'everything that its lane allows' : cleanText(scopes.join('\n'))],
      ['after', spec.blocked_by?.join(', ')],
      ['about', spec.description === undefined ? undefined : cleanText(spec.description)],
    ],
    style,
  );
  const history = `\n${renderEvents(events, style)}`;
  const calls = receipts.length === 0 ? [] : [`\n${renderReceipts(receipts, style)}`];
  return [style.bold(task.task_id), facts, history, ...calls].join('\n');
}

function renderEvents(events: readonly KernelEvent[], style: Style): string {
  const now = Date.now();
  return renderTable(
    events,
    [
      {title: 'WHEN', cell: (event) => renderTime(event.timestamp, now), paint: () => style.dim},
      {title: 'WHAT', cell: (event) => event.type.replaceAll('_', ' ')},
      {title: 'BY', cell: (event) => event.actor, shrinksTo: 8},
      {title: 'WHY', cell: (event) => ('reason' in event ? (event.reason ?? '') : ''), shrinksTo: 10},
    ],
    style,
  );
}

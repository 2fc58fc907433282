// `lumenflow evidence hold list`: shows the legal holds in force.
import type {Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {withHost} from '../with-host.ts';

const names = {
  task_id: 'task',
  session_id: 'session',
  tool_name: 'tool',
  lane_id: 'lane',
  since: 'since',
  until: 'until',
} as const;

export const evidenceHoldList: Command = async (context) =>
  await withHost(context, async ({runtime}) => {
    const holds = runtime.evidence.holds();
    return {
      data: {holds},
      text: () =>
        holds.length === 0
          ? 'no legal hold is in force'
          : holds
              .map(({hold_id, covers, by, at, reason}) => {
                const what = Object.entries(covers).map(
                  ([key, value]) => `${names[key as keyof typeof names]} ${value}`,
                );
                return cleanText(`${hold_id}  ${what.join(', ')}  ${by}  ${at}  ${reason}`);
              })
              .join('\n'),
    };
  });

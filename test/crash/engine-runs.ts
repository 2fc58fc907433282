// What runs on the engine: programs with an approval in their middle, a session that asks, and a workflow of two nodes.
import type {EngineDesk} from '../support/engine-desk.ts';
import {must} from '../support/host-workspace.ts';

const leave = (key: string, intent = 'work'): object => ({
  intent,
  requested_tools: [{name: 'engine:leave', input: {key}}],
});
const complete = {status: 'complete', content: 'done'};
const keysOfAgents: Readonly<Record<string, readonly string[]>> = {
  collect: ['collect-1', 'collect-2', 'collect-3'],
  sum: ['sum-1', 'sum-2'],
  asking: ['asking-1', 'asking-2'],
};

/** By profile of a scripted model. */
export const agentScripts: Readonly<Record<string, readonly object[]>> = Object.fromEntries(
  Object.entries(keysOfAgents).map(([name, keys]) => [
    name,
    [...keys.map((key) => leave(key, name === 'asking' ? 'careful' : 'work')), complete],
  ]),
);

export const sessionIds: readonly string[] = ['flow.collect', 'flow.sum', 'errand'];

const before = [1, 2, 3, 4, 5, 6];
const after = [1, 2, 3];

const programText = `name: flow
inputs:
  n: {type: integer}
steps:
  - foreach: "[${before.join(', ')}]"
    item: step
    max: ${before.length}
    steps:
      - {call: engine:leave, args: {key: "run\${string(inputs.n)}-\${string(step)}"}}
  - wait_for_approval: Go on?
  - foreach: "[${after.join(', ')}]"
    item: step
    max: ${after.length}
    steps:
      - {call: engine:leave, args: {key: "run\${string(inputs.n)}-late-\${string(step)}"}}
  - return: done
`;

/** The ids of the programs' runs. */
export async function startRuns({session, startProgram}: EngineDesk, programs: number): Promise<readonly string[]> {
  await must(session, 'agent-workflow:start', {
    workflow_id: 'flow',
    nodes: [
      {node_id: 'collect', task: 'Collect', model_profile: 'collect'},
      {
        node_id: 'sum',
        task: 'Sum up',
        model_profile: 'sum',
        depends_on: [{node_id: 'collect'}],
        approval_required: true,
      },
    ],
  });
  await must(session, 'agent-session:start', {session_id: 'errand', task: 'Ask first', model_profile: 'asking'});
  const runs: string[] = [];
  for (let run = 0; run < programs; run += 1) runs.push(await startProgram(programText, {n: run}));
  return runs;
}

export function expectedKeys(programs: number): readonly string[] {
  const ofRun = (run: number): readonly string[] => [
    ...before.map((step) => `run${run}-${step}`),
    ...after.map((step) => `run${run}-late-${step}`),
  ];
  return [...Object.values(keysOfAgents).flat(), ...Array.from({length: programs}, (_, run) => ofRun(run)).flat()];
}

// The act in which an agent works: a model that believes a letter, under the same rules as everybody.
import {startAgentSession, type AgentEvent} from '@lumenflow/host';
import type {Stage} from './stage.ts';

/** What shall become of each call, in order. */
const expected = ['success', 'SCOPE_DENIED', 'SCOPE_DENIED', 'POLICY_DENIED'];

export async function runAgent(stage: Stage): Promise<void> {
  stage.act('An agent that believes a letter meets the same rules');
  let started = performance.now();
  let told = 0;
  const onEvent = (event: AgentEvent): void => {
    if (event.type === 'call_started') started = performance.now();
    if (event.type !== 'call_finished') return;
    const {call, output} = event;
    const code = output.success ? 'success' : String(output.error?.code);
    const {path, host} = call.input as {readonly path?: string; readonly host?: string};
    stage.tell(
      {
        title: `the agent asks for ${call.name}`,
        action: call.name,
        outcome: output.success ? 'allowed' : 'denied',
        ran: output.success ? 'pool' : 'not run',
        lines: [output.success ? String(path) : `${path ?? host}: ${output.error?.message ?? ''}`],
        as_expected: code === expected[told],
      },
      started,
    );
    told += 1;
  };
  const beginning = performance.now();
  const run = await startAgentSession(
    stage.host,
    {by: 'agent', task: 'Answer the letter', session_id: 'answer-the-letter'},
    {onEvent},
  );
  stage.tell(
    {
      title: 'the session of the agent',
      action: 'agent session',
      outcome: 'passed',
      ran: 'sandbox',
      lines: [`${run.turns} turns of a scripted model, each in the sandbox: “${run.message ?? ''}”`],
      as_expected: run.outcome === 'complete' && told === expected.length,
    },
    beginning,
  );
}

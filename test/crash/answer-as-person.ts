// The person of the runs: approves what is asked, and looks at the effects before saying whether a call happened.
import type {EngineDesk} from '../support/engine-desk.ts';
import {sessionIds} from './engine-runs.ts';

export async function answerAsPerson(desk: EngineDesk): Promise<void> {
  const {host} = desk;
  await host.runtime.refresh();
  for (const {request_id, input_ref = ''} of host.runtime.listApprovals({state: 'pending'})) {
    const shown = JSON.parse((await host.runtime.evidence.readBlob(input_ref)) ?? '{}') as {
      readonly receipt_id?: string;
    };
    // A question about a call names its receipt.
    const receipt = shown.receipt_id;
    const approved = receipt === undefined || hasHappened(desk, receipt);
    await host.runtime.resolveApproval({request_id, approved, approved_by: 'ann'});
  }
  for (const session_id of sessionIds) await settleSession(desk, session_id);
}

/** An ambiguous call is named in the message of the session, as \`TURN/CALL\`, with its receipt. */
const ambiguous = /call `(\d+)\/([^`]+)`, receipt ([^)]+)\)/u;

async function settleSession(desk: EngineDesk, session_id: string): Promise<void> {
  const {data} = await desk.session.call('agent-session:status', {session_id});
  const {outcome, message = ''} = (data ?? {}) as {readonly outcome?: string; readonly message?: string};
  const [, turn, tool_call_id, receipt = ''] = ambiguous.exec(message) ?? [];
  if (outcome !== 'ambiguous' || turn === undefined) return;
  const decision = {turn_index: Number(turn), tool_call_id, happened: hasHappened(desk, receipt)};
  const resumed = await desk.session.call(
    'agent-session:resume',
    {session_id, decisions: [decision]},
    {is_operator: true},
  );
  if (!resumed.success) throw new Error(`${session_id} was not resumed: ${JSON.stringify(resumed.error)}`);
}

function hasHappened(desk: EngineDesk, receipt_id: string): boolean {
  return desk.effects().some((effect) => effect.receipt_id === receipt_id);
}

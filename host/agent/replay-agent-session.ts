// Evaluates today's policy for each call that a session made. Nothing runs and nothing is recorded.
import type {KernelRuntime, Receipt} from '@lumenflow/kernel';
import {turnTool} from './turn-tool.ts';

export interface ReplayedCall {
  readonly receipt_id: string;
  readonly tool_name: string;
  readonly input: unknown;
  readonly intent?: string;
  readonly turn_index: number;
  /** The original decision and outcome. */
  readonly recorded: string;
  readonly today: 'allow' | 'deny' | 'approval_required';
  /** Why today's decision is not a plain allow. */
  readonly reason?: string;
  readonly rule_id?: string;
}

/** Oldest first; empty if no calls of a session are recorded under the id. Limits are not counted again. */
export async function replayAgentSession(
  runtime: Pick<KernelRuntime, 'evidence' | 'explainTool' | 'inspectTask'>,
  session_id: string,
): Promise<readonly ReplayedCall[]> {
  const task = await runtime.inspectTask(session_id);
  if (!task.success) return [];
  const {lane_id, type} = task.data.spec;
  const {receipts} = await runtime.evidence.readTracesByTaskId(session_id);
  const calls = receipts.toReversed().filter(isAskedFor);
  return await Promise.all(
    calls.map(async (receipt): Promise<ReplayedCall> => {
      const {receipt_id, started} = receipt;
      const input = await inputOf(runtime, receipt);
      const execution_metadata = started.execution_metadata ?? {};
      const explained = await runtime.explainTool(started.tool_name, input, {
        lane_id,
        ...(type !== undefined && {task_type: type}),
        execution_metadata,
      });
      const deciding = explained.policy?.deciding;
      const reason = explained.failure?.message ?? deciding?.reason;
      const {agent_intent: intent, agent_turn_index: turn} = execution_metadata;
      return {
        receipt_id,
        tool_name: started.tool_name,
        input,
        ...(typeof intent === 'string' && {intent}),
        turn_index: typeof turn === 'number' ? turn : 0,
        recorded: recordedEnd(receipt),
        today: explained.decision,
        ...(explained.decision !== 'allow' && reason !== undefined && {reason}),
        ...(explained.decision !== 'allow' && deciding !== undefined && {rule_id: deciding.rule_id}),
      };
    }),
  );
}

function isAskedFor({started: {tool_name, execution_metadata}}: Receipt): boolean {
  return execution_metadata?.['agent_tool_call_id'] !== undefined && tool_name !== turnTool;
}

async function inputOf({evidence}: Pick<KernelRuntime, 'evidence'>, {started}: Receipt): Promise<unknown> {
  const text = started.input_ref === undefined ? undefined : await evidence.readBlob(started.input_ref);
  return text === undefined ? undefined : (JSON.parse(text) as unknown);
}

function recordedEnd({finished}: Receipt): string {
  if (finished === undefined) return 'open';
  return finished.result === 'denied' && finished.error_code === 'APPROVAL_REQUIRED'
    ? 'approval_required'
    : finished.result;
}

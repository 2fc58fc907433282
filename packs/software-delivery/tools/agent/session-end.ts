// agent:session-end ends an agent session and records its outcome.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {AgentSession, SessionOutcome} from '../../agents/agent-session.ts';
import {agentSlice} from '../../agents/agent-slice.ts';
import {runningSession} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import type {PackConfig} from '../../pack-config.ts';

interface AgentSessionEndInput {
  /** Default: the caller's own. */
  readonly id?: string;
  readonly outcome: SessionOutcome;
  readonly summary?: string;
  readonly dry_run?: boolean;
}

interface AgentSessionEndOutput {
  readonly session: AgentSession;
  readonly dry_run: boolean;
}

export const agentSessionEnd: ToolDefinition<AgentSessionEndInput, AgentSessionEndOutput, PackConfig> = defineTool({
  async run({id, outcome, summary, dry_run: dryRun = false}, context) {
    const stamp = stampOf(context);
    return await openDeliveryLog(context).decide(agentSlice, (state) => {
      const running = runningSession(state, {id, sessionId: context.session_id});
      const said = {outcome, ...(summary !== undefined && {summary})};
      const event = {type: 'agent_session_ended', ...stamp, id: running.id, ...said} as const;
      return {
        events: dryRun ? [] : [event],
        result: {session: {...running, ...said, last_seen_at: stamp.at, ended_at: stamp.at}, dry_run: dryRun},
      };
    });
  },
});

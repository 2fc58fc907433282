// agent:session registers the calling agent, so that signals reach it by name.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {AgentSession} from '../../agents/agent-session.ts';
import {agentSlice} from '../../agents/agent-slice.ts';
import {runningOf} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface AgentSessionInput {
  /** The name for signals. */
  readonly agent: string;
  readonly wu_id?: string;
  readonly model?: string;
  readonly dry_run?: boolean;
}

interface AgentSessionOutput {
  readonly session: AgentSession;
  /** The agent was already registered in this session. */
  readonly resumed: boolean;
  readonly dry_run: boolean;
}

export const agentSession: ToolDefinition<AgentSessionInput, AgentSessionOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {agent, model, dry_run: dryRun = false} = input;
    const {session_id} = context;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const stamp = stampOf(context);
    const session = {
      id: `agent-${crypto.randomUUID().replaceAll('-', '')}`,
      agent,
      session_id,
      ...(unit !== undefined && {wu_id: unit.spec.id}),
      ...(model !== undefined && {model}),
    };
    return await log.decide(agentSlice, (state) => {
      const running = runningOf(state, session_id);
      const resumed = running?.agent === agent ? running : undefined;
      const begun = {...session, started_at: stamp.at, last_seen_at: stamp.at};
      const event = {type: 'agent_session_started', ...stamp, session} as const;
      return {
        events: dryRun || resumed !== undefined ? [] : [event],
        result: {session: resumed ?? begun, resumed: resumed !== undefined, dry_run: dryRun},
      };
    });
  },
});

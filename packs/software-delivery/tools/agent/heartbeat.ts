// agent:heartbeat records that the caller is alive, and renews its session's lease on the WU.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {AgentSession} from '../../agents/agent-session.ts';
import {agentSlice} from '../../agents/agent-slice.ts';
import {runningSession} from '../../agents/find-agent.ts';
import {leaseTtlMs, renewLease} from '../../claims/lease.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';
import {workUnitSlice} from '../../work-units/work-unit-slice.ts';

interface AgentHeartbeatInput {
  /** Default: the caller's own. */
  readonly id?: string;
  readonly wu_id?: string;
  readonly dry_run?: boolean;
}

interface AgentHeartbeatOutput {
  readonly session: AgentSession;
  /** The renewed lease; null if the session has none on the WU. */
  readonly lease: {readonly wu_id: string; readonly expires_at: string} | null;
  readonly dry_run: boolean;
}

export const agentHeartbeat: ToolDefinition<AgentHeartbeatInput, AgentHeartbeatOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {id, dry_run: dryRun = false} = input;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const wuId = unit?.spec.id;
    const stamp = stampOf(context);
    const session = await log.decide(agentSlice, (state) => {
      const running = runningSession(state, {id, sessionId: context.session_id});
      const about = wuId === undefined ? {} : {wu_id: wuId};
      return {
        events: dryRun ? [] : [{type: 'agent_session_seen', ...stamp, id: running.id, ...about} as const],
        result: {...running, ...about, last_seen_at: stamp.at},
      };
    });
    const held = wuId ?? session.wu_id;
    if (held === undefined) return {session, lease: null, dry_run: dryRun};
    const expiresAt = await log.decide(workUnitSlice, (state) => {
      const {events, result} = renewLease(state, {id: held, ttl_ms: leaseTtlMs(context.config), ...stamp});
      return {events: dryRun ? [] : events, result};
    });
    return {session, lease: expiresAt === undefined ? null : {wu_id: held, expires_at: expiresAt}, dry_run: dryRun};
  },
});

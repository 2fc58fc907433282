// agent:log-issue logs a problem that an agent met, so that problems can be counted and fixed.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import type {AgentIssue, NewAgentIssue} from '../../agents/agent-session.ts';
import {agentSlice} from '../../agents/agent-slice.ts';
import {readerOf} from '../../agents/find-agent.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import {stampOf} from '../../events/delivery-event.ts';
import {unitOfCall} from '../../memory/unit-of-call.ts';
import type {PackConfig} from '../../pack-config.ts';

interface AgentLogIssueInput extends Pick<
  NewAgentIssue,
  'category' | 'severity' | 'title' | 'description' | 'resolution' | 'wu_id'
> {
  readonly files?: readonly string[];
  readonly tags?: readonly string[];
  readonly dry_run?: boolean;
}

interface AgentLogIssueOutput {
  readonly issue: AgentIssue;
  readonly dry_run: boolean;
}

export const agentLogIssue: ToolDefinition<AgentLogIssueInput, AgentLogIssueOutput, PackConfig> = defineTool({
  async run(input, context) {
    const {files = [], tags = [], dry_run: dryRun = false, wu_id: _, ...said} = input;
    const log = openDeliveryLog(context);
    const unit = await unitOfCall(input, context, log);
    const stamp = stampOf(context);
    const id = `issue-${crypto.randomUUID().replaceAll('-', '')}`;
    return await log.decide(agentSlice, (state) => {
      const about = {agent: readerOf(state, context), ...(unit !== undefined && {wu_id: unit.spec.id})};
      const issue = {id, ...said, ...about, files, tags};
      return {
        events: dryRun ? [] : [{type: 'agent_issue_logged', ...stamp, issue} as const],
        result: {issue: {...issue, logged_at: stamp.at}, dry_run: dryRun},
      };
    });
  },
});

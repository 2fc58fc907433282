// agent:issues-query lists logged issues and counts the recurring ones.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {agentSlice} from '../../agents/agent-slice.ts';
import {queryIssues, type IssueQuery, type IssueReport} from '../../agents/query-issues.ts';
import {openDeliveryLog} from '../../open-delivery-log.ts';
import type {PackConfig} from '../../pack-config.ts';

interface AgentIssuesQueryInput extends IssueQuery {
  /** Default 50. */
  readonly limit?: number;
}

interface AgentIssuesQueryOutput extends IssueReport {
  /** Number of matches, before the limit. */
  readonly total: number;
}

export const agentIssuesQuery: ToolDefinition<AgentIssuesQueryInput, AgentIssuesQueryOutput, PackConfig> = defineTool({
  async run({limit = 50, ...query}, context) {
    const {issues: all} = await openDeliveryLog(context).read(agentSlice);
    const {issues, recurring, ...counts} = queryIssues(all, query);
    return {
      issues: issues.slice(0, limit),
      total: issues.length,
      ...counts,
      recurring: recurring.slice(0, limit),
    };
  },
});

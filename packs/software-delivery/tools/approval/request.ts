// approval:request asks a person a question. The pack's policy makes the call wait, so if it runs, the answer is yes.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../../nested-calls/call-or-throw.ts';

interface RequestInput {
  readonly question: string;
  /** Context that the person needs to answer. */
  readonly details?: string;
  readonly wu?: string;
}

interface RequestOutput extends RequestInput {
  readonly approved: true;
  /** Absent outside the task of a work unit. */
  readonly approved_by?: string;
}

interface Approvals {
  readonly approvals: readonly {readonly used_by?: string; readonly resolved_by?: string}[];
}

export const approvalRequest: ToolDefinition<RequestInput, RequestOutput> = defineTool({
  async run(asked, context) {
    const filter = {states: ['used'], limit: 1000};
    const {approvals} = (await callOrThrow(context, 'kernel:list-approvals', filter)) as Approvals;
    const by = approvals.find(({used_by: receipt}) => receipt === context.receipt_id)?.resolved_by;
    return {...asked, approved: true, ...(by !== undefined && {approved_by: by})};
  },
});

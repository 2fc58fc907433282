// `lumenflow changes revert`: reverts the changes of a call with a new call that policy decides like any other.
import type {Command} from '../command.ts';
import {findReceipt} from '../lookup/find-receipt.ts';
import {runCallCommand, type WrittenCall} from '../call-commands/run-call-command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';

interface Options extends Pick<WrittenCall, 'lane' | 'task' | 'session' | 'dryRun'> {
  readonly as?: string;
}

const tool = 'kernel:revert-changes';

export const changesRevert: Command<Options> = async (context, [receiptId = ''], options) => {
  return await withHost(context, async (host) => {
    const acting = await actingPerson(context, host, options.as);
    const {receipt_id, started} = await findReceipt(host.runtime, receiptId);
    const {lane, task, session} = options;
    const isElsewhere = lane ?? task ?? session ?? context.env['LUMENFLOW_SESSION'];
    const ofCall = isElsewhere === undefined && started.lane_id !== undefined ? {lane: started.lane_id} : {};
    const written = {...ofCall, ...options, fields: [`receipt_id=${receipt_id}`]};
    return await runCallCommand(context, host, {tool, input: {receipt_id}, ...acting, written});
  });
};

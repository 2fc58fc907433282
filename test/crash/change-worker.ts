// A process that writes generations, and answers what is parked of them, until it is killed. It writes a line of JSON before
// and after each step, and `ready` first. Arguments: workspace, seed, first generation.
import {startHost, type Host, type Session} from '@lumenflow/host';
import type {ToolOutput} from '@lumenflow/schemas';
import {createRandom} from './random.ts';
import {readGeneration, type Area} from './generations.ts';
import type {ChangeStep, ReportedChange} from './reported-changes.ts';
import {opened} from '../support/opened.ts';

const [, , root = '', seed = '0', first = '1'] = process.argv;
const random = createRandom(Number(seed));
const say = (line: ReportedChange | 'ready'): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

interface Parked {
  readonly receipt_id: string;
  readonly request_id: string;
  readonly generation: number;
}

const host = await startHost({workspaceRoot: root, threads: 1, onWarning: () => undefined});
const session = opened(await host.openSession({by: 'agent', lane: 'core'}));
const parked: Parked[] = [];
let free = readGeneration(root, 'free').generation;
say('ready');
for (let generation = Number(first); ; generation += 1) {
  const one = parked.length > 0 && random.next() < 0.5 ? parked.splice(random.below(parked.length), 1)[0] : undefined;
  if (one !== undefined) await answer(host, one, random.next() < 0.75);
  else await write(session, random.next() < 0.4 ? 'free' : 'asked', generation);
}

async function write(on: Session, area: Area, generation: number): Promise<void> {
  const step: ChangeStep = {does: 'write', area, generation};
  say({says: 'tries', step});
  const output = await on.call('generations:write', {area, generation});
  const receipt_id = output.metadata?.receipt_id;
  say({says: 'was', step, state: stateOf(output), receipt_id});
  if (area === 'free' && receipt_id !== undefined) {
    if (random.next() < 0.4) await revert(on, receipt_id, free);
    else free = generation;
  }
  const request_id = output.error?.details?.['request_id'];
  if (receipt_id === undefined || typeof request_id !== 'string') return;
  parked.push({receipt_id, request_id, generation});
}

async function revert(on: Session, reverts: string, generation: number): Promise<void> {
  const step: ChangeStep = {does: 'revert', reverts, generation};
  say({says: 'tries', step});
  const output = await on.call('kernel:revert-changes', {receipt_id: reverts});
  say({says: 'was', step, state: stateOf(output), receipt_id: output.metadata?.receipt_id});
}

async function answer({runtime}: Host, {receipt_id, request_id, generation}: Parked, approved: boolean): Promise<void> {
  const step: ChangeStep = {does: approved ? 'approve' : 'reject', receipt_id, generation};
  say({says: 'tries', step});
  const {success} = await runtime.resolveApproval({request_id, approved, approved_by: 'olga'});
  const state = success ? (await runtime.changes.of(receipt_id))?.state : 'refused';
  say({says: 'was', step, state: String(state), receipt_id});
}

function stateOf({success, error}: ToolOutput): string {
  if (success) return 'applied';
  return error?.code === 'CHANGES_PARKED' ? 'parked' : `${error?.code}: ${error?.message}`;
}

// A process that records a given number of calls, or until it is killed, and prints each one after it was acknowledged.
// Arguments: state folder, key folder, a prefix for receipts, number of calls.
import {createProcessRegistry} from '../lock/process-registry.ts';
import {finishedRecord, startedRecord} from '../conformance/example-records.ts';
import {claimEvent} from './claim-event.fixture.ts';
import {openSignedState} from './signed-state.fixture.ts';

const [, , stateFolder = '', keyFolder = '', prefix = '', calls = '0'] = process.argv;
const processes = createProcessRegistry();
const {evidence, contents, events, close} = await openSignedState({
  stateFolder,
  keyFolder,
  processes,
  rotateBytes: 30_000,
  checkpointEvery: 50,
});

async function call(id: string, fsync: boolean): Promise<void> {
  const {hash, ref} = await contents.put(`{"call":"${id}"}`);
  const start = startedRecord(id, {input_hash: hash, input_ref: ref, process_id: processes.processId});
  await evidence.append([start], {fsync});
  await evidence.append([finishedRecord(id)], {fsync: false});
  if (id.endsWith('0')) await events.transact(() => ({events: [claimEvent(id, 's')], result: 0}));
  process.stdout.write(`${id}\n`);
}

let next = 0;
const caller = async (): Promise<void> => {
  while (next < Number(calls)) {
    next += 1;
    await call(`${prefix}-${next}`, next % 4 === 0);
  }
};
await Promise.all(Array.from({length: 16}, caller));
await close();

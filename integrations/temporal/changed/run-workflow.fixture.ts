// The workflow as a careless change would make it: it does something else first, so recorded histories do not replay.
import {sleep} from '@temporalio/workflow';

export async function runWorkflow(): Promise<void> {
  await sleep(1_000);
}

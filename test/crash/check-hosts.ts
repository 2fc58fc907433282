// Opens a workspace in a database as one more host would, and compares its records with the acknowledgements and the real effects. Then
// the records are copied to files, where the offline verifier must say the same.
import {copyState, importToFiles, verifyEvidence, verifyWorkspaceState, readVerifierKeys} from '@lumenflow/kernel/node';
import {openPostgresState} from '@lumenflow/integration-postgres';
import type {KernelRuntime} from '@lumenflow/kernel';
import {join} from 'node:path';
import {checkCalls} from './check-calls.ts';
import {checkTasks} from './check-tasks.ts';
import {stateFolders} from './crash-workspace.ts';
import type {Expected} from './expected.ts';
import {openRuntime} from './open-crash-runtime.ts';
import type {LogLine} from './read-log.ts';

export interface CheckedHosts {
  readonly problems: readonly string[];
  readonly records: number;
}

export async function checkHosts(root: string, expected: Expected): Promise<CheckedHosts> {
  const problems: string[] = [];
  const runtime = await openRuntime('postgres', root);
  let records: readonly LogLine[] = [];
  try {
    records = await recordsOf(runtime);
    await checkCalls(runtime, records, expected, problems);
    checkTasks(runtime, (await runtime.events.read()) as unknown as readonly LogLine[], expected, problems);
  } finally {
    await runtime.close();
  }
  await checkVerifiers(root, problems);
  return {problems, records: records.length};
}

async function recordsOf(runtime: KernelRuntime): Promise<readonly LogLine[]> {
  const lines: LogLine[] = [];
  for await (const line of runtime.evidence.export()) lines.push(JSON.parse(line) as LogLine);
  return lines;
}

/** In the database and in files, the same is found. */
async function checkVerifiers(root: string, problems: string[]): Promise<void> {
  const {keyFolder} = stateFolders(root);
  const state = await openPostgresState({url: process.env['LUMENFLOW_DATABASE_URL'] ?? ''});
  const copy = join(root, 'copy', 'kernel');
  try {
    const here = await verifyWorkspaceState(state, {keys: readVerifierKeys(keyFolder)});
    await copyState({from: state, to: await importToFiles(copy)});
    const there = await verifyEvidence(copy, {keyFolder});
    for (const [where, {status, findings}] of [['database', here] as const, ['copy', there] as const]) {
      if (status !== 'verified')
        problems.push(`in the ${where}, verify says ${status}: ${findings.slice(0, 3).join('; ')}`);
    }
    if (here.root !== there.root || here.records !== there.records) problems.push('the copy has another root');
  } finally {
    await state.close();
  }
}

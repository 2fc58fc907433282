// A process that deletes contents by a rule, and archives all that is signed, again and again until it is killed. It prints a line before
// each step. Argument: workspace.
import {createProcessRegistry, openFileState} from '@lumenflow/kernel/node';
import {openCrashRuntime, smallState} from './open-crash-runtime.ts';

const [, , root = ''] = process.argv;
const by = 'archiver';
/** So that some contents stay, and are archived. */
const keptMs = 1_000;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

for (;;) {
  const runtime = await openCrashRuntime({root});
  say('expire');
  const before = new Date(Date.now() - keptMs).toISOString();
  await runtime.evidence.expire({rule: 'contents: 1s', before, by});
  await runtime.evidence.checkpoint();
  await runtime.close();
  const onArchiveStep = (step: string): void => say(step);
  const state = await openFileState({...smallState(root), processes: createProcessRegistry(), onArchiveStep});
  const now = new Date().toISOString();
  await state.archive?.({before: now, by, at: now});
  await state.close();
}

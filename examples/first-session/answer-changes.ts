// An edit of a letter is shown before it happens, waits for a person as a difference, and is sent back.
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Session} from '@lumenflow/host';
import {resolveRequest} from './resolve-request.ts';
import type {CallOutput, Stage} from './stage.ts';

const letter = 'examples/first-session/letter.md';
const change = {path: letter, old_text: 'Please answer this letter.', new_text: 'No answer is needed.'};

export async function answerChanges(stage: Stage, session: Session): Promise<void> {
  stage.act('The diff of a call is judged before anything is applied');
  const lines = [`- ${change.old_text}`, `+ ${change.new_text}`];
  await stage.call(session, 'file:edit', change, {
    title: 'shown before it happens',
    dry_run: true,
    expect: 'success',
    outcome: 'allowed',
    check: (output) => changedPaths(output).join() === letter,
    lines: (output) => [`a dry run would change ${changedPaths(output).join(', ')}; nothing is applied`],
  });
  const parked = await stage.call(session, 'file:edit', change, {
    title: 'a person is asked with the diff',
    expect: 'CHANGES_PARKED',
    outcome: 'paused',
    lines: (output) => [...lines, `request ${String(output.error?.details?.['request_id'])}`],
  });
  await resolveRequest(stage, parked, {title: 'sent back', approved: false, reason: 'the letter deserves an answer'});
  const text = await readFile(join(stage.host.workspaceRoot, letter), 'utf8');
  if (!text.includes(change.old_text)) throw new Error(`a rejected change of ${letter} was applied`);
}

function changedPaths({metadata}: CallOutput): readonly string[] {
  const {list = []} = (metadata?.['changes'] ?? {}) as {readonly list?: readonly {readonly path: string}[]};
  return list.map(({path}) => path);
}

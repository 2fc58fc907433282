// An edit of a letter is previewed, waits for a person with its diff, and is rejected.
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {Session} from '@lumenflow/host';
import {resolveRequest} from './resolve-request.ts';
import type {CallOutput, Stage} from './stage.ts';

const letter = 'examples/first-session/letter.md';
const change = {path: letter, old_text: 'Please answer this letter.', new_text: 'No answer is needed.'};

export async function answerChanges(stage: Stage, session: Session): Promise<void> {
  stage.act('Policy checks the diff of a call before it is applied');
  const lines = [`- ${change.old_text}`, `+ ${change.new_text}`];
  await stage.call(session, 'file:edit', change, {
    title: 'previewed',
    dry_run: true,
    expect: 'success',
    outcome: 'allowed',
    check: (output) => changedPaths(output).join() === letter,
    lines: (output) => [`the call would change ${changedPaths(output).join(', ')}; a dry run applies nothing`],
  });
  const parked = await stage.call(session, 'file:edit', change, {
    title: 'a person reviews the diff',
    expect: 'CHANGES_PARKED',
    outcome: 'paused',
    lines: (output) => [...lines, `request ${String(output.error?.details?.['request_id'])}`],
  });
  await resolveRequest(stage, parked, {title: 'rejected', approved: false, reason: 'the letter deserves an answer'});
  const text = await readFile(join(stage.host.workspaceRoot, letter), 'utf8');
  if (!text.includes(change.old_text)) throw new Error(`a rejected change of ${letter} was applied`);
}

function changedPaths({metadata}: CallOutput): readonly string[] {
  const {list = []} = (metadata?.['changes'] ?? {}) as {readonly list?: readonly {readonly path: string}[]};
  return list.map(({path}) => path);
}

// What a request asks a person to approve, as texts: the input, its effect, the changes.
import type {KernelRuntime, StandingApproval} from '@lumenflow/kernel';
import {readPreview} from '../../approvals/read-preview.ts';
import {changedPath} from '../../changes/changed-path.ts';
import {changesOfApproval} from '../../changes/changes-of-approval.ts';
import type {FileDiff} from '../../changes/diff-files.ts';
import type {AskedPart} from './answer-html.ts';

export async function askedParts(runtime: KernelRuntime, approval: StandingApproval): Promise<readonly AskedPart[]> {
  const {input_ref, subject} = approval;
  const input = input_ref === undefined ? undefined : await runtime.evidence.readBlob(input_ref);
  const effect = await readPreview(runtime, approval);
  const changes = await changesOfApproval(runtime, subject);
  return [
    ...(input === undefined ? [] : [{title: 'Input', text: indented(JSON.parse(input))}]),
    ...(effect === undefined ? [] : [{title: 'What the call would do', text: indented(effect)}]),
    ...(changes ? [{title: 'Changes', text: changes.map(diffText).join('\n\n')}] : []),
  ];
}

function indented(value: unknown): string {
  return JSON.stringify(value, undefined, 2);
}

function diffText({note, hunks = [], ...file}: FileDiff): string {
  const lines = hunks.flatMap(({before_start, after_start, lines: changed}) => [
    `@@ -${before_start} +${after_start} @@`,
    ...changed,
  ]);
  return [`${changedPath(file)}${note === undefined ? '' : `  (${note})`}`, ...lines].join('\n');
}

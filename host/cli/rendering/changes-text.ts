// The changes of a transactional call as lines of a receipt, and what became of them.
import type {RecordedChanges} from '@lumenflow/schemas';
import {pathText} from '../../changes/path-text.ts';
import {counted} from '../../text/counted.ts';

/** The document that `--json` prints contains more. */
const changesShown = 20;

const stateTexts: Readonly<Record<RecordedChanges['state'], string>> = {
  applied: 'applied as a whole',
  parked: 'parked until a person answers',
  discarded: 'discarded as a whole',
  merged: 'part of the changes of its caller',
  conflict: 'not applied: other calls changed the same paths',
};

export function changesText({state, count, bytes, digest, list}: RecordedChanges): string {
  const lines = list.slice(0, changesShown).map(({op, path}) => `${op.padEnd(8)} ${pathText(path)}`);
  const more = count > lines.length ? [`and ${count - lines.length} more`] : [];
  return [
    `${stateTexts[state]}: ${counted(count, 'path')}, ${counted(bytes, 'byte')}`,
    ...lines,
    ...more,
    `sha256:${digest}`,
  ].join('\n');
}

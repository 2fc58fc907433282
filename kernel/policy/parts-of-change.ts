import type {JudgedChange} from '@lumenflow/schemas';

/** What a rename does to both of its paths, so that no rule about what goes or comes there is avoided by it. */
export function partsOfChange(change: JudgedChange): readonly JudgedChange[] {
  const {path, op, from, bytes} = change;
  if (op !== 'rename' || from === undefined) return [change];
  return [
    {path: from, op: 'delete'},
    {path, op: 'create', ...(bytes !== undefined && {bytes})},
  ];
}

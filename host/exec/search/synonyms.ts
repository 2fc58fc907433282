// Words that people use for the same thing. A query's word also finds the others of its row, with less weight.
import {searchWords} from './search-words.ts';

const rows: readonly string[] = [
  'delete remove erase drop',
  'create add new make insert',
  'edit change update modify replace patch',
  'show view read fetch retrieve display details print',
  'list enumerate exist',
  'find search query grep lookup',
  'run execute start launch perform',
  'stop cancel abort end terminate',
  'finish complete done close',
  'write save store put',
  'move rename',
  'copy duplicate',
  'folder directory',
  'open navigate',
  'url link address',
  'repository repo',
  'pr pull',
  'text string content',
  'error problem issue bug',
  'person human people user',
  'message signal notification',
  'picture image screenshot photo',
  'command shell terminal',
  'config configuration setting',
  'dependency deps depend',
  'validate check verify',
  'send post',
  'approve approval accept',
  'revert undo',
  'assign delegate',
  'stalled stuck bottleneck',
  'wu unit',
  'memory remember recall knowledge',
  'status state progress',
  'task work',
  'test gate',
  'upload send push',
  'download fetch',
];

/** By a word, the others of its rows. */
export const synonyms: ReadonlyMap<string, readonly string[]> = readRows();

function readRows(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const row of rows) {
    const words = searchWords(row);
    for (const word of words) {
      found.set(
        word,
        [...new Set([...(found.get(word) ?? []), ...words])].filter((other) => other !== word),
      );
    }
  }
  return found;
}

import {expect, test} from 'vitest';
import {readNamedFile} from './read-named-file.ts';

test('a file that cannot be read is named, with the reason and what to do', async () => {
  await expect(readNamedFile({cwd: import.meta.dirname}, 'nope.js', 'name a file with code')).rejects.toMatchObject({
    code: 'FILE_NOT_FOUND',
    message: '`nope.js` does not exist',
    options: {help: 'name a file with code'},
  });
  await expect(readNamedFile({cwd: import.meta.dirname}, '.', '')).rejects.toMatchObject({
    message: '`.` cannot be read: EISDIR',
  });
  expect(await readNamedFile({cwd: import.meta.dirname}, 'read-named-file.test.ts', '')).toContain(
    'a file that cannot',
  );
});

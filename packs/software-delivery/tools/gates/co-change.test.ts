import {describe, expect, it} from 'vitest';
import {commitAll, createRepository} from '../git/git-repository.fixture.ts';
import {gateCoChange} from './co-change.ts';

describe('gate:co-change', () => {
  it('finds files that often changed together with the current work', async () => {
    const workspace = await createRepository();
    await workspace.put('a b.txt', 'x');
    for (let round = 0; round < 4; round += 1) {
      await workspace.put('schema.json', `${round}`);
      await workspace.put('tüp es.ts', `${round}`);
      if (round === 0) await workspace.put('once.md', 'x');
      await commitAll(workspace, `round ${round}`);
    }
    await workspace.put('alone.md', 'x');
    await commitAll(workspace, 'alone');
    await workspace.put('schema.json', 'new');
    const context = workspace.context(undefined);
    expect(await gateCoChange.run({}, context)).toEqual({
      paths: ['schema.json'],
      commits: 4,
      together: [{path: 'tüp es.ts', commits: 4, share: 1}],
    });
    expect(await gateCoChange.run({paths: ['schema.json'], min_commits: 1, min_share: 0}, context)).toMatchObject({
      together: [{path: 'tüp es.ts'}, {path: 'a b.txt', commits: 1, share: 0.25}, {path: 'once.md'}],
    });
    expect(await gateCoChange.run({paths: ['alone.md']}, context)).toMatchObject({commits: 1, together: []});
    await expect(gateCoChange.run({paths: ['../x']}, context)).rejects.toMatchObject({code: 'INVALID_PATH'});
  });
});

// When records are on disk: counted at Node's own fsync, which every way to the disk takes.
import {join} from 'node:path';
import {expect, test, vi} from 'vitest';
import {makeHostWorkspace, must} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

// Before anything imports these functions. The file has its own process, so nothing is restored.
const counted = vi.hoisted(() => {
  const fs = process.getBuiltinModule('node:fs');
  const counted = {syncs: 0};
  for (const name of ['fsync', 'fdatasync', 'fsyncSync', 'fdatasyncSync'] as const) {
    const counting = new Proxy(fs[name] as (...parameters: unknown[]) => unknown, {
      apply(target, self, parameters) {
        counted.syncs += 1;
        return Reflect.apply(target, self, parameters);
      },
    });
    Object.assign(fs, {[name]: counting});
  }
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
  return counted;
});

/** Whether a call that reads, and one that writes, wait for the disk. */
async function syncsOf(durability: string | undefined): Promise<{read: boolean; write: boolean}> {
  const workspace = makeHostWorkspace({
    copied: {both: join(import.meta.dirname, 'both-pack')},
    pins: {both: {trust: 'in_process'}},
    spec: {...(durability !== undefined && {evidence: {durability}})} as object,
  });
  try {
    const session = opened(await (await workspace.start()).openSession({by: 'tester'}));
    const during = async (tool: string, input: object): Promise<boolean> => {
      const before = counted.syncs;
      await must(session, tool, input);
      return counted.syncs > before;
    };
    // What opening the session left to do is done.
    await must(session, 'pool:echo');
    return {read: await during('pool:echo', {}), write: await during('pool:claim', {})};
  } finally {
    await workspace.remove();
  }
}

test.each([
  [undefined, {read: false, write: true}],
  ['auto', {read: false, write: true}],
  ['always', {read: true, write: true}],
  ['process', {read: false, write: false}],
])('ignored-config: evidence.durability %s, with permission', async (durability, expected) => {
  expect(await syncsOf(durability)).toEqual(expected);
});

// A transactional call leaves the same tree as a direct run of the same commands, for an ordinary user as well.
import {execFileSync} from 'node:child_process';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';
import {openUserBench, whyNoUserBench, type UserBench} from './transactional-writes-user.fixture.ts';

const before = `
find . -mindepth 1 -maxdepth 1 ! -name .lumenflow -exec chmod -R u+rwX {} + -exec rm -rf {} +
mkdir -p docs/deep locked/in go/pkg gone/ro; echo a > docs/a; echo b > docs/deep/b; echo c > locked/f; echo c > locked/in/g
echo d > go/pkg/mod; mkdir -p twin/in twin/empty; echo t > twin/in/f; ln -s twin other; ln -s twin loop
mkdir loops; ln -s loops loops/loops; echo e > gone/ro/f; chmod 555 locked gone/ro
`;
/** Read-only trees, permissions that deny everyone, hard links, nanosecond times, symlinks to system paths. */
const script = `
mkdir ro ro/in; echo 1 > ro/f; echo 2 > ro/in/g; chmod 555 ro/in ro
echo 1 > docs/deep/new; chmod 555 docs/deep
chmod u+w locked; rm locked/f; echo n > locked/n; chmod u-w locked
chmod -R a-w go
chmod u+w gone/ro; rm -r gone
rm other; mkdir -p other/in other/empty; echo o > other/in/f
rm loop; ln -s loop loop; rm -r loops; ln -s loops loops
echo 1 > closed; chmod 0 closed; echo 2 >> docs/a; chmod 0 docs/a
echo x > x; touch -d '2001-02-03 04:05:06.123456789' x; ln x y
mkdir link; ln -s /usr/bin/env link/env; ln -s link/env way; ln -s self self
d=.; for i in $(seq 60); do d=$d/nested; mkdir $d; echo $i > $d/f; done
`;
/** Names, kinds, permissions, link counts and symlink targets; for `x`, its time as well. */
const list = `find . -path ./.lumenflow -prune -o -mindepth 1 -printf '%P %y %m %l' \\( -type f -printf ' %n %s' \\) -printf '\\n' | sort; stat -c '%y' x`;

interface Runner {
  shell(script: string): string;
  call(script: string): Promise<{readonly output: unknown}>;
}

async function compare({shell, call}: Runner): Promise<void> {
  shell(before);
  shell(script);
  const direct = shell(list);
  shell(before);
  expect((await call(script)).output).toMatchObject({success: true});
  expect(shell(list).split('\n')).toEqual(direct.split('\n'));
}

describe('the tree after a call equals the tree after a direct run', () => {
  let bench: TransactionBench;
  let user: UserBench | undefined;
  beforeAll(() => {
    bench = openTransactionBench();
    user = whyNoUserBench() === undefined ? openUserBench() : undefined;
  });
  afterAll(async () => {
    await bench.close();
    user?.close();
  });

  test('as the user who runs the tests', async () => {
    const shell = (text: string): string => execFileSync('bash', ['-c', text], {cwd: bench.root, encoding: 'utf8'});
    await compare({shell, call: (text) => bench.call(text, '**')});
  });

  test.skipIf(whyNoUserBench() !== undefined)('as an ordinary user', async () => {
    if (user !== undefined) await compare(user);
  });

  test('a new hard link to an existing file links to that file', async () => {
    const shell = (text: string): string => execFileSync('bash', ['-c', text], {cwd: bench.root, encoding: 'utf8'});
    shell(before);
    const {changes} = await bench.call('ln docs/a docs/again', '**');
    expect(changes?.entries).toMatchObject([{path: 'docs/again', op: 'link', from: 'docs/a'}]);
    expect(shell('stat -c %i docs/a')).toBe(shell('stat -c %i docs/again'));
  });
});

import {chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {
  fillWorkspace,
  openTransactionBench,
  type CallOptions,
  type TransactionBench,
} from './transactional-writes.fixture.ts';
import type {SettledCall} from './settle-call.fixture.ts';

let bench: TransactionBench;
beforeAll(() => {
  bench = openTransactionBench();
});
afterAll(async () => await bench.close());
beforeEach(() => fillWorkspace(bench));
afterEach(() => expect(bench.leftovers()).toEqual([]));

interface Nested {
  readonly caller: SettledCall;
  readonly nested: readonly SettledCall[];
}

/** A call that runs one script, makes these calls concurrently, and runs another script. */
async function nest(
  [first, last]: readonly [string, string],
  calls: readonly Omit<CallOptions, 'caller'>[],
  patterns: readonly string[] = ['docs/**'],
): Promise<Nested> {
  let nested: readonly SettledCall[] = [];
  const caller = await bench.run({
    handler: 'shellAroundOthers',
    input: {first, last},
    patterns,
    receiptId: 'rcp-caller',
    others: async () => {
      const made = calls.map(
        async (options, index) => await bench.run({...options, receiptId: `rcp-${index}`, caller: 'rcp-caller'}),
      );
      nested = await Promise.all(made);
    },
  });
  return {caller, nested};
}

const shell = (script: string, patterns: readonly string[] = ['docs/**']): Omit<CallOptions, 'caller'> => ({
  input: {script},
  patterns,
});
const read = (path: string): string => readFileSync(join(bench.root, path), 'utf8');
const said = ({output}: SettledCall): string => String((output.data as {said?: string} | undefined)?.said);

describe('a nested call works in the view of its caller', () => {
  test("it sees its caller's writes, and its caller sees its writes", async () => {
    const {caller, nested} = await nest(
      [
        'echo caller > docs/a.md; mkdir docs/made; echo 1 > docs/made/f; rm -r docs/deep',
        'cat docs/a.md docs/made/g; ls docs/made',
      ],
      [shell('cat docs/a.md docs/made/f; ls docs; echo nested >> docs/a.md; echo 2 > docs/made/g; rm docs/made/f')],
    );
    expect(said(nested[0]!)).toBe('caller\n1\na.md\nb.md\nmade\n');
    expect(said(caller)).toBe('caller\nnested\n2\ng\n');
    expect(bench.tree()).toMatchObject({'docs/a.md': '644 caller\nnested\n', 'docs/made/g': '644 2\n'});
    expect(bench.tree()).not.toHaveProperty(['docs/deep/']);
  });

  test('the workspace is unchanged until the caller succeeds, and stays unchanged when it fails', async () => {
    const before = bench.tree();
    const {caller, nested} = await nest(
      ['true', 'exit 3'],
      [shell('echo nested > docs/a.md; mkdir docs/n; rm docs/b.md')],
    );
    expect([caller.output.success, nested[0]?.output.success]).toEqual([false, true]);
    expect(bench.tree()).toEqual(before);
  });

  test('a failed nested call is discarded, and its caller continues', async () => {
    const {caller, nested} = await nest(
      ['echo caller > docs/a.md', 'cat docs/a.md'],
      [shell('echo nested > docs/a.md; exit 1')],
    );
    expect(nested[0]?.output.success).toBe(false);
    expect(said(caller)).toBe('caller\n');
  });

  test('its own grant applies, and its caller may contain what that grant allows', async () => {
    const {caller, nested} = await nest(
      ['true', 'true'],
      [shell('echo nested > docs/b.md', ['docs/a.md']), shell('echo nested > other.txt', ['other.txt'])],
    );
    expect(nested.map(({output}) => output.success)).toEqual([false, true]);
    expect(caller.output.success).toBe(true);
    expect([read('docs/b.md'), read('other.txt')]).toEqual(['b', 'nested\n']);
  });

  test('siblings run concurrently, and the second that changes a path conflicts', async () => {
    const {caller, nested} = await nest(
      ['true', 'cat docs/one docs/two'],
      [
        shell('echo 1 > docs/one; sleep 0.3; echo x > docs/a.md'),
        shell('echo 2 > docs/two; sleep 0.3; echo y > docs/a.md'),
      ],
    );
    const won = nested.findIndex(({output, conflicts}) => output.success && conflicts === undefined);
    expect(nested.filter(({conflicts}) => conflicts !== undefined)).toHaveLength(1);
    expect(caller.output.success).toBe(false);
    expect(nested[1 - won]?.conflicts).toEqual(['docs/a.md']);
  });

  test("a call that only reads sees its caller's writes, through the context's fs as well", async () => {
    const {nested} = await nest(
      ['echo caller > docs/a.md; rm docs/b.md', 'true'],
      [{handler: 'readBothWays', input: {path: 'docs/a.md'}, patterns: ['docs/**'], readsOnly: true}],
    );
    expect(nested[0]?.output).toMatchObject({success: true, data: {inside: 'caller\n', brokered: 'caller\n'}});
  });

  test('a directory that its caller created is granted like any other', async () => {
    const {caller, nested} = await nest(
      ['mkdir -p made/deep', 'cat made/deep/f made/g'],
      [
        shell('echo 1 > made/deep/f; echo 2 > made/g', ['made/**']),
        {handler: 'readBothWays', input: {path: 'made/none'}, patterns: ['made/**'], readsOnly: true},
        shell('true', ['made/deep/**']),
      ],
      ['**'],
    );
    expect(nested.map(({output}) => output.error?.code)).toEqual([undefined, 'TOOL_EXECUTION_FAILED', undefined]);
    expect(said(caller)).toBe('1\n2\n');
  });

  test('a symlink of the caller does not lead it out of its grant', async () => {
    writeFileSync(join(bench.root, '../outside'), 'outside');
    mkdirSync(join(bench.root, 'docs/swap'));
    const {nested} = await nest(
      ['rmdir docs/swap; ln -s ../.. docs/swap', 'rm docs/swap'],
      [shell('cat docs/swap/outside; echo x > docs/swap/outside', ['docs/swap/**'])],
    );
    expect(nested[0]?.output.success).toBe(false);
    expect(readFileSync(join(bench.root, '../outside'), 'utf8')).toBe('outside');
    rmSync(join(bench.root, '../outside'));
  });
});

describe('names that appear and disappear', () => {
  test('a nested call removes, renames and replaces existing files and files of its caller', async () => {
    const {caller, nested} = await nest(
      ['mkdir docs/made; echo 1 > docs/made/f; echo 2 > docs/made/g; echo caller > docs/deep/caller', 'true'],
      [
        shell(
          'mv docs/a.md docs/z.md; rm docs/made/f; mv docs/made/g docs/made/h; rm -r docs/deep; mkdir docs/deep; echo n > docs/deep/n; rm docs/b.md; mkdir docs/b.md; echo d > docs/b.md/d',
        ),
      ],
    );
    expect([nested[0]?.output.success, caller.output.success]).toEqual([true, true]);
    const {tree} = bench;
    expect(Object.keys(tree()).filter((path) => path.startsWith('docs/'))).toEqual([
      'docs/',
      'docs/b.md/',
      'docs/b.md/d',
      'docs/deep/',
      'docs/deep/n',
      'docs/made/',
      'docs/made/h',
      'docs/z.md',
    ]);
    expect([read('docs/z.md'), read('docs/made/h'), read('docs/deep/n')]).toEqual(['a\r\n', '2\n', 'n\n']);
  });

  test('existing directories can be renamed', async () => {
    const {caller} = await nest(
      ['echo c > docs/deep/caller', 'cat docs/shallow/caller docs/shallow/c.md'],
      [shell('mv docs/deep docs/shallow; echo n > docs/shallow/n')],
    );
    expect(said(caller)).toBe('c\nc');
    expect(bench.tree()).toMatchObject({'docs/shallow/er/d.md': '644 d', 'docs/shallow/n': '644 n\n'});
    expect(bench.tree()).not.toHaveProperty(['docs/deep/']);
  });

  test('hard links are preserved, and read-only directories keep their permissions', async () => {
    const {caller} = await nest(
      ['true', 'true'],
      [
        shell(
          'echo 1 > docs/one; ln docs/one docs/two; ln docs/a.md docs/c.md; mkdir docs/ro; echo r > docs/ro/r; chmod 555 docs/ro',
        ),
      ],
    );
    expect(caller.output.success).toBe(true);
    const tree = bench.tree();
    // Lets an ordinary user remove it.
    chmodSync(join(bench.root, 'docs/ro'), 0o755);
    const inode = (path: string): number => lstatSync(join(bench.root, path)).ino;
    expect([inode('docs/two'), inode('docs/c.md')]).toEqual([inode('docs/one'), inode('docs/a.md')]);
    expect(tree).toMatchObject({'docs/ro/': '555', 'docs/ro/r': '644 r\n'});
  });

  test('several concurrent calls can create the same directory', async () => {
    const make = (name: string): string => `mkdir docs/made; sleep 0.2; echo 1 > docs/made/${name}`;
    const {caller, nested} = await nest(
      ['true', 'ls docs/made'],
      [shell(make('x')), shell(make('y')), shell(make('z'))],
    );
    expect(nested.map(({output}) => output.error)).toEqual([undefined, undefined, undefined]);
    expect(said(caller)).toBe('x\ny\nz\n');
  });

  test('consecutive nested calls build on the merged changes', async () => {
    let second: SettledCall | undefined;
    const caller = await bench.run({
      handler: 'shellAroundOthers',
      input: {first: 'true', last: 'ls docs; cat docs/new'},
      patterns: ['docs/**'],
      receiptId: 'rcp-caller',
      others: async () => {
        await bench.run({...shell('echo 1 > docs/new; rm docs/a.md'), caller: 'rcp-caller'});
        second = await bench.run({
          ...shell('echo 2 >> docs/new; echo back > docs/a.md; rm docs/b.md'),
          caller: 'rcp-caller',
        });
      },
    });
    expect(second?.output.success).toBe(true);
    expect(said(caller)).toBe('a.md\ndeep\nnew\n1\n2\n');
    expect(read('docs/a.md')).toBe('back\n');
  });
});

describe('several levels of callers', () => {
  const deep = async (last: string): Promise<readonly [SettledCall, SettledCall | undefined]> => {
    let inner: SettledCall | undefined;
    const outer = await bench.run({
      handler: 'shellAroundOthers',
      input: {first: 'echo outer > docs/a.md', last},
      patterns: ['docs/**'],
      receiptId: 'rcp-outer',
      others: async () => {
        await bench.run({
          handler: 'shellAroundOthers',
          input: {first: 'echo middle >> docs/a.md; rm docs/b.md', last: 'cat docs/a.md > docs/seen'},
          patterns: ['docs/**'],
          receiptId: 'rcp-middle',
          caller: 'rcp-outer',
          others: async () => {
            inner = await bench.run({
              ...shell('cat docs/a.md; ls docs; echo inner >> docs/a.md'),
              caller: 'rcp-middle',
            });
          },
        });
      },
    });
    return [outer, inner];
  };

  test('each sees the writes of all its predecessors', async () => {
    const [outer, inner] = await deep('cat docs/seen');
    expect(inner && said(inner)).toBe('outer\nmiddle\na.md\ndeep\n');
    expect(said(outer)).toBe('outer\nmiddle\ninner\n');
    expect(read('docs/a.md')).toBe('outer\nmiddle\ninner\n');
  });

  test('everything is discarded when the outermost call fails', async () => {
    const before = bench.tree();
    await deep('exit 1');
    expect(bench.tree()).toEqual(before);
  });
});

test("a person who changes a nested call's file causes a conflict for its caller", async () => {
  const caller = await bench.run({
    handler: 'shellAroundOthers',
    input: {first: 'true', last: 'true'},
    patterns: ['docs/**'],
    receiptId: 'rcp-caller',
    others: async () => {
      await bench.run({...shell('echo nested > docs/a.md'), caller: 'rcp-caller'});
      writeFileSync(join(bench.root, 'docs/a.md'), 'person');
    },
  });
  expect(caller.conflicts).toEqual(['docs/a.md']);
  expect(read('docs/a.md')).toBe('person');
});

test('a call whose caller is over does not run', async () => {
  const {output} = await bench.run({...shell('echo late > docs/a.md'), caller: 'rcp-gone'});
  expect(output.error?.code).toBe('TOOL_CANCELLED');
  expect(read('docs/a.md')).toBe('a\r\n');
});

test('a handler that passes on a sandbox failure is not started again', async () => {
  const {output} = await bench.run({handler: 'handOnFailure', input: {}, patterns: ['docs/**'], writes: 'direct'});
  expect(output.error).toMatchObject({code: 'SANDBOX_UNAVAILABLE', details: {retryable: true}});
  expect(read('docs/ran')).toBe('x');
});

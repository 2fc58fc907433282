import {existsSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, expectTypeOf, test} from 'vitest';
import {defineTool} from '../define-tool.ts';
import type {ScopedFileSystem, ToolContext} from '../tool-context.ts';
import {ToolError} from '../tool-error.ts';
import {runTool, type RunToolOptions} from './run-tool.ts';

/** Runs an operation on files and gives what it gives, or the code that it fails with. */
async function onFiles(
  operate: (fs: ScopedFileSystem, context: ToolContext) => Promise<unknown>,
  options: RunToolOptions = {},
): Promise<unknown> {
  const run = await runTool(
    defineTool({run: async (_input, ctx) => ({value: await operate(ctx.fs, ctx)})}),
    {},
    options,
  );
  return run.output.success ? (run.output.data as {value?: unknown}).value : run.output.error?.code;
}

describe('runTool', () => {
  test('gives output, files, state, progress and log', async () => {
    const tool = defineTool<{to: string}, {bytes: number}, {greeting: string}>({
      async run({to}, ctx) {
        await ctx.progress({percent: 50});
        ctx.log.info('writing', {to});
        const text = `${ctx.config.greeting} ${ctx.env['NAME']} ${await ctx.fs.readText('a.txt')}`;
        await ctx.fs.write(to, text);
        await ctx.fs.remove('old.txt');
        return {bytes: text.length};
      },
    });
    const run = await runTool(
      tool,
      {to: 'out/b.txt'},
      {config: {greeting: 'Hello'}, env: {NAME: 'Ada'}, files: {'a.txt': 'aye', 'old.txt': ''}},
    );
    expect(run).toEqual({
      output: {success: true, data: {bytes: 13}},
      files: {'a.txt': 'aye', 'out/b.txt': 'Hello Ada aye'},
      written: ['out/b.txt'],
      removed: ['old.txt'],
      state: {},
      progress: [{percent: 50}],
      log: [{level: 'info', message: 'writing', fields: {to: 'out/b.txt'}}],
    });
    expectTypeOf(run.output.data).toEqualTypeOf<{bytes: number} | undefined>();
  });

  test('what the tool throws is its output; its folder is gone afterwards', async () => {
    let root = '';
    const tool = defineTool({
      run(_input, ctx) {
        root = ctx.workspace_root;
        expect(existsSync(root)).toBe(true);
        throw new ToolError('NO_LUCK', 'none today', {left: 0});
      },
    });
    const {output} = await runTool(tool, {});
    expect(output).toEqual({success: false, error: {code: 'NO_LUCK', message: 'none today', details: {left: 0}}});
    expect(existsSync(root)).toBe(false);
  });

  test('other tools and commands are what the test lends', async () => {
    const tool = defineTool({
      run: async (_input, ctx) => ({called: await ctx.callTool('a:b', {n: 1}), ran: await ctx.exec('git', ['log'])}),
    });
    const exec: ToolContext['exec'] = async (command, args) => ({
      stdout: [command, ...args].join(' '),
      stderr: '',
      exit_code: 0,
      truncated: false,
      timed_out: false,
    });
    const lent = await runTool(tool, {}, {exec, callTool: (name, input) => ({success: true, data: {name, input}})});
    expect(lent.output.data).toMatchObject({
      called: {success: true, data: {name: 'a:b', input: {n: 1}}},
      ran: {stdout: 'git log'},
    });
    const alone = await runTool(defineTool({run: (_input, ctx) => ctx.callTool('a:b', {})}), {});
    expect(alone.output.error?.code).toBe('TOOL_NOT_FOUND');
    const bare = await runTool(tool, {});
    expect(bare.output.error?.code).toBe('EXEC_NEEDS_SANDBOX');
  });

  test.each(['before', 'while'])('a signal that aborts %s the call reaches the handler', async (when) => {
    const controller = new AbortController();
    if (when === 'before') controller.abort();
    const tool = defineTool({
      async run(_input, {signal}) {
        if (!signal.aborted) {
          const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
          controller.abort();
          await aborted;
        }
        signal.throwIfAborted();
      },
    });
    const {output} = await runTool(tool, {}, {signal: controller.signal});
    expect(output.error).toMatchObject({code: 'TOOL_CANCELLED'});
  });

  test('mistakes of the test are thrown', async () => {
    const tool = defineTool({run: () => ({})});
    await expect(runTool(tool, {at: new Map()})).rejects.toThrow('the input is not JSON at /at');
    await expect(runTool(tool, {}, {config: {n: Number.NaN}})).rejects.toThrow('the config is not JSON');
    await expect(runTool(tool, {}, {files: {'../x': ''}})).rejects.toThrow('not a path below');
    await expect(runTool(tool, {}, {grants: {read: ['**/*.md']}})).rejects.toThrow('test the pattern with testPack');
  });
});

describe('ctx.fs', () => {
  const files = {'docs/a.md': 'a', 'docs/deep/b.md': 'b', 'src/c.ts': 'c', 'docsx/d': 'd'};
  const grants = {read: ['docs/**'], write: ['out/one.txt']};

  test.each<[string, (fs: ScopedFileSystem) => Promise<unknown>, unknown]>([
    ['reads what is granted', (fs) => fs.readText('./docs//deep/b.md'), 'b'],
    ['reads what may be written', (fs) => fs.write('out/one.txt', 'x').then(() => fs.readText('out/one.txt')), 'x'],
    ['no reading beside', (fs) => fs.read('src/c.ts'), 'SCOPE_DENIED'],
    ['no reading of a longer name', (fs) => fs.read('docsx/d'), 'SCOPE_DENIED'],
    ['no writing where only reading is granted', (fs) => fs.write('docs/a.md', ''), 'SCOPE_DENIED'],
    ['no removing', (fs) => fs.remove('docs/a.md'), 'SCOPE_DENIED'],
    ['no asking', (fs) => fs.stat('src/c.ts'), 'SCOPE_DENIED'],
    ['no asking after a file that is named as the way to a granted one', (fs) => fs.stat('src'), 'SCOPE_DENIED'],
    ['no way around', (fs) => fs.read('docs/../src/c.ts'), 'SCOPE_DENIED'],
    ['a way round to what is granted', (fs) => fs.readText('src/../docs/a.md'), 'a'],
    ['no way out', (fs) => fs.read('docs/../../src/c.ts'), 'INVALID_PATH'],
    ['no other system’s paths', (fs) => fs.read('docs\\a.md'), 'INVALID_PATH'],
    ['no absolute path', (fs) => fs.read('/etc/hostname'), 'INVALID_PATH'],
    ['a missing file', (fs) => fs.read('docs/none'), 'NOT_FOUND'],
    ['nothing there', (fs) => fs.stat('docs/none'), undefined],
    ['nothing below a file', (fs) => fs.stat('docs/a.md/x'), undefined],
    ['a folder is no file', (fs) => fs.read('docs'), 'NOT_A_FILE'],
    ['a file is no folder', (fs) => fs.list('docs/a.md'), 'NOT_A_DIRECTORY'],
  ])('%s', async (_name, operate, expected) => {
    expect(await onFiles(operate, {files, grants})).toEqual(expected);
  });

  test('lists what may be read or leads to it', async () => {
    expect(await onFiles((fs) => fs.list('.'), {files, grants})).toEqual([{name: 'docs', kind: 'directory'}]);
    expect(await onFiles((fs) => fs.list('docs'), {files, grants})).toEqual([
      {name: 'a.md', kind: 'file'},
      {name: 'deep', kind: 'directory'},
    ]);
    expect(await onFiles((fs) => fs.stat('docs/a.md'), {files, grants})).toMatchObject({kind: 'file', size: 1});
  });

  test('exclusive writes, folders that are not empty, folders that are', async () => {
    expect(await onFiles((fs) => fs.write('docs/a.md', 'z', {exclusive: true}), {files})).toBe('EXISTS');
    expect(await onFiles((fs) => fs.remove('docs'), {files})).toBe('NOT_EMPTY');
    const emptied = async (fs: ScopedFileSystem): Promise<unknown> => {
      await fs.remove('src/c.ts');
      await fs.remove('src');
      return (await fs.list('.')).map(({name}) => name);
    };
    expect(await onFiles(emptied, {files})).toEqual(['docs', 'docsx']);
  });

  test('links lead only to what is granted, and nothing is changed through them', async () => {
    const linked = {files, grants: {read: ['docs/**'], write: ['out/**']}};
    const withLink = (target: string, name: string, operate: (fs: ScopedFileSystem) => Promise<unknown>) =>
      onFiles(async (fs, ctx) => {
        await fs.write('out/kept', '');
        symlinkSync(target, join(ctx.workspace_root, name));
        return await operate(fs);
      }, linked);
    expect(await withLink('a.md', 'docs/link', (fs) => fs.readText('docs/link'))).toBe('a');
    expect(await withLink('../src/c.ts', 'docs/link', (fs) => fs.readText('docs/link'))).toBe('SCOPE_DENIED');
    expect(await withLink('/etc', 'docs/link', (fs) => fs.list('docs/link'))).toBe('SCOPE_DENIED');
    expect(await withLink('/tmp', 'out/link', (fs) => fs.write('out/link/x', ''))).toBe('SCOPE_DENIED');
    expect(await withLink('../src/c.ts', 'out/link', (fs) => fs.write('out/link', ''))).toBe('SCOPE_DENIED');
  });
});

import {runTool} from '@lumenflow/pack-sdk/testing';
import {describe, expect, it} from 'vitest';
import type {SoftwareDeliveryConfig} from '../pack-config.ts';
import {cliList} from '../tools/cli/list.ts';
import {cliRunRead} from '../tools/cli/run-with-permission.ts';
import {cliRun} from '../tools/cli/run.ts';

const config: SoftwareDeliveryConfig = {
  cli: {
    root: 'commands',
    commands: {
      greet: {
        permission: 'read',
        description: 'Greets',
        args_schema: {type: 'array', maxItems: 1, items: {minLength: 2}},
      },
      publish: {module: 'release/publish', permission: 'admin', description: 'Publishes'},
      broken: {permission: 'write', description: 'Broken', args_schema: {type: 'arrays'}},
    },
  },
};

describe('cli:list', () => {
  it('lists the configured commands, also by permission', async () => {
    const {output} = await runTool(cliList, {}, {config});
    expect(output.data).toMatchObject({
      root: 'commands',
      commands: [{command: 'greet'}, {command: 'publish'}, {command: 'broken'}],
    });
    expect((await runTool(cliList, {permission: 'admin'}, {config})).output.data?.commands).toEqual([
      {command: 'publish', module: 'release/publish', permission: 'admin', description: 'Publishes'},
    ]);
    expect((await runTool(cliList, {}, {config: {}})).output.data).toEqual({root: null, commands: []});
  });
});

describe('cli:run', () => {
  const asked: unknown[] = [];
  const callTool = (name: string, input: unknown) => {
    asked.push([name, input]);
    return {success: false, error: {code: 'APPROVAL_REQUIRED', message: 'wait'}} as const;
  };

  it('calls the tool of the command’s permission and returns its output', async () => {
    const {output} = await runTool(cliRun, {command: 'publish', args: ['--now'], stdin: 'x'}, {config, callTool});
    expect(output.error).toMatchObject({code: 'APPROVAL_REQUIRED'});
    expect(asked).toEqual([['cli:run-admin', {command: 'publish', args: ['--now'], stdin: 'x'}]]);
  });

  it('runs nothing in a dry run', async () => {
    const {output} = await runTool(cliRun, {command: 'greet', args: ['Ada'], dry_run: true}, {config});
    expect(output.data).toEqual({command: 'greet', permission: 'read', args: ['Ada'], dry_run: true});
  });

  it.each([
    ['CLI_COMMAND_NOT_FOUND', {command: 'constructor'}],
    ['CLI_ARGUMENTS_INVALID', {command: 'greet', args: ['A']}],
    ['CLI_ARGUMENTS_INVALID', {command: 'greet', args: ['Ada', 'Bob']}],
    ['CLI_SCHEMA_INVALID', {command: 'broken'}],
  ])('returns %s', async (code, input) => {
    expect((await runTool(cliRun, input, {config})).output.error).toMatchObject({code});
  });

  it('reports which arguments are not valid', async () => {
    const {output} = await runTool(cliRun, {command: 'greet', args: ['A', 'Bob']}, {config});
    expect(output.error?.message).toBe(
      'the arguments of `greet` are not valid: they must NOT have more than 1 items, `/0` must NOT have fewer than 2 characters',
    );
  });

  it('fails without configured commands', async () => {
    expect((await runTool(cliRun, {command: 'greet'}, {config: {}})).output.error).toMatchObject({
      code: 'CLI_NOT_CONFIGURED',
    });
  });
});

describe('a tool of one permission', () => {
  it('does not run a command of another permission', async () => {
    const {output} = await runTool(cliRunRead, {command: 'publish'}, {config});
    expect(output.error).toMatchObject({code: 'CLI_PERMISSION_MISMATCH'});
  });
});

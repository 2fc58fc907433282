import {expect, test} from 'vitest';
import {createStyle} from '../rendering/style.ts';
import {domainHelp, toolHelp} from './tool-help.ts';

const style = createStyle({colour: false, width: 80});
const kinds = ['feature', 'bug', 'documentation', 'chore'];
const create = {
  name: 'wu:create',
  description: 'Creates a work unit: checks it, and more. It is long.',
  handler_entry: 'x#x',
  permission: 'write' as const,
  input_schema: {
    type: 'object',
    required: ['type'],
    properties: {
      type: {enum: kinds},
      task: {type: 'string', description: 'Its task'},
      size: {enum: [1, 2]},
      tags: {type: 'array', items: {}},
      dry_run: {type: 'boolean'},
    },
  },
};

test('each flag appears with its type; long lists of values appear in the description', () => {
  expect(toolHelp(create, style)).toBe(`Usage: lumenflow wu create --type <value> [flags]

Creates a work unit: checks it, and more. It is long.

Flags:
  --type <value>  one of feature, bug, documentation, chore (required)
  --task <text>   Its task
  --size <1|2>
  --tags <value>  (can be repeated)
  --dry-run       (or --no-dry-run)

Call options:
  --input      the input as JSON, @file, or - for stdin
  --lane       lane of the call's own task (default: the first lane)
  --call-task  call in this active task
  --session    continue in the task of this session (default: LUMENFLOW_SESSION)
  --as         your name
  --edit       write the input in your editor (VISUAL or EDITOR)`);
});

test('a domain lists its commands by the first sentence, and a tool without input has no flags', () => {
  const {input_schema: _, ...bare} = {...create, name: 'wu:end', description: 'Ends\u001b[2J it.'};
  expect(domainHelp('wu', [create, bare], style)).toBe(`Usage: lumenflow wu <command> [flags]

Commands:
  create  Creates a work unit
  end     Ends\\x1b[2J it

details: lumenflow wu <command> --help`);
  expect(toolHelp(bare, style)).not.toContain('Flags:');
});

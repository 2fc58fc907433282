// The tools of the facade: a model finds and calls all others through them, so its list stays short however many tools there are.
import type {Tool} from '@modelcontextprotocol/server';
import {codeRequestShape, toolChainShape} from '@lumenflow/schemas/shapes';

const tool = {type: 'string', maxLength: 256, description: 'Name of the tool, as search_tools returns it'};

const program = {
  type: 'object',
  description:
    '{name, inputs?: {NAME: JSON Schema}, steps}. A step is one of {let}, {call, args, as}, {if, then, else}, {foreach, item, max, steps, collect, as}, {parallel: [steps]}, {try, catch}, {wait_for_approval}, {return}. `${…}` in texts is CEL',
};

/** Names in `allow` are checked when they are converted, with a better message than that of a pattern. */
const clientCode = {
  ...codeRequestShape,
  properties: {
    ...codeRequestShape.properties,
    allow: {...codeRequestShape.properties.allow, items: {type: 'string', maxLength: 256}},
  },
};

export const facadeTools: readonly Tool[] = [
  {
    name: 'search_tools',
    description: 'Finds tools by what they do, best match first. Call get_tool_doc for the arguments of one.',
    inputSchema: {
      type: 'object',
      properties: {
        query: {type: 'string', maxLength: 1_000, description: 'What the tool does, in a few words'},
        limit: {type: 'integer', minimum: 1, maximum: 100, description: 'Default 10'},
        namespace: {type: 'string', maxLength: 64},
        permission: {type: 'string', enum: ['read', 'write', 'admin']},
      },
      required: ['query'],
      additionalProperties: false,
    },
    annotations: {readOnlyHint: true, openWorldHint: false},
  },
  {
    name: 'get_tool_doc',
    description: 'Returns the description and the JSON Schemas of a tool.',
    inputSchema: {
      type: 'object',
      properties: {
        tool,
        level: {type: 'string', enum: ['summary', 'schema', 'full'], description: 'Default schema; full adds examples'},
        max_examples: {type: 'integer', minimum: 0, maximum: 20},
      },
      required: ['tool'],
      additionalProperties: false,
    },
    annotations: {readOnlyHint: true, openWorldHint: false},
  },
  {
    name: 'run_tool',
    description: 'Calls a tool and returns its result.',
    inputSchema: {
      type: 'object',
      properties: {tool, args: {type: 'object', description: 'The arguments of the tool'}},
      required: ['tool'],
      additionalProperties: false,
    },
  },
  {
    name: 'run_chain',
    description: 'Calls several tools, one after the other. Arguments can refer to earlier results.',
    inputSchema: toolChainShape as unknown as Tool['inputSchema'],
  },
  {
    name: 'run_code',
    description:
      'Runs code that calls tools, for loops and for large results. `await tools.NAME(args)` calls the tool NAME of search_tools, and returns its value or throws. `return` the result (`result(value)` in Python and shell; in shell, call `tool NAME JSON`).',
    inputSchema: clientCode as unknown as Tool['inputSchema'],
  },
  {
    name: 'check_program',
    description: 'Checks a program without running it, and previews its calls.',
    inputSchema: {type: 'object', properties: {program}, required: ['program'], additionalProperties: false},
    annotations: {readOnlyHint: true, openWorldHint: false},
  },
  {
    name: 'run_program',
    description: 'Runs a program until it ends or waits for a person, or resumes a run.',
    inputSchema: {
      type: 'object',
      properties: {
        program,
        inputs: {type: 'object'},
        run_id: {type: 'string', maxLength: 128, description: 'Instead of a program: the run to resume'},
      },
      additionalProperties: false,
    },
  },
];

// A pack with one tool, which runs in the host and returns its input: what several hosts are called for.
import type {PackPin} from '@lumenflow/schemas';

const text = {type: 'object', properties: {text: {type: 'string'}}};

const manifest = {
  id: 'echo',
  version: '0.1.0',
  manifest_version: 1,
  task_types: ['echo'],
  tools: [
    {
      name: 'echo:say',
      description: 'Returns the text',
      handler_entry: 'say.mjs#say',
      handler: 'in_process',
      permission: 'read',
      input_schema: text,
      output_schema: text,
    },
  ],
};

export const echoFiles: Readonly<Record<string, string>> = {
  'packs/echo/manifest.yaml': JSON.stringify(manifest),
  'packs/echo/say.mjs': 'export const say = ({text}) => ({text});\n',
};

export const echoPin: PackPin = {
  id: 'echo',
  version: '0.1.0',
  integrity: 'dev',
  source: 'local',
  path: 'packs/echo',
  trust: 'in_process',
};

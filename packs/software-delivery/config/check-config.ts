// Validates a config against config.schema.json, as the runtime does when it loads the workspace.
import {ToolError} from '@lumenflow/pack-sdk';
import {Ajv2020} from 'ajv/dist/2020.js';
import schema from '../config.schema.json' with {type: 'json'};

/** Throws ToolError CONFIG_INVALID. */
export function checkConfig(config: unknown): void {
  const validate = new Ajv2020({allErrors: true, strict: false}).compile(schema);
  if (validate(config)) return;
  const problems = (validate.errors ?? []).map(({instancePath: pointer, message = 'is not valid'}) => ({
    pointer,
    message,
  }));
  const listed = problems.map(({pointer, message}) => `${pointer === '' ? 'it' : `\`${pointer}\``} ${message}`);
  throw new ToolError('CONFIG_INVALID', `the config would not be valid: ${listed.join(', ')}`, {problems});
}

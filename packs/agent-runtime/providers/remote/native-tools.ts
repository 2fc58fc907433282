// A turn's tools in the form that model servers accept. Names are restricted, `end_session` is added for ending the session, and
// a field names the intent of each call if there are several intents.
import {ToolError} from '@lumenflow/pack-sdk';
import type {TurnInput} from '../../turn/turn-input.ts';
import type {NativeTool} from './protocol.ts';

/** Cannot collide with a tool, because tool names contain no `_`. */
export const endSession = 'end_session';
export const intentField = 'agent_intent';

export interface NativeTools {
  readonly tools: readonly NativeTool[];
  /** The tool that the model means. An invented name is returned unchanged. */
  nameOf(native: string): string;
}

/** `file:read` becomes `file_read`. */
export function nativeName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_-]/gu, '_').slice(0, 64);
}

/** Throws ToolError INVALID_INPUT if two tools would have the same name. */
export function nativeTools({tool_catalog: catalog = [], intent_catalog: intents = []}: TurnInput): NativeTools {
  const names = new Map<string, string>();
  const tools = catalog.map(({name, description = '', input_schema: schema = {}}): NativeTool => {
    const native = nativeName(name);
    if (names.has(native) || native === endSession) {
      throw new ToolError('INVALID_INPUT', `\`tool_catalog\` has two tools with the native name \`${native}\``, {
        name,
      });
    }
    names.set(native, name);
    return {name: native, description, parameters: withIntent(schema, intents)};
  });
  return {tools: tools.length === 0 ? [] : [...tools, endingTool], nameOf: (native) => names.get(native) ?? native};
}

type Schema = Readonly<Record<string, unknown>>;

/** A single intent needs no field. */
function withIntent(schema: Schema, intents: NonNullable<TurnInput['intent_catalog']>): Schema {
  const {properties = {}, required = []} = schema;
  if (intents.length < 2 || !Array.isArray(required)) return {...schema, type: 'object', properties};
  const meanings = intents.map(({id, description}) => (description === undefined ? id : `${id}: ${description}`));
  const field = {
    type: 'string',
    enum: intents.map(({id}) => id),
    description: `The purpose of this call. ${meanings.join('; ')}`,
  };
  return {
    ...schema,
    type: 'object',
    properties: {...Object(properties), [intentField]: field},
    required: [...(required as unknown[]), intentField],
  };
}

const endingTool: NativeTool = {
  name: endSession,
  description:
    'Ends the session. Call it alone, once the task is done (complete), or when a person must decide how to continue (escalate).',
  parameters: {
    type: 'object',
    required: ['status', 'message'],
    additionalProperties: false,
    properties: {
      status: {type: 'string', enum: ['complete', 'escalate']},
      message: {type: 'string', description: 'For the person: what was done, or what needs a decision.'},
    },
  },
};

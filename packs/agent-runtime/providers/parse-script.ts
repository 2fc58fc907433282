// Parses a script: the turns that the scripted provider replays, as YAML or JSON. The whole script is validated first, so that a
// mistake is reported and does not make a demo or test half work.
import type {FinishReason, TurnStatus} from '@lumenflow/pack-sdk/agent-session';
import {ToolError} from '@lumenflow/pack-sdk';
import {parse} from 'yaml';
import * as z from 'zod';

export interface ScriptedTurn {
  /** Default: tool_request if there are requested tools, else reply. */
  readonly status?: TurnStatus | undefined;
  readonly intent?: string | undefined;
  readonly content: string;
  readonly requested_tools: readonly {
    readonly id?: string | undefined;
    readonly name: string;
    readonly input: unknown;
  }[];
  readonly finish_reason?: FinishReason | undefined;
  readonly usage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost?: number | undefined;
  };
}

const tokens = z.int().nonnegative().default(0);
const turn = z
  .strictObject({
    status: z.enum(['reply', 'tool_request', 'complete', 'escalate']).optional(),
    intent: z.string().min(1).optional(),
    content: z.string().default(''),
    requested_tools: z
      .array(
        z.strictObject({
          id: z.string().min(1).optional(),
          name: z.string().min(1),
          input: z.unknown().default({}),
        }),
      )
      .default([]),
    finish_reason: z.enum(['stop', 'tool_calls', 'length', 'refusal', 'content_filter']).optional(),
    usage: z
      .strictObject({input_tokens: tokens, output_tokens: tokens, cost: z.number().nonnegative().optional()})
      .default({input_tokens: 0, output_tokens: 0}),
  })
  .refine(
    ({status, requested_tools: tools}) => status === undefined || (status === 'tool_request') === tools.length > 0,
    {
      message: 'a turn must request tools exactly if its status is tool_request',
    },
  );
const script = z.strictObject({turns: z.array(turn).min(1)});

/** Throws ToolError SCRIPT_INVALID. */
export function parseScript(text: string, path: string): readonly ScriptedTurn[] {
  const result = script.safeParse(parseYaml(text, path));
  if (result.success) return result.data.turns;
  throw new ToolError('SCRIPT_INVALID', `\`${path}\` is not a valid script: ${z.prettifyError(result.error)}`, {
    path,
    issues: result.error.issues.map((issue) => ({pointer: toPointer(issue.path), message: issue.message})),
  });
}

function parseYaml(text: string, path: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new ToolError('SCRIPT_INVALID', `\`${path}\` is neither YAML nor JSON: ${message}`, {path});
  }
}

function toPointer(path: readonly PropertyKey[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

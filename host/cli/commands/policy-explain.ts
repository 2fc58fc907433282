// `lumenflow policy explain`: explains the decision about a call, claim or completion layer by layer. Runs and records nothing.
import type {CallSurface} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import {parseTime} from '../parse-time.ts';
import {readCallInput} from '../call-commands/call-input.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {explainTransition} from '../explain/explain-transition.ts';
import {renderExplanation} from '../explain/render-explanation.ts';
import {scopeLayersOf} from '../explain/scope-layers.ts';
import type {ShownExplanation} from '../explain/shown-explanation.ts';
import {listingContextOf} from '../call-commands/listing-context.ts';
import {supposedActor} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';
import {notFound} from './tools-show.ts';

interface Options {
  readonly input?: string;
  readonly lane?: string;
  readonly task?: string;
  readonly claim?: string;
  readonly completion?: string;
  readonly as?: string;
  readonly surface?: CallSurface;
  readonly at?: string;
}

function timeOf({at}: Options): string | undefined {
  return at === undefined ? undefined : parseTime(at);
}

export const policyExplain: Command<Options> = async (context, [name, ...fields], options) => {
  const {claim, completion} = options;
  const asked = [name, claim, completion].filter((one) => one !== undefined);
  if (asked.length !== 1) {
    throw new CliError('INVALID_ARGUMENT', 'name one thing to explain', {
      help: 'a tool, or --claim TASK, or --completion TASK',
      exitCode: exitCode.usage,
    });
  }
  return await withHost(context, async (host) => {
    const by = claim === undefined ? options.as : (await supposedActor(context, host, options.as)).by;
    const transition = {by, at: timeOf(options)};
    if (claim !== undefined) {
      return await explainTransition(context, host.runtime, {kind: 'claim', task_id: claim, ...transition});
    }
    if (completion !== undefined) {
      return await explainTransition(context, host.runtime, {kind: 'completion', task_id: completion, ...transition});
    }
    return await explainCall(context, host, {name: name ?? '', fields, options});
  });
};

async function explainCall(
  context: CliContext,
  host: Host,
  {name, fields, options}: {readonly name: string; readonly fields: readonly string[]; readonly options: Options},
): Promise<Outcome> {
  const {runtime} = host;
  const tool = runtime.workspace.tools.get(name);
  if (!tool) throw notFound(name, [...runtime.workspace.tools.keys()]);
  const schema = tool.declaration.input_schema;
  const input = await readCallInput(context, {input: options.input, fields, schema});
  const {by} = await supposedActor(context, host, options.as);
  const listingContext = await listingContextOf(host, {...options, by});
  const explanation = await runtime.explainTool(name, input, listingContext.context, timeOf(options));
  const reported: ShownExplanation = {
    explanation,
    scopes: scopeLayersOf(runtime.workspace, tool, listingContext),
    is_input_given: fields.length > 0 || options.input !== undefined,
  };
  return {data: {...reported}, text: () => renderExplanation(reported, context.style)};
}

// `lumenflow policy explain`: what would be decided about a call, layer by layer, and what would change it.
// The call itself is neither made nor recorded.
import {readCallInput} from '../call-input.ts';
import type {Command} from '../command.ts';
import {pathVerdicts} from '../explain/path-verdicts.ts';
import {renderExplanation} from '../explain/render-explanation.ts';
import {scopeLayersOf} from '../explain/scope-layers.ts';
import type {ToldExplanation} from '../explain/told-explanation.ts';
import {viewpointOf} from '../viewpoint.ts';
import {withHost} from '../with-host.ts';
import {notFound} from './tools-show.ts';

interface Options {
  readonly input?: string;
  readonly lane?: string;
  readonly task?: string;
}

export const policyExplain: Command<Options> = async (context, [name = '', ...fields], options) =>
  await withHost(context, async (host) => {
    const {runtime} = host;
    const tool = runtime.workspace.tools.get(name);
    if (!tool) throw notFound(name, [...runtime.workspace.tools.keys()]);
    const schema = tool.declaration.input_schema;
    const input = await readCallInput(context, {input: options.input, fields, schema});
    const viewpoint = await viewpointOf(host, options);
    const explanation = await runtime.explainTool(name, input, viewpoint.context);
    const told: ToldExplanation = {
      explanation,
      scopes: scopeLayersOf(runtime.workspace, tool, viewpoint),
      paths: pathVerdicts(runtime.workspace, tool, {input, lane: viewpoint.lane, granted: explanation.granted_scopes}),
      is_input_given: fields.length > 0 || options.input !== undefined,
    };
    return {data: {...told}, text: () => renderExplanation(told, context.style)};
  });

// `lumenflow pack show`: shows the content of a pack from its manifest, with lane templates to copy.
import {stringify} from 'yaml';
import type {LoadedPack} from '@lumenflow/kernel';
import type {ToolDeclaration} from '@lumenflow/schemas';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields} from '../rendering/render-fields.ts';
import {scopeText} from '../rendering/scope-text.ts';
import type {Style} from '../rendering/style.ts';
import {withHost} from '../with-host.ts';

export const packShow: Command = async (context, [id = '']) =>
  await withHost(context, async ({runtime}) => {
    const {packs} = runtime.workspace;
    const pack = packs.get(id);
    if (!pack) {
      throw new CliError('PACK_NOT_FOUND', `no pack \`${id}\` is loaded`, {
        help: `loaded are ${[...packs.keys()].join(', ') || 'none'}`,
      });
    }
    const {manifest, integrity, root} = pack;
    return {data: {pack: {...manifest, integrity, folder: root}}, text: () => render(pack, context.style)};
  });

/** Scopes of nested calls beyond the grant of the calling tool. */
function callsText({name, calls}: ToolDeclaration): readonly string[] {
  return (calls ?? []).map(({tool, scopes}) => `${name} lets ${tool} touch ${scopes.map(scopeText).join(', ')}`);
}

function render({manifest, integrity, root, rules}: LoadedPack, style: Style): string {
  const {id, version, description, tools, task_types, evidence_types = [], state_aliases = {}, config_key} = manifest;
  const aliases = Object.entries(state_aliases).map(([state, alias]) => `${state} is called ${alias}`);
  const facts = renderFields(
    [
      ['about', description === undefined ? undefined : cleanText(description)],
      ['folder', cleanText(root)],
      ['integrity', integrity],
      ['config', config_key && `\`${config_key}\` in workspace.yaml`],
      ['tools', tools.map(({name}) => name).join(', ') || 'none'],
      ['reach further', tools.flatMap(callsText).join('\n') || undefined],
      ['rules', rules.map(({rule}) => rule.id).join(', ') || 'none'],
      ['task types', task_types.join(', ')],
      ['states', aliases.length === 0 ? undefined : aliases.join('\n')],
      ['evidence', evidence_types.length === 0 ? undefined : evidence_types.join(', ')],
    ],
    style,
  );
  const {lane_templates = []} = manifest;
  const lanes = cleanText(stringify({lanes: lane_templates}, {lineWidth: style.width}).trimEnd());
  const templates = lane_templates.length === 0 ? [] : ['', style.dim('LANES TO COPY INTO workspace.yaml'), lanes];
  return [style.bold(`${id} ${version}`), facts, ...templates].join('\n');
}

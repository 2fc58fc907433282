// `lumenflow tools show`: shows the input, output and scopes of a tool from its manifest.
import {nearestName, type CompiledWorkspace, type RegisteredTool} from '@lumenflow/kernel';
import type {ToolDeclaration, Writes} from '@lumenflow/schemas';
import {followReference} from '../../packs/schemas/follow-reference.ts';
import {isService} from '../../services/index.ts';
import type {Schema} from '../../packs/schemas/schema-keywords.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import {renderTable} from '../rendering/render-table.ts';
import {paintOf, type Style} from '../rendering/style.ts';
import {scopeText} from '../rendering/scope-text.ts';
import {withHost} from '../with-host.ts';

export const toolsShow: Command = async (context, [name = '']) =>
  await withHost(context, async (host) => {
    const {tools} = host.runtime.workspace;
    const tool = tools.get(name);
    if (!tool) throw notFound(name, [...tools.keys()]);
    const {manifest, integrity} = tool.pack;
    const writes = host.runtime.writesOf(tool);
    const pack = {id: manifest.id, version: manifest.version, integrity};
    return {
      data: {tool: {...tool.declaration, pack, where: tool.where, writes}},
      text: () => render(tool, {writes, withheld: host.runtime.workspace.withheld.get(name)}, context.style),
    };
  });

export function notFound(name: string, names: readonly string[]): CliError {
  const nearest = nearestName(name, names);
  return new CliError('TOOL_NOT_FOUND', `there is no tool \`${name}\``, {
    help: nearest === undefined ? '`lumenflow tools list --all` lists the tools' : `did you mean \`${nearest}\`?`,
    details: nearest === undefined ? {} : {nearest},
  });
}

interface Shown {
  readonly writes: Writes;
  /** Why agents are not offered the tool. */
  readonly withheld: ReturnType<CompiledWorkspace['withheld']['get']>;
}

function render(tool: RegisteredTool, {writes, withheld}: Shown, style: Style): string {
  const {declaration, pack, where} = tool;
  const {permission, handler = 'subprocess', timeout_ms, required_env = [], required_scopes = [], calls} = declaration;
  const facts = renderFields(
    [
      ['pack', `${pack.manifest.id} ${pack.manifest.version}`],
      ['declared', cleanText(where)],
      ['permission', paintOf(style, permission)(permission)],
      ['runs', isService(pack.pin) ? 'as a request of the host' : runText[handler]],
      ['touches', required_scopes.map(scopeText).join('\n') || 'nothing'],
      ['writes', tool.scopes.write.length === 0 ? undefined : writeText[writes]],
      [
        'reaches further',
        calls?.map(({tool: called, scopes}) => `${called}: ${scopes.map(scopeText).join(', ')}`).join('\n') ||
          undefined,
      ],
      ['env', required_env.length === 0 ? undefined : required_env.join(', ')],
      ['timeout', timeout_ms === undefined ? undefined : `${timeout_ms / 1000} s`],
      ['preview', declaration.preview],
      ['agents', withheld && `${withheld.message}: ${withheld.remedy}`],
      ['internal', declaration.internal_only === true ? 'only other tools can call it' : undefined],
    ],
    style,
  );
  return [
    style.bold(tool.name),
    wrapText(cleanText(declaration.description), style.width),
    '',
    facts,
    ...schemaPart('INPUT', declaration.input_schema, style),
    ...schemaPart('OUTPUT', declaration.output_schema, style),
  ].join('\n');
}

const runText: Readonly<Record<NonNullable<ToolDeclaration['handler']>, string>> = {
  in_process: 'in process if its pin is trusted, otherwise in a sandbox',
  subprocess: 'in a sandbox',
};

const writeText: Readonly<Record<Writes, string>> = {
  direct: 'directly, without review',
  transactional: 'to a private view, applied after the call succeeds',
};

interface Field {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

function schemaPart(title: string, schema: ToolDeclaration['input_schema'], style: Style): readonly string[] {
  if (schema === undefined) return [];
  const fields = fieldsOf(schema);
  if (fields.length === 0) return ['', style.dim(title), wrapText(cleanText(JSON.stringify(schema)), style.width)];
  const table = renderTable(
    fields,
    [
      {
        title,
        cell: ({name, required}) => (required ? `${name} *` : name),
        paint: ({required}) => (required ? style.bold : (text) => text),
      },
      {title: 'TYPE', cell: ({type}) => type, shrinksTo: 12},
      {title: 'MEANING', cell: ({description}) => description, shrinksTo: 16},
    ],
    style,
  );
  return ['', table];
}

function fieldsOf(schema: Schema): readonly Field[] {
  const {properties, required} = schema as {properties?: Record<string, Schema>; required?: string[]};
  return Object.entries(properties ?? {}).map(([name, property]) => {
    const meant = followReference(property, schema);
    const description = property['description'] ?? meant['description'];
    return {
      name,
      type: typeText(meant),
      required: required?.includes(name) ?? false,
      description: typeof description === 'string' ? description : '',
    };
  });
}

function typeText(property: Schema): string {
  const {enum: values, type, const: constant} = property;
  if (Array.isArray(values)) return values.map(String).join(' | ');
  if (constant !== undefined) return JSON.stringify(constant) ?? '';
  return type === undefined ? 'any' : [type].flat().map(String).join(' | ');
}

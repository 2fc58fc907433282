// The input of a tool that makes an operation's request: one property for each parameter, and `body`.
import {convertBody} from './convert-body.ts';
import {createSchemaConverter, type Schema} from './create-schema-converter.ts';
import {listOf, nodeOf, textOf, type DocumentNode, type OpenapiDocument} from './openapi-document.ts';
import type {OperationPlan, ParameterStyle, PlannedParameter} from './operation-plan.ts';

export interface DescribedInput extends Pick<OperationPlan, 'parameters' | 'body'> {
  readonly schema: Schema;
}

/** Headers that the host itself sets, or that OpenAPI says are described elsewhere. */
const ownHeaders = new Set([
  'accept',
  'accept-encoding',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export function describeInput(
  document: OpenapiDocument,
  {operation, shared}: {readonly operation: DocumentNode; readonly shared: unknown},
): DescribedInput {
  const converter = createSchemaConverter(document, 'request');
  const body = operation['requestBody'] === undefined ? undefined : document.follow(operation['requestBody']);
  const described = body && convertBody(document, body, converter);
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const parameters: PlannedParameter[] = [];
  for (const parameter of parametersOf(document, listOf(shared), listOf(operation['parameters']))) {
    const planned = planParameter(parameter, (name) => name in properties || (name === 'body' && body !== undefined));
    const [content] = Object.values(nodeOf(parameter['content'])).map(nodeOf);
    const schema = converter.convert(
      content === undefined ? (parameter['schema'] ?? true) : (content['schema'] ?? true),
    );
    properties[planned.property] = describedAs(schema, textOf(parameter['description']));
    if (planned.in === 'path' || parameter['required'] === true) required.push(planned.property);
    parameters.push(planned);
  }
  if (body && described) {
    properties['body'] = describedAs(described.schema, textOf(body['description']));
    if (body['required'] === true) required.push('body');
  }
  const definitions = converter.definitions();
  return {
    parameters,
    ...(described && {body: described.plan}),
    schema: {
      type: 'object',
      properties,
      ...(required.length > 0 && {required}),
      additionalProperties: false,
      ...(Object.keys(definitions).length > 0 && {$defs: definitions}),
    },
  };
}

/** Those of the path, unless the operation has its own of that name and place. */
function parametersOf(
  document: OpenapiDocument,
  shared: readonly unknown[],
  own: readonly unknown[],
): readonly DocumentNode[] {
  const found = new Map(
    [...shared, ...own].map((entry) => {
      const parameter = document.follow(entry);
      return [`${textOf(parameter['in'])} ${textOf(parameter['name'])}`, parameter] as const;
    }),
  );
  return [...found.values()].filter(
    (parameter) => parameter['in'] !== 'header' || !ownHeaders.has(textOf(parameter['name']).toLowerCase()),
  );
}

const usualStyles = {path: 'simple', header: 'simple', query: 'form', cookie: 'form'} as const;

function planParameter(parameter: DocumentNode, isTaken: (name: string) => boolean): PlannedParameter {
  const name = textOf(parameter['name']);
  const place = (['path', 'query', 'header', 'cookie'] as const).find((one) => one === parameter['in']) ?? 'query';
  // Clients of models accept these characters in names of properties, and no others.
  const plain = name.replaceAll(/[^A-Za-z0-9_.-]+/gu, '_').replaceAll(/^_+|_+$/gu, '') || 'value';
  let property = isTaken(plain) ? `${place}_${plain}` : plain;
  for (let count = 2; isTaken(property); count++) property = `${place}_${plain}_${count}`;
  const style =
    parameter['content'] === undefined
      ? ((parameter['style'] as ParameterStyle | undefined) ?? usualStyles[place])
      : 'json';
  const explode = parameter['explode'] === undefined ? style === 'form' : parameter['explode'] === true;
  return {name, property, in: place, style, explode};
}

function describedAs(schema: Schema | boolean, description: string): Schema | boolean {
  if (description === '') return schema;
  return schema === true ? {description} : schema === false ? schema : {...schema, description};
}

// The output of a tool that makes an operation's request: the JSON of the responses that mean success.
import {createSchemaConverter, type Schema} from './create-schema-converter.ts';
import {isJson, plainType} from './media-type.ts';
import {nodeOf, type DocumentNode, type OpenapiDocument} from './openapi-document.ts';

/** Models read output schemas, too: a larger one costs more than it helps. */
const lengthMax = 8 * 1024;

/** Undefined if a response that means success can be anything but described JSON. */
export function describeOutput(document: OpenapiDocument, operation: DocumentNode): Schema | undefined {
  const converter = createSchemaConverter(document, 'response');
  const schemas: (Schema | boolean)[] = [];
  for (const [status, entry] of Object.entries(nodeOf(operation['responses']))) {
    if (!/^2(?:\d\d|XX)$/u.test(status)) continue;
    const content = Object.entries(nodeOf(document.follow(entry)['content']));
    if (content.length === 0) schemas.push({type: 'null'});
    for (const [type, media] of content) {
      const schema = nodeOf(media)['schema'];
      if (!isJson(plainType(type)) || schema === undefined) return undefined;
      schemas.push(converter.convert(schema));
    }
  }
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  const [only] = distinct;
  if (only === undefined || typeof only === 'boolean') return undefined;
  const definitions = converter.definitions();
  const whole = {
    ...(distinct.length === 1 ? only : {anyOf: distinct}),
    ...(Object.keys(definitions).length > 0 && {$defs: definitions}),
  };
  return JSON.stringify(whole).length > lengthMax ? undefined : whole;
}

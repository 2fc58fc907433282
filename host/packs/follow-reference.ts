// What a `$ref` within a schema that stands alone leads to, for those who read schemas instead of judging by them.
import {memberOf, pointerParts} from './schema-index.ts';
import {isSchemaObject, type Schema} from './schema-keywords.ts';

/** The schema itself unless it has a `$ref` to a definition of `root`. */
export function followReference(schema: Schema, root: Schema): Schema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return schema;
  const found = pointerParts(reference.slice(1)).reduce<unknown>(memberOf, root);
  return isSchemaObject(found) ? found : {};
}

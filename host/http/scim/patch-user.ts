// PATCH of a user (RFC 7644, section 3.5.2): the paths that LumenFlow stores. Operations on other attributes have no effect.
import {ok, type Outcome} from '@lumenflow/kernel';
import {
  attributeOf,
  invalid,
  isFields,
  readUser,
  userSchema,
  type ScimProblem,
  type UserAttributes,
} from './scim-user.ts';

const stored: ReadonlyMap<string, string> = new Map(
  ['userName', 'externalId', 'displayName', 'active'].map((name) => [name.toLowerCase(), name]),
);
const urn = userSchema.toLowerCase();
const operationsMax = 100;

export function patchUser(user: UserAttributes, body: unknown): Outcome<UserAttributes, ScimProblem> {
  const operations = isFields(body) ? attributeOf(body, 'Operations') : undefined;
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > operationsMax) {
    return invalid(`\`Operations\` must be a list of 1 to ${operationsMax} operations`, 'invalidSyntax');
  }
  let fields: Record<string, unknown> = {...user};
  for (const operation of operations as readonly unknown[]) {
    const next = applyOperation(fields, operation);
    if (!next.ok) return next;
    fields = next.value;
  }
  return readUser(fields);
}

function applyOperation(
  fields: Readonly<Record<string, unknown>>,
  operation: unknown,
): Outcome<Record<string, unknown>, ScimProblem> {
  if (!isFields(operation)) return invalid('an operation must be an object', 'invalidSyntax');
  const [op, path, value] = ['op', 'path', 'value'].map((key) => attributeOf(operation, key));
  const kind = typeof op === 'string' ? op.toLowerCase() : '';
  if (!['add', 'replace', 'remove'].includes(kind))
    return invalid('`op` must be add, replace or remove', 'invalidSyntax');
  if (path !== undefined && typeof path !== 'string') return invalid('`path` must be a text', 'invalidPath');
  if (kind === 'remove') {
    const removed = stored.get(bare(path ?? ''));
    if (removed === 'userName' || removed === 'active')
      return invalid(`\`${removed}\` cannot be removed`, 'mutability');
    return ok(Object.fromEntries(Object.entries(fields).filter(([key]) => key !== removed)));
  }
  const changes = attributesNamed(path ?? userSchema, value);
  if (!changes) return invalid('without `path`, `value` must be an object');
  const known = changes.flatMap(([key, next]) => {
    const name = stored.get(bare(key));
    return name === undefined ? [] : [[name, next] as const];
  });
  return ok({...fields, ...Object.fromEntries(known)});
}

/** A path or a key can also be the schema: then the keys of its value are the attributes. Undefined if that is not an object. */
function attributesNamed(path: string, value: unknown): readonly (readonly [string, unknown])[] | undefined {
  if (bare(path) !== '') return [[path, value]];
  if (!isFields(value)) return undefined;
  const named = Object.entries(value).map(([key, next]) => attributesNamed(key, next));
  return named.every((each) => each !== undefined) ? named.flat() : undefined;
}

/** In lower case, without the URN of the schema. */
function bare(path: string): string {
  const text = path.toLowerCase();
  if (text === urn) return '';
  return text.startsWith(`${urn}:`) ? text.slice(urn.length + 1) : text;
}

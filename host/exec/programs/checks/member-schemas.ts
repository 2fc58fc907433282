// Follows the members of values through an expression: `log.commits.map(c, c.subject)`. Members that an output schema excludes are
// reported with the nearest one, and so are names that are not defined.
import {nearestName} from '@lumenflow/kernel';
import type {ASTNode} from '@marcbachmann/cel-js';
import {asSchema, itemSchema, propertySchema, type JsonSchema} from './json-schema.ts';

export type NameSchemas = ReadonlyMap<string, JsonSchema | undefined>;
type Report = (message: string, offset: number) => void;

/** The schema of the expression's value, if it follows. */
export function memberSchemas(node: ASTNode, names: NameSchemas, report: Report): JsonSchema | undefined {
  const follow = (each: ASTNode, known = names): JsonSchema | undefined => memberSchemas(each, known, report);
  if (node.op === 'id') return followName(node.args, node, names, report);
  if (node.op === 'value') return typeof node.args === 'string' ? {type: 'string'} : undefined;
  if (node.op === '.' || node.op === '.?') return followMember(follow(node.args[0]), node.args[1], node, report);
  if (node.op === 'rcall') return followMethod(node.args, follow, names);
  const found = innerNodes(node).map((each) => follow(each));
  if (node.op === '[]' || node.op === '[?]') return followIndex(found[0], node.args[1]);
  return node.op === '?:' && found[1] === found[2] ? found[1] : undefined;
}

/** What CEL itself names. */
const ofCel = new Set(
  'bool bytes double dyn int list map null_type optional string timestamp duration type uint'.split(' '),
);

function followName(name: string, node: ASTNode, names: NameSchemas, report: Report): JsonSchema | undefined {
  if (names.has(name) || ofCel.has(name)) return names.get(name);
  const nearest = nearestName(name, names.keys());
  const known = [...names.keys()].slice(0, 20).map((each) => `\`${each}\``);
  const help = nearest === undefined ? `the names here are ${known.join(', ')}` : `did you mean \`${nearest}\`?`;
  report(`\`${name}\` is not defined here: ${help}`, node.range.start);
  return undefined;
}

function innerNodes({args}: ASTNode): readonly ASTNode[] {
  const parts: readonly unknown[] = [args].flat(3);
  return parts.filter((part): part is ASTNode => typeof part === 'object' && part !== null && 'op' in part);
}

function followMember(
  schema: JsonSchema | undefined,
  name: string,
  node: ASTNode,
  report: Report,
): JsonSchema | undefined {
  const {schema: member, missingFrom} = propertySchema(schema, name);
  if (missingFrom) {
    const nearest = nearestName(name, missingFrom);
    const help =
      nearest === undefined
        ? `it has ${missingFrom.map((each) => `\`${each}\``).join(', ')}`
        : `did you mean \`${nearest}\`?`;
    report(`there is no member \`${name}\`: ${help}`, node.range.start);
  }
  return member;
}

function followIndex(schema: JsonSchema | undefined, index: ASTNode): JsonSchema | undefined {
  if (index.op === 'value' && typeof index.args === 'string') return propertySchema(schema, index.args).schema;
  return itemSchema(schema);
}

/** The macros whose first argument names the item. */
const overItems = new Set(['all', 'exists', 'exists_one', 'map', 'filter']);

function followMethod(
  [method, receiver, args]: readonly [string, ASTNode, readonly ASTNode[]],
  follow: (node: ASTNode, names?: NameSchemas) => JsonSchema | undefined,
  names: NameSchemas,
): JsonSchema | undefined {
  const [first, ...others] = args;
  if (method === 'bind' && receiver.op === 'id' && first?.op === 'id' && others[0] && others[1]) {
    return follow(others[1], new Map([...names, [first.args, follow(others[0])]]));
  }
  const schema = follow(receiver);
  if (!overItems.has(method) || first?.op !== 'id') {
    for (const each of args) follow(each);
    return undefined;
  }
  const known = new Map([...names, [first.args, itemSchema(schema)]]);
  const found = others.map((each) => follow(each, known)).at(-1);
  if (method === 'filter') return schema;
  return method === 'map' ? asSchema({type: 'array', ...(found && {items: found})}) : {type: 'boolean'};
}

// What of a tool's input is a workspace path, compiled from its input_schema when the workspace is loaded. A tool
// without such inputs has none of this, and its calls pay nothing.
import type {PathAccess} from '@lumenflow/schemas';
import {pathProblem} from '../scopes/index.ts';
import {isSchema, pathFormat, schemaGraph, type Schema, type SchemaGraph} from './schema-graph.ts';

/** What a schema says of a path: whether the tool reads or writes there, and whether all below it is meant too. */
export interface PathKind {
  readonly access: readonly PathAccess[];
  readonly recursive: boolean;
}

/** One position in an input. */
export interface PathNode {
  /** The string here is a path. */
  readonly path?: PathKind | undefined;
  /** The keys of the object here are paths. */
  names(): PathKind | undefined;
  /** The defaults of absent properties that name paths. */
  defaults(): readonly DefaultPaths[];
  property(name: string): PathNode | undefined;
  item(index: number): PathNode | undefined;
}

interface DefaultPaths {
  readonly name: string;
  readonly node: PathNode;
  readonly value: string | readonly string[];
}

/** The path inputs of a tool. */
export interface ToolPaths {
  readonly root: PathNode;
  /** What its paths are for. */
  readonly accesses: readonly PathAccess[];
}

export interface PathInputs {
  /** Undefined when no input is a path. */
  readonly paths?: ToolPaths | undefined;
  /** What is wrong with how the schema speaks of paths. */
  readonly problems: readonly string[];
}

const extraKeywords = {'x-access': ['read', 'write'], 'x-recursive': [true, false]} as const;

/** `access`: what a path means whose schema does not say. */
export function compilePathInputs(schema: unknown, access: PathAccess): PathInputs {
  const graph = isSchema(schema) ? schemaGraph(schema) : undefined;
  if (graph === undefined) return {problems: []};
  const unreached = graph.unreached.map(
    () =>
      `\`format: ${pathFormat}\` is at a place that the kernel cannot reach: use properties, items and \`$ref\` to \`#/…\``,
  );
  const root = createNodes(graph, access).of([graph.root]);
  const accesses = kindOf(graph.paths, access)?.access ?? [];
  return {paths: root && {root, accesses}, problems: [...new Set([...unreached, ...wrongKeywords(graph.root)])]};
}

interface Nodes {
  of(schemas: readonly unknown[]): PathNode | undefined;
}

/** Nodes are created when an input first reaches them, and cached: a schema may refer to itself. */
function createNodes(graph: SchemaGraph, access: PathAccess): Nodes {
  const numbers = new Map<Schema, number>();
  const known = new Map<string, PathNode>();
  const numberOf = (schema: Schema): number => {
    const number = numbers.get(schema) ?? numbers.size;
    numbers.set(schema, number);
    return number;
  };
  const nodes: Nodes = {
    of(schemas) {
      const together = graph.together(schemas);
      if (together.length === 0) return undefined;
      const key = together
        .map(numberOf)
        .toSorted((a, b) => a - b)
        .join(' ');
      const node = known.get(key) ?? createNode(together, nodes, access);
      known.set(key, node);
      return node;
    },
  };
  return nodes;
}

function createNode(schemas: readonly Schema[], nodes: Nodes, access: PathAccess): PathNode {
  const longest = Math.max(0, ...schemas.map(({prefixItems}) => (Array.isArray(prefixItems) ? prefixItems.length : 0)));
  const named = new Set(schemas.flatMap(({properties}) => (isSchema(properties) ? Object.keys(properties) : [])));
  const properties = remembered((name: string) => nodes.of(schemas.flatMap((schema) => propertySchemas(schema, name))));
  const others = remembered(() => nodes.of(schemas.flatMap(othersOf)));
  const items = remembered((index: number) => nodes.of(schemas.flatMap((schema) => itemSchemas(schema, index))));
  const names = remembered(() => nodes.of(schemas.map(({propertyNames}) => propertyNames))?.path);
  const defaults = remembered(() => [...named].flatMap((name) => defaultsOf(schemas, name, nodes)));
  const path = kindOf(schemas, access);
  return {
    path,
    names: () => names(0),
    defaults: () => defaults(0),
    property: (name) => (named.has(name) ? properties(name) : others(0)),
    item: (index) => items(Math.min(index, longest)),
  };
}

/** Computes each value when it is first asked for. */
function remembered<Key, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const known = new Map<Key, Value>();
  return (key) => {
    if (known.has(key)) return known.get(key) as Value;
    const value = compute(key);
    known.set(key, value);
    return value;
  };
}

function othersOf({additionalProperties, unevaluatedProperties}: Schema): readonly unknown[] {
  return [additionalProperties, unevaluatedProperties];
}

function propertySchemas(schema: Schema, name: string): readonly unknown[] {
  const {properties} = schema;
  return isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : othersOf(schema);
}

function itemSchemas({prefixItems, items, unevaluatedItems}: Schema, index: number): readonly unknown[] {
  const own: unknown = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  return own === undefined ? [items, unevaluatedItems] : [own];
}

function kindOf(schemas: readonly Schema[], access: PathAccess): PathKind | undefined {
  const paths = schemas.filter(({format}) => format === pathFormat);
  if (paths.length === 0) return undefined;
  const said = paths.map((schema): PathAccess => (isAccess(schema['x-access']) ? schema['x-access'] : access));
  return {access: [...new Set(said)], recursive: paths.some((schema) => schema['x-recursive'] === true)};
}

function defaultsOf(schemas: readonly Schema[], name: string, nodes: Nodes): readonly DefaultPaths[] {
  return schemas.flatMap(({properties}) => {
    const schema = isSchema(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    const value = isSchema(schema) ? textsOf(schema['default']) : undefined;
    const node = value === undefined ? undefined : nodes.of([schema]);
    return node && value !== undefined ? [{name, node, value}] : [];
  });
}

function textsOf(value: unknown): string | readonly string[] | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

function isAccess(value: unknown): value is PathAccess {
  return value === 'read' || value === 'write';
}

function wrongKeywords(schema: Schema): readonly string[] {
  const problems: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) visit(item);
    if (!isSchema(node)) return;
    if (node['format'] === pathFormat) problems.push(...wrongIn(node));
    for (const value of Object.values(node)) visit(value);
  };
  visit(schema);
  return problems;
}

function wrongIn(node: Schema): readonly string[] {
  const standard = node['default'];
  const problem = typeof standard === 'string' ? pathProblem(standard) : undefined;
  const keywords = Object.entries(extraKeywords).flatMap(([keyword, values]) => {
    const value = node[keyword];
    const known: readonly unknown[] = values;
    return value === undefined || known.includes(value)
      ? []
      : [`\`${keyword}\` of a path must be ${values.map((one) => `\`${one}\``).join(' or ')}`];
  });
  return problem === undefined ? keywords : [...keywords, `the \`default\` of a path ${problem}`];
}

// The location of a value or a key in a YAML file, by its JSON pointer.
import {isAlias, isMap, isNode, isScalar, isSeq, type Document, type LineCounter, type Node, type Pair} from 'yaml';

export interface YamlLocator {
  /** `file:line:column` of an offset into the text. */
  offset(offset: number): string;
  /** Of the value at a pointer, of its nearest ancestor when there is none. */
  value(pointer: string): string;
  /** Of a key in the map at a pointer. */
  key(pointer: string, key: string): string;
  /** Of the key of the value at a pointer. */
  keyOf(pointer: string): string;
}

export function createYamlLocator(document: Document, lineCounter: LineCounter, file: string): YamlLocator {
  const offset = (position: number): string => {
    const {line, col} = lineCounter.linePos(position);
    return `${file}:${line}:${col}`;
  };
  const key = (pointer: string, name: string): string => {
    const nodes = descend(document, pointer);
    const pair = pairOf(resolved(nodes.at(-1), document), name);
    return offset(isNode(pair?.key) ? startOf(pair.key) : startOf(nodes.at(-1)));
  };
  return {
    offset,
    value: (pointer) => offset(startOf(descend(document, pointer).at(-1))),
    key,
    keyOf(pointer) {
      const slash = pointer.lastIndexOf('/');
      return key(pointer.slice(0, slash), unescaped(pointer.slice(slash + 1)));
    },
  };
}

/** The nodes along a pointer, as far as they exist. */
function descend(document: Document, pointer: string): readonly Node[] {
  const nodes: Node[] = isNode(document.contents) ? [document.contents] : [];
  for (const segment of pointer.split('/').slice(1)) {
    const name = unescaped(segment);
    const parent = resolved(nodes.at(-1), document);
    const child = isSeq(parent) ? parent.items[Number(name)] : pairOf(parent, name)?.value;
    if (!isNode(child)) break;
    nodes.push(child);
  }
  return nodes;
}

function unescaped(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function resolved(node: Node | undefined, document: Document): Node | undefined {
  return isAlias(node) ? node.resolve(document) : node;
}

function pairOf(node: Node | undefined, name: string): Pair | undefined {
  if (!isMap(node)) return undefined;
  return node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === name);
}

function startOf(node: Node | undefined): number {
  return node?.range?.[0] ?? 0;
}

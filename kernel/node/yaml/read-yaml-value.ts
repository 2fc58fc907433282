// Converts a YAML document to plain JSON-like data. It rejects anything ambiguous: duplicate keys, merge keys, tags, numbers that
// JSON does not have, aliases that expand without bound.
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  visit,
  type Alias,
  type Document,
  type Node,
  type Scalar,
  type YAMLMap,
} from 'yaml';

export interface YamlFinding {
  readonly code: 'YAML_DUPLICATE_KEY' | 'YAML_UNSUPPORTED' | 'YAML_TOO_LARGE';
  readonly message: string;
  readonly help?: string;
  /** Into the text. */
  readonly offset: number;
}

const depthMax = 64;
const aliasesMax = 100;
const flattenIt = 'nest less deeply: an alias counts as the value that it refers to, and no alias can contain itself';
const shortenIt = 'shorten it: an alias counts as the value that it refers to';
const writeThemOut = 'write the values instead of the aliases';

/** Gives undefined when the document is too large or too deep to read. */
export function readYamlValue(document: Document, nodesMax: number, report: (finding: YamlFinding) => void): unknown {
  const reader = new YamlValueReader(document, nodesMax, report);
  const value = reader.read(document.contents, 0);
  return reader.gaveUp ? undefined : value;
}

class YamlValueReader {
  gaveUp = false;
  private nodes = 0;
  private aliases = 0;
  private readonly document: Document;
  private targets: ReadonlyMap<Alias, Node> | undefined;
  private readonly nodesMax: number;
  private readonly report: (finding: YamlFinding) => void;

  constructor(document: Document, nodesMax: number, report: (finding: YamlFinding) => void) {
    this.document = document;
    this.nodesMax = nodesMax;
    this.report = report;
  }

  read(node: Node | null, depth: number): unknown {
    if (node === null || this.gaveUp) return null;
    const offset = node.range?.[0] ?? 0;
    this.nodes += 1;
    if (depth > depthMax) return this.giveUp(`more than ${depthMax} levels deep`, flattenIt, offset);
    if (this.nodes > this.nodesMax) return this.giveUp(`more than ${this.nodesMax} values long`, shortenIt, offset);
    if (isAlias(node)) return this.readAlias(node, depth);
    if ('tag' in node && typeof node.tag === 'string') this.refuseTag(node.tag, offset);
    if (isMap(node)) return this.readMap(node, depth);
    if (isSeq(node)) return node.items.map((item) => this.read(item as Node | null, depth + 1));
    return this.readScalar(node, offset);
  }

  private giveUp(bound: string, help: string, offset: number): null {
    this.gaveUp = true;
    this.report({code: 'YAML_TOO_LARGE', message: `the document is ${bound}, including aliases`, help, offset});
    return null;
  }

  private readAlias(alias: Alias, depth: number): unknown {
    this.aliases += 1;
    if (this.aliases > aliasesMax) {
      return this.giveUp(`more than ${aliasesMax} aliases long`, writeThemOut, alias.range?.[0] ?? 0);
    }
    this.targets ??= findTargets(this.document);
    const target = this.targets.get(alias);
    if (target) return this.read(target, depth + 1);
    this.report({
      code: 'YAML_UNSUPPORTED',
      message: `the alias \`*${alias.source}\` refers to no earlier anchor`,
      help: `quote it if it is a text: '*${alias.source}'`,
      offset: alias.range?.[0] ?? 0,
    });
    return null;
  }

  private readMap(map: YAMLMap, depth: number): Record<string, unknown> {
    const entries = new Map<string, unknown>();
    for (const pair of map.items) {
      const key = this.readKey(pair.key as Node | null, map.range?.[0] ?? 0);
      if (key === undefined) continue;
      if (entries.has(key.name)) {
        this.report({
          code: 'YAML_DUPLICATE_KEY',
          message: `the key \`${key.name}\` appears twice in one map`,
          help: 'remove one of them',
          offset: key.offset,
        });
        continue;
      }
      entries.set(key.name, this.read(pair.value as Node | null, depth + 1));
    }
    return Object.fromEntries(entries);
  }

  private readKey(node: Node | null, mapOffset: number): {name: string; offset: number} | undefined {
    const offset = node?.range?.[0] ?? mapOffset;
    if (!isScalar(node)) {
      this.report({code: 'YAML_UNSUPPORTED', message: 'a key must be plain text', offset});
      return undefined;
    }
    if (typeof node.tag === 'string') this.refuseTag(node.tag, offset);
    const name = String(node.value);
    if (name === '<<') {
      const help = 'write the keys out';
      this.report({code: 'YAML_UNSUPPORTED', message: 'merge keys (`<<`) are not supported', help, offset});
      return undefined;
    }
    return {name, offset};
  }

  private readScalar(scalar: Scalar, offset: number): unknown {
    const {value} = scalar;
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    this.report({code: 'YAML_UNSUPPORTED', message: `\`${String(scalar.source)}\` is not a JSON number`, offset});
    return null;
  }

  private refuseTag(tag: string, offset: number): void {
    const message = `the tag \`${tag}\` is not supported`;
    this.report({code: 'YAML_UNSUPPORTED', message, help: 'remove the tag', offset});
  }
}

/** Of all aliases in one walk: each means the nearest anchor of its name before it. */
function findTargets(document: Document): ReadonlyMap<Alias, Node> {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Alias: (_key, alias) => {
      const target = anchors.get(alias.source);
      if (target) targets.set(alias, target);
    },
    Value: (_key, node) => {
      if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
}

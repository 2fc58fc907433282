// Finding and reading about tools. Everything is governed: a tool that a session may never call is not found.
import {failed, nearestName, ok, type GovernedTool, type Outcome} from '@lumenflow/kernel';
import type {Permission, ToolDoc, ToolDocLevel, ToolFailure, ToolNamespace, ToolSummary} from '@lumenflow/schemas';
import {describeTool, summarizeTool} from './describe-tool.ts';
import {namespaceOf} from './namespace-of.ts';
import type {ToolCatalogue} from './tool-catalogue.ts';

export interface SearchOptions {
  /** Maximum number of tools, 1 to 100; default 10. */
  readonly limit?: number | undefined;
  /** The part of a tool's id before the colon. */
  readonly namespace?: string | undefined;
  readonly permission?: Permission | undefined;
}

export interface DocOptions {
  /** Default `schema`. */
  readonly level?: ToolDocLevel | undefined;
  /** Of level `full`; default 3. */
  readonly max_examples?: number | undefined;
}

export interface Discovery {
  /** Best match first. */
  searchTools(query: string, options?: SearchOptions): Promise<readonly ToolSummary[]>;
  /** The failure TOOL_NOT_FOUND names the nearest tool. */
  getToolDoc(id: string, options?: DocOptions): Promise<Outcome<ToolDoc, ToolFailure>>;
  /** In order of name. */
  listNamespaces(): Promise<readonly ToolNamespace[]>;
}

/** The tools that may be called; with `among`, only those of these names, in their order. */
export type Govern = (among?: readonly string[]) => Promise<readonly GovernedTool[]>;

const limitMax = 100;

export function createDiscovery(catalogue: ToolCatalogue, govern: Govern): Discovery {
  return {
    async searchTools(query, {limit = 10, namespace, permission} = {}) {
      const count = Math.min(limitMax, Math.max(1, limit));
      const ranked = catalogue.search(query);
      const names = namespace === undefined ? ranked : ranked.filter((name) => namespaceOf(name) === namespace);
      const found: GovernedTool[] = [];
      // Policy decides about the best matches only, not about each of thousands of tools.
      for (let at = 0; at < names.length && found.length < count; at += count) {
        const governed = await govern(names.slice(at, at + count));
        found.push(...governed.filter(({tool}) => [tool.declaration.permission, undefined].includes(permission)));
      }
      return found.slice(0, count).map(summarizeTool);
    },
    async getToolDoc(id, {level = 'schema', max_examples = 3} = {}) {
      const [governed] = await govern([id]);
      if (governed) return ok(describeTool(governed, level, Math.max(0, max_examples)));
      const nearest = nearestName(
        id,
        (await govern()).map(({tool}) => tool.name),
      );
      return failed(notFound(id, nearest));
    },
    async listNamespaces() {
      const counts = new Map<string, number>();
      for (const {tool} of await govern()) {
        const namespace = namespaceOf(tool.name);
        counts.set(namespace, (counts.get(namespace) ?? 0) + 1);
      }
      return Array.from(counts, ([namespace, tools]) => ({namespace, tools}));
    },
  };
}

function notFound(id: string, nearest: string | undefined): ToolFailure {
  const message =
    nearest === undefined
      ? `there is no tool \`${id}\`: search for what it does`
      : `there is no tool \`${id}\`: did you mean \`${nearest}\`?`;
  return {code: 'TOOL_NOT_FOUND', message, ...(nearest !== undefined && {details: {nearest}})};
}

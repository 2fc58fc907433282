// The search index of a runtime's tools. It is built for the first search, and again after packs were reloaded.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {createToolIndex, type IndexedTool, type ToolIndex} from './search/create-tool-index.ts';

/** One for each runtime is enough: it does not depend on a session. */
export type ToolCatalogue = ToolIndex;

interface CatalogueSource {
  readonly workspace: {
    readonly tools: ReadonlyMap<string, {readonly declaration: IndexedTool & Pick<ToolDeclaration, 'internal_only'>}>;
  };
}

/** Of a `KernelRuntime`. */
export function createToolCatalogue(runtime: CatalogueSource): ToolCatalogue {
  let indexed: {readonly tools: unknown; readonly index: ToolIndex} | undefined;
  return {
    search(query) {
      const {tools} = runtime.workspace;
      if (indexed?.tools !== tools) {
        const offered = Array.from(tools.values(), ({declaration}) => declaration).filter(
          (tool) => tool.internal_only !== true,
        );
        indexed = {tools, index: createToolIndex(offered)};
      }
      return indexed.index.search(query);
    },
  };
}

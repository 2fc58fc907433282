// What rules' examples may leave out, since it follows from the tool: its permission, and what its paths are for.
import {touchedPaths} from '../paths/touched-paths.ts';
import type {RegisteredTool} from '../packs/loaded-pack.ts';
import {canonicalPaths} from '../paths/canonical-paths.ts';
import type {PolicyCompilerPorts} from '../policy/index.ts';

export function describeTools(
  tools: ReadonlyMap<string, RegisteredTool>,
): NonNullable<PolicyCompilerPorts['describeTool']> {
  return (name) => {
    const tool = tools.get(name);
    if (tool === undefined) return undefined;
    return {
      permission: tool.declaration.permission,
      sink: tool.marks.sink,
      read(given) {
        if (tool.paths === undefined || given === undefined) return {value: given, touched: []};
        const read = canonicalPaths(tool.paths.root, structuredCopy(given));
        return read.ok ? {value: read.value, touched: touchedPaths(read.paths)} : {value: given, touched: []};
      },
    };
  };
}

/** Of what was read from YAML. */
function structuredCopy(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

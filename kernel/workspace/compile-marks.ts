// What tools are for those who want to know where text comes from and where it goes: sources of what others wrote, and sinks. Manifests
// say it, and workspace.yaml decides.
import type {ToolMark} from '@lumenflow/schemas';
import type {LoadedPack, LoadedTool, ToolMarks} from '../packs/loaded-pack.ts';
import {compileGlobs, type PolicyCompilerPorts} from '../policy/index.ts';
import type {Problem} from '../problem.ts';

export interface Marks {
  of(pack: LoadedPack, tool: LoadedTool): ToolMarks;
  readonly problems: readonly Problem[];
}

export interface MarksSource {
  readonly marks: readonly ToolMark[];
  readonly packs: readonly LoadedPack[];
  /** `file:line:column` of an entry. */
  where(index: number): string;
  readonly compileRegex: PolicyCompilerPorts['compileRegex'];
}

/** What others run is not trusted. */
const upstream: readonly LoadedPack['pin']['source'][] = ['mcp', 'openapi', 'grpc'];

export function compileMarks({marks, packs, where, compileRegex}: MarksSource): Marks {
  const problems: Problem[] = [];
  const names = packs.flatMap(({tools}) => tools.map(({declaration}) => declaration.name));
  const compiled = marks.map((mark, index) => {
    const globs = compileGlobs(mark.tool, 'tool', compileRegex);
    if (!globs.ok) {
      const {message, help} = globs.problem;
      problems.push({code: 'POLICY_GLOB_INVALID', severity: 'error', message, where: where(index), help});
    } else if (!names.some((name) => globs.value(name))) {
      const message = `no tool fits the mark of ${[mark.tool]
        .flat()
        .map((glob) => `\`${glob}\``)
        .join(', ')}`;
      const help = '`lumenflow tools list --all` shows the tools';
      problems.push({code: 'POLICY_MARK_UNUSED', severity: 'warning', message, where: where(index), help});
    }
    return {...mark, fits: globs.ok ? globs.value : () => true};
  });
  return {
    problems,
    of({pin}, {declaration: {name, source, sink}}) {
      const own = compiled.filter(({fits}) => fits(name));
      const said = own.findLast((mark) => mark.sink !== undefined)?.sink ?? sink;
      const standard = upstream.includes(pin.source) ? 'untrusted' : undefined;
      return {
        source: own.findLast((mark) => mark.source !== undefined)?.source ?? source ?? standard,
        sink: said === 'none' ? undefined : said,
      };
    },
  };
}

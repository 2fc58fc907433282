// The tools of all packs by name, each with what is compiled of its declaration: its scopes, and which inputs are paths.
import type {LoadedPack, LoadedTool, RegisteredTool} from '../packs/loaded-pack.ts';
import {compilePathInputs} from '../paths/path-inputs.ts';
import type {Problem} from '../problem.ts';
import type {Marks} from './compile-marks.ts';
import {compileScopeLayer} from '../scopes/index.ts';

export interface ToolRegistration {
  readonly byName: ReadonlyMap<string, RegisteredTool>;
  readonly problems: readonly Problem[];
}

/** Names are unique across packs; the pack source reports a clash, and the first one wins. */
export function registerTools(packs: readonly LoadedPack[], marks: Pick<Marks, 'of'>): ToolRegistration {
  const byName = new Map<string, RegisteredTool>();
  const problems: Problem[] = [];
  for (const pack of packs) {
    for (const [index, tool] of pack.tools.entries()) {
      const registered = registerTool(pack, {...tool, marks: marks.of(pack, tool)}, index);
      problems.push(...registered.problems);
      if (!byName.has(registered.tool.name)) byName.set(registered.tool.name, registered.tool);
    }
  }
  return {byName, problems};
}

interface Registered {
  readonly tool: RegisteredTool;
  readonly problems: readonly Problem[];
}

type MarkedTool = LoadedTool & Pick<RegisteredTool, 'marks'>;

function registerTool(pack: LoadedPack, tool: MarkedTool, index: number, variant?: string): Registered {
  const {by_input, ...plain} = tool;
  const {name, required_scopes, permission, input_schema} = plain.declaration;
  const scopes = compileScopeLayer({
    name: 'tool',
    scopes: required_scopes ?? [],
    where: (scope, inside = '') => pack.where(`/tools/${index}/required_scopes/${scope}${inside}`),
    networkDefault: 'off',
  });
  const writes = permission !== 'read' && scopes.layer.write.length > 0;
  const paths = compilePathInputs(input_schema, writes ? 'write' : 'read');
  const calls = (plain.declaration.calls ?? []).map((call, at) => ({
    name: call.tool,
    ...compileScopeLayer({
      name: 'caller',
      scopes: call.scopes,
      where: (scope, inside = '') => pack.where(`/tools/${index}/calls/${at}/scopes/${scope}${inside}`),
      networkDefault: 'off',
    }),
  }));
  const problems = [
    ...scopes.problems,
    ...calls.flatMap((call) => call.problems),
    ...paths.problems.map((problem) => schemaProblem(name, problem, pack, index)),
  ];
  const registered: RegisteredTool = {
    ...plain,
    name,
    pack,
    scopes: scopes.layer,
    calls: calls.length > 0 ? new Map(calls.map((call) => [call.name, call.layer])) : undefined,
    paths: paths.paths,
    variant,
  };
  if (by_input === undefined || variant !== undefined) return {tool: registered, problems};
  const {marks} = plain;
  const variants = [...by_input.variants].map(
    ([value, of]) => [value, registerTool(pack, {...of, marks}, index, value)] as const,
  );
  return {
    tool: {...registered, by_input: {...by_input, variants: new Map(variants.map(([value, of]) => [value, of.tool]))}},
    problems: [...problems, ...variants.flatMap(([, of]) => of.problems)],
  };
}

function schemaProblem(tool: string, problem: string, pack: LoadedPack, index: number): Problem {
  return {
    code: 'PACK_SCHEMA_INVALID',
    severity: 'error',
    message: `the input_schema of \`${tool}\`: ${problem}`,
    where: pack.where(`/tools/${index}/input_schema`),
    help: 'see docs/policies.md, "Paths"',
  };
}

// A test suite for any pack. It checks the manifest, and the tools' behaviour when their examples run on a real host with only
// the declared permissions.
import type {RegisteredTool} from '@lumenflow/kernel';
import {randomUUID} from 'node:crypto';
import {readdir, rm} from 'node:fs/promises';
import {join} from 'node:path';
import {judgeDeclaration, judgeScopes} from './judge-declaration.ts';
import {judgeInterrupted, judgeRun} from './judge-run.ts';
import {runExample, type ExampleRun} from './run-example.ts';
import {stageWithTimeouts} from './stage-with-timeouts.ts';
import {testPack, writeFiles, type TestedPack, type TestPackOptions} from './test-pack.ts';

export interface ConformanceOptions extends Omit<TestPackOptions, 'lane'> {
  /** Inputs with which a tool succeeds, by its name; default the `examples` of its input_schema. */
  readonly examples?: Readonly<Record<string, readonly unknown[]>>;
  /**
   * Tools that cannot be tested in a temporary workspace, by name with the reason: only their declarations are judged. A name
   * that is not a tool of the pack is a finding.
   */
  readonly exempt?: Readonly<Record<string, string>>;
  /** Prepares the workspace before each call, after `files` were written. */
  prepare?(root: string): Promise<void> | void;
}

export interface ConformanceCheck {
  readonly name: string;
  /** The findings; empty when there are none. */
  readonly findings: readonly string[];
  /** Throws an Error that lists the findings, for `test(check.name, check.run)`. */
  readonly run: () => void;
}

/** Rejects with KernelError LOAD_FAILED when the pack cannot be loaded at all. */
export async function packConformance(
  folder: string,
  options: ConformanceOptions = {},
): Promise<readonly ConformanceCheck[]> {
  const canary = randomUUID();
  const env = {...options.env, LUMENFLOW_UNDECLARED: canary};
  const checks: ConformanceCheck[] = [check('loads: manifest, schemas, imports and factories', [])];
  const pack = await testPack(folder, {...options, env});
  try {
    checks.push(...checkExemptions(pack, options));
    for (const tool of toolsOf(pack)) {
      checks.push(checkDeclaration(tool));
      if (!isExempt(tool, options)) checks.push(...(await checkTool({pack, tool, options, canary})));
    }
  } finally {
    await pack.close();
  }
  const staged = await stageWithTimeouts(folder, 1);
  try {
    const hurried = await testPack(staged.folder, {...options, env});
    try {
      for (const tool of toolsOf(hurried)) {
        if (!isExempt(tool, options)) checks.push(await checkTimeout({pack: hurried, tool, options, canary}));
      }
    } finally {
      await hurried.close();
    }
  } finally {
    await staged.remove();
  }
  return checks;
}

function check(name: string, findings: readonly string[]): ConformanceCheck {
  return {
    name,
    findings,
    run() {
      if (findings.length > 0) throw new Error(`${name}:\n${findings.map((finding) => `- ${finding}`).join('\n')}`);
    },
  };
}

interface ToolCheck {
  readonly pack: TestedPack;
  readonly tool: RegisteredTool;
  readonly options: ConformanceOptions;
  /** The value of an environment variable that no tool declares. */
  readonly canary: string;
}

function toolsOf({host, manifest}: TestedPack): readonly RegisteredTool[] {
  const names = new Set(manifest.tools.filter((tool) => tool.internal_only !== true).map(({name}) => name));
  return [...host.runtime.workspace.tools.values()].filter(({name}) => names.has(name));
}

function isExempt({name}: RegisteredTool, {exempt = {}}: ConformanceOptions): boolean {
  return Object.hasOwn(exempt, name);
}

function checkExemptions(pack: TestedPack, {exempt = {}}: ConformanceOptions): readonly ConformanceCheck[] {
  const names = new Set(toolsOf(pack).map(({name}) => name));
  const unknown = Object.keys(exempt).filter((name) => !names.has(name));
  const findings = unknown.map((name) => `\`${name}\` is exempt and no tool of the pack`);
  return unknown.length === 0 ? [] : [check('exempts tools that there are', findings)];
}

function checkDeclaration({name, declaration}: RegisteredTool): ConformanceCheck {
  return check(`${name} says what it does, takes and gives`, judgeDeclaration(declaration));
}

async function checkTool(given: ToolCheck): Promise<readonly ConformanceCheck[]> {
  const {tool, canary} = given;
  const {name, declaration} = tool;
  const examples = examplesOf(given);
  const runs: ExampleRun[] = [];
  for (const input of examples) runs.push(await runAfresh(given, input));
  const none = `there is none: add \`examples\` to its input_schema, or give packConformance some`;
  const wrote = [...new Set(runs.flatMap(({changed}) => changed))];
  return [
    check(
      `${name} succeeds on its examples, with no more network and environment than it declares`,
      examples.length === 0 ? [none] : runs.flatMap((run) => judgeRun(run, canary)),
    ),
    check(`${name} asks for no more than it uses`, judgeScopes(declaration, {ran: examples.length > 0, wrote})),
    ...(declaration.permission === 'read'
      ? [
          check(
            `${name} writes nothing`,
            wrote.map((path) => `it changed \`${path}\``),
          ),
        ]
      : []),
    check(`${name} ends when it is cancelled`, await checkCancel(given, runs)),
  ];
}

/** The tool's failed examples were reported already. */
async function checkCancel(given: ToolCheck, runs: readonly ExampleRun[]): Promise<readonly string[]> {
  return runs.some(({output}) => !output.success)
    ? []
    : await interrupt(given, 'TOOL_CANCELLED', AbortSignal.timeout(20));
}

async function checkTimeout(given: ToolCheck): Promise<ConformanceCheck> {
  return check(`${given.tool.name} ends at its time limit`, await interrupt(given, 'TOOL_TIMEOUT'));
}

async function interrupt(
  given: ToolCheck,
  code: 'TOOL_CANCELLED' | 'TOOL_TIMEOUT',
  signal?: AbortSignal,
): Promise<readonly string[]> {
  const [input] = examplesOf(given);
  return input === undefined ? [] : judgeInterrupted(await runAfresh(given, input, signal), code);
}

/** Without examples, an empty input if the schema accepts it. */
function examplesOf({tool, options}: ToolCheck): readonly unknown[] {
  const given = options.examples?.[tool.name] ?? tool.declaration.input_schema?.['examples'];
  if (Array.isArray(given)) return given as readonly unknown[];
  return tool.validateInput({}).length === 0 ? [{}] : [];
}

/** Each call starts with the same files. */
async function runAfresh({pack, tool, options}: ToolCheck, input: unknown, signal?: AbortSignal): Promise<ExampleRun> {
  for (const name of await readdir(pack.root)) {
    if (name !== '.lumenflow' && name !== 'workspace.yaml') await rm(join(pack.root, name), {recursive: true});
  }
  await writeFiles(pack.root, options.files ?? {});
  await options.prepare?.(pack.root);
  return await runExample(pack, {tool: tool.name, input, signal});
}

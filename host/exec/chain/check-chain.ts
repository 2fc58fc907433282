// Checks a whole chain before its first call: its shape, its names, and that each reference leads to an earlier step.
import {nearestName} from '@lumenflow/kernel';
import {describeSchemaErrors} from '@lumenflow/kernel/adapters';
import type {ChainStep, ToolChain} from '@lumenflow/schemas';
import {validateChain} from '@lumenflow/schemas/validators';
import {referencesIn} from './references.ts';
import {nameIn} from './value-at.ts';

export interface ChainProblem {
  /** JSON pointer into the chain. */
  readonly pointer: string;
  readonly message: string;
}

const previous = 'previous';

/** All problems, in the order of the steps. Whether the tools exist is not checked. */
export function checkChain(chain: unknown): readonly ChainProblem[] {
  const fault = jsonFault(chain);
  if (fault !== undefined) return [{pointer: '', message: `the steps are not JSON: ${fault}`}];
  if (!validateChain(chain)) {
    return describeSchemaErrors(validateChain.errors ?? []).map(({pointer, message}) => ({pointer, message}));
  }
  const names = new Set<string>();
  return (chain as ToolChain).steps.flatMap((step, index) => {
    const found = problemsOf(step, {at: `/steps/${index}`, names, isFirst: index === 0});
    if (step.as !== undefined) names.add(step.as);
    return found;
  });
}

/** Cycles, above all: a reference in them would be looked for without end. */
function jsonFault(chain: unknown): string | undefined {
  try {
    JSON.stringify(chain);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.split('\n', 1)[0] : String(error);
  }
}

interface Place {
  readonly at: string;
  /** Those of the steps before. */
  readonly names: ReadonlySet<string>;
  readonly isFirst: boolean;
}

function problemsOf({as, args, when, use_previous}: ChainStep, {at, names, isFirst}: Place): readonly ChainProblem[] {
  const problems: ChainProblem[] = [];
  if (use_previous === true && isFirst) {
    problems.push({pointer: `${at}/use_previous`, message: 'the first step has no previous value'});
  }
  const misnamed = as === undefined ? undefined : nameProblem(as, names);
  if (misnamed !== undefined) problems.push({pointer: `${at}/as`, message: misnamed});
  const known = isFirst ? [] : [previous, ...names];
  for (const pointer of referencesIn(args)) problems.push(...pointerProblems(pointer, known, `${at}/args`));
  if (when) problems.push(...pointerProblems(when.value, known, `${at}/when/value`));
  return problems;
}

function nameProblem(name: string, names: ReadonlySet<string>): string | undefined {
  if (name === previous) return `\`${previous}\` is reserved for the value of the step before`;
  return names.has(name) ? `\`${name}\` is the name of an earlier step` : undefined;
}

function pointerProblems(pointer: string, known: readonly string[], where: string): readonly ChainProblem[] {
  if (!pointer.startsWith('/')) {
    return [{pointer: where, message: `\`${pointer}\` is not a JSON pointer: write \`/NAME/…\``}];
  }
  const name = nameIn(pointer);
  return known.includes(name) ? [] : [{pointer: where, message: unknownValue(name, known)}];
}

function unknownValue(name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  const help =
    nearest === undefined
      ? `the values here are ${known.length === 0 ? 'none' : known.map((each) => `\`/${each}\``).join(', ')}`
      : `did you mean \`/${nearest}\`?`;
  return `no earlier step gives \`/${name}\`: ${help}`;
}

// Checks steps in the order in which they run: each name must be defined before it is used, on every way that leads there, and each
// step must be reachable.
import type {ProgramStep} from '@lumenflow/schemas';
import {isRepeatable} from '../../../dispatch/is-repeatable.ts';
import {innerSteps} from '../document/inner-steps.ts';
import type {StepKind} from '../document/step-kind.ts';
import {checkCall} from './check-call.ts';
import type {CheckContext} from './check-context.ts';
import {checkStepKeys} from './check-step-keys.ts';
import {itemSchema, type JsonSchema} from './json-schema.ts';
import type {NameSchemas} from './member-schemas.ts';

/** The names after the steps; undefined if nothing after them is reached. */
type Names = NameSchemas | undefined;

export function checkSteps(
  context: CheckContext,
  steps: readonly ProgramStep[],
  at: string,
  before: NameSchemas,
): Names {
  let names: Names = before;
  for (const [index, step] of steps.entries()) {
    const pointer = `${at}/${index}`;
    if (names === undefined) {
      context.report(pointer, 'this step is never reached: the steps before it always return', {help: 'remove it'});
      return undefined;
    }
    names = checkStep(context, step, pointer, names);
  }
  return names;
}

function checkStep(context: CheckContext, step: ProgramStep, pointer: string, names: NameSchemas): Names {
  const kind = checkStepKeys(context, step, pointer);
  return kind === undefined ? names : checks[kind](context, step, pointer, names);
}

type Check = (context: CheckContext, step: ProgramStep, pointer: string, names: NameSchemas) => Names;

const checks: Readonly<Record<StepKind, Check>> = {
  let(context, step, pointer, names) {
    let known: NameSchemas = names;
    for (const [name, data] of Object.entries(step.let ?? {})) {
      const {expressions, checked} = context.template(data, `${pointer}/let/${name}`, known);
      const whole = expressions[0]?.isWhole === true && expressions[0].pointer === '' ? checked[0]?.schema : undefined;
      known = define(context, known, {name, pointer: `${pointer}/let/${name}`, schema: whole});
    }
    return known;
  },
  call(context, step, pointer, names) {
    const schema = checkCall(context, step, pointer, names);
    return step.as === undefined ? names : define(context, names, {name: step.as, pointer: `${pointer}/as`, schema});
  },
  if(context, step, pointer, names) {
    checkCondition(context, step.if ?? '', `${pointer}/if`, names);
    const taken = checkSteps(context, step.then ?? [], `${pointer}/then`, names);
    return either(taken, step.else ? checkSteps(context, step.else, `${pointer}/else`, names) : names);
  },
  switch(context, step, pointer, names) {
    context.expression(step.switch ?? '', `${pointer}/switch`, names);
    const taken = (step.cases ?? []).map(({is, steps}, index) => {
      context.template(is, `${pointer}/cases/${index}/is`, names);
      return checkSteps(context, steps, `${pointer}/cases/${index}/steps`, names);
    });
    const rest = step.default ? checkSteps(context, step.default, `${pointer}/default`, names) : names;
    return taken.reduce(either, rest);
  },
  foreach(context, step, pointer, names) {
    const {schema, types} = context.expression(step.foreach ?? '', `${pointer}/foreach`, names);
    if (types.length > 0 && !types.includes('array'))
      context.report(`${pointer}/foreach`, `it is of type ${types[0]}, not a list`);
    const item = {name: step.item ?? '', pointer: `${pointer}/item`, schema: itemSchema(schema)};
    const after = checkSteps(context, step.steps ?? [], `${pointer}/steps`, define(context, names, item));
    if (step.collect !== undefined && after) context.template(step.collect, `${pointer}/collect`, after);
    if (step.as !== undefined && step.collect === undefined)
      context.report(`${pointer}/as`, '`as` needs `collect`, the value of one iteration');
    return step.as === undefined
      ? names
      : define(context, names, {name: step.as, pointer: `${pointer}/as`, schema: {type: 'array'}});
  },
  parallel(context, step, pointer, names) {
    const known = new Map(names);
    if (!Array.isArray(step.parallel))
      context.report(`${pointer}/parallel`, '`parallel` must be lists of steps, or belong to a `foreach`');
    for (const {pointer: inside, steps} of innerSteps(step)) {
      const after = checkSteps(context, steps, pointer + inside, names);
      for (const [name, schema] of after ?? []) {
        if (!names.has(name) && known.has(name))
          context.report(pointer + inside, `\`${name}\` is also defined by another branch`);
        known.set(name, schema);
      }
    }
    return known;
  },
  try(context, step, pointer, names) {
    const tried = checkSteps(context, step.try ?? [], `${pointer}/try`, names);
    const caught =
      step.catch && checkSteps(context, step.catch, `${pointer}/catch`, new Map([...names, ['error', failure]]));
    const last = step.finally ? checkSteps(context, step.finally, `${pointer}/finally`, names) : names;
    if (last === undefined) return undefined;
    const after = step.catch
      ? either(tried, caught && new Map([...caught].filter(([name]) => name !== 'error' || names.has(name))))
      : tried;
    return after && new Map([...last, ...after]);
  },
  retry(context, step, pointer, names) {
    for (const {call, at} of callsIn(step, pointer)) {
      const tool = context.rules.tools.get(call);
      if (tool && !isRepeatable(tool.declaration)) {
        context.report(at, `\`${call}\` is not idempotent, so it cannot be retried`, {
          help: 'handle its failure with `try`',
        });
      }
    }
    return checkSteps(context, step.steps ?? [], `${pointer}/steps`, names);
  },
  timeout: (context, step, pointer, names) => checkSteps(context, step.steps ?? [], `${pointer}/steps`, names),
  wait_for_approval(context, step, pointer, names) {
    context.template(step.wait_for_approval, `${pointer}/wait_for_approval`, names);
    if (context.rules.isTool === true) context.report(`${pointer}/wait_for_approval`, noWaiting, {help: instead});
    return names;
  },
  return(context, step, pointer, names) {
    context.template(step.return, `${pointer}/return`, names);
    return undefined;
  },
};

const noWaiting = 'a program that is a tool cannot wait for an approval, because its call ends with the process';
const instead = 'require an approval for the tool, or for one that it calls, with a policy rule';

const failure: JsonSchema = {
  type: 'object',
  properties: {code: {type: 'string'}, message: {type: 'string'}, step: {type: 'string'}, details: {}},
  additionalProperties: false,
};

function checkCondition(context: CheckContext, source: string, pointer: string, names: NameSchemas): void {
  const {types} = context.expression(source, pointer, names);
  if (types.length > 0 && !types.includes('boolean')) {
    context.report(pointer, `\`${source}\` is of type ${types[0]}, not true or false`);
  }
}

interface Definition {
  readonly name: string;
  readonly pointer: string;
  readonly schema: JsonSchema | undefined;
}

/** Words with a meaning in CEL. */
const reserved = new Set(
  (
    'inputs error as break const continue else false for function if import in let loop map namespace null package return ' +
    'true type var void while bool bytes cel double dyn has int json list optional parse_json size string uint'
  ).split(' '),
);

/** A name has one value: it is defined once on each way. */
function define(context: CheckContext, names: NameSchemas, {name, pointer, schema}: Definition): NameSchemas {
  if (reserved.has(name)) context.report(pointer, `\`${name}\` is a reserved name`, {help: 'choose another name'});
  else if (names.has(name)) context.report(pointer, `\`${name}\` is defined already`, {help: 'choose another name'});
  return reserved.has(name) ? names : new Map([...names, [name, schema]]);
}

/** Only names that both ways define are known afterwards. */
function either(one: Names, other: Names): Names {
  if (one === undefined || other === undefined) return one ?? other;
  return new Map(
    [...one]
      .filter(([name]) => other.has(name))
      .map(([name, schema]) => [name, schema === other.get(name) ? schema : undefined]),
  );
}

function callsIn(step: ProgramStep, pointer: string): readonly {readonly call: string; readonly at: string}[] {
  const own = step.call === undefined ? [] : [{call: step.call, at: `${pointer}/call`}];
  const inside = innerSteps(step).flatMap(({pointer: list, steps}) =>
    steps.flatMap((each, index) => callsIn(each, `${pointer}${list}/${index}`)),
  );
  return [...own, ...inside];
}

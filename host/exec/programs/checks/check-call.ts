// Checks a call: that its tool exists, and its arguments against the tool's schema as far as they follow.
import {nearestName} from '@lumenflow/kernel';
import type {ProgramStep, ToolDeclaration} from '@lumenflow/schemas';
import type {CheckContext, CheckedTemplate, CheckRules} from './check-context.ts';
import {schemaAt, typesOf, withoutReferences, type JsonSchema} from './json-schema.ts';
import type {NameSchemas} from './member-schemas.ts';

/** Returns the schema of its value. */
export function checkCall(
  context: CheckContext,
  {call = '', args = {}}: ProgramStep,
  pointer: string,
  names: NameSchemas,
): JsonSchema | undefined {
  const template = context.template(args, `${pointer}/args`, names);
  const tool = context.rules.tools.get(call);
  if (tool === undefined) {
    reportMissing(context, call, `${pointer}/call`);
    return undefined;
  }
  if (tool.runs_caller_code === true) {
    // The preview cannot show its calls, the limits of the program do not count them, and it cannot be repeated after a crash.
    context.report(`${pointer}/call`, 'a program cannot run code', {help: 'call the tools in steps of the program'});
  }
  for (const {pointer: inside, message} of wrongArguments(tool, template))
    context.report(`${pointer}/args${inside}`, `the input of \`${call}\`: ${message}`);
  checkTypes(context, tool.declaration, template, `${pointer}/args`);
  const {mcp, output_schema} = tool.declaration;
  return mcp === undefined && output_schema ? withoutReferences(output_schema) : undefined;
}

/** Without a workspace, another pack may have the tool: only a name that resembles a known one is reported. */
function reportMissing({rules, report}: CheckContext, call: string, pointer: string): void {
  const nearest = nearestName(call, rules.tools.keys());
  const help = nearest === undefined ? 'list the tools with `lumenflow tools list`' : `did you mean \`${nearest}\`?`;
  if (rules.isWithoutWorkspace !== true) report(pointer, `there is no tool \`${call}\``, {help});
  else if (nearest !== undefined) report(pointer, `the pack has no tool \`${call}\``, {help, severity: 'warning'});
}

const missing = /^`[^`]+` is missing/u;

type CheckedTool = NonNullable<ReturnType<CheckRules['tools']['get']>>;

/** Values of expressions are not known. What a schema finds wrong with one, or with a whole that contains one, is not reported. */
function wrongArguments({validateInput}: CheckedTool, template: CheckedTemplate): ReturnType<typeof validateInput> {
  const unknown = template.expressions.map((each) => each.pointer);
  return validateInput(template.fill(unknown.map(() => ''))).filter((issue) => {
    const isUnknown = unknown.some((each) => isWithin(each, issue.pointer) || isWithin(issue.pointer, each));
    return !isUnknown || missing.test(issue.message);
  });
}

function isWithin(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`);
}

function checkTypes(
  context: CheckContext,
  {name, input_schema}: ToolDeclaration,
  template: CheckedTemplate,
  pointer: string,
): void {
  const schema = input_schema && withoutReferences(input_schema);
  for (const [index, {pointer: inside, isWhole, expression}] of template.expressions.entries()) {
    const {types = [], schema: found} = template.checked[index] ?? {};
    const given = !isWhole ? ['string'] : types.length > 0 ? types : typesOf(found);
    const wanted = typesOf(schemaAt(schema, inside));
    if (given.length === 0 || wanted.length === 0 || given.some((type) => fits(type, wanted))) continue;
    const message = `\`${expression}\` is of type ${given[0]}, and \`${name}\` needs ${wanted.join(' or ')}`;
    context.report(pointer + inside, message, {part: {text: expression, offset: 0}});
  }
}

function fits(type: string, wanted: readonly string[]): boolean {
  return wanted.includes(type) || (type === 'integer' && wanted.includes('number'));
}

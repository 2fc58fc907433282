// Checks a call: that its tool exists, and its arguments against the tool's schema as far as they follow.
import {nearestName, type RegisteredTool} from '@lumenflow/kernel';
import type {ProgramStep} from '@lumenflow/schemas';
import type {CheckContext, CheckedTemplate} from './check-context.ts';
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
  const tool = context.tools.get(call);
  if (tool === undefined) {
    const nearest = nearestName(call, context.tools.keys());
    const help = nearest === undefined ? 'list the tools with `lumenflow tools list`' : `did you mean \`${nearest}\`?`;
    context.report(`${pointer}/call`, `there is no tool \`${call}\``, {help});
    return undefined;
  }
  if (tool.runs_caller_code === true) {
    // The preview cannot show its calls, the limits of the program do not count them, and it cannot be repeated after a crash.
    context.report(`${pointer}/call`, 'a program cannot run code', {help: 'call the tools in steps of the program'});
  }
  checkArguments(context, tool, template, `${pointer}/args`);
  checkTypes(context, tool, template, `${pointer}/args`);
  const {mcp, output_schema} = tool.declaration;
  return mcp === undefined && output_schema ? withoutReferences(output_schema) : undefined;
}

const missing = /^`[^`]+` is missing/u;

/** Values of expressions are not known. What a schema finds wrong with one, or with a whole that contains one, is not reported. */
function checkArguments(context: CheckContext, tool: RegisteredTool, template: CheckedTemplate, pointer: string): void {
  const unknown = template.expressions.map((each) => each.pointer);
  for (const issue of tool.validateInput(template.fill(unknown.map(() => '')))) {
    const isUnknown = unknown.some((each) => isWithin(each, issue.pointer) || isWithin(issue.pointer, each));
    if (isUnknown && !missing.test(issue.message)) continue;
    context.report(pointer + issue.pointer, `the input of \`${tool.name}\`: ${issue.message}`);
  }
}

function isWithin(pointer: string, above: string): boolean {
  return pointer === above || pointer.startsWith(`${above}/`);
}

function checkTypes(context: CheckContext, tool: RegisteredTool, template: CheckedTemplate, pointer: string): void {
  const {input_schema} = tool.declaration;
  const schema = input_schema && withoutReferences(input_schema);
  for (const [index, {pointer: inside, isWhole, expression}] of template.expressions.entries()) {
    const {types = [], schema: found} = template.checked[index] ?? {};
    const given = !isWhole ? ['string'] : types.length > 0 ? types : typesOf(found);
    const wanted = typesOf(schemaAt(schema, inside));
    if (given.length === 0 || wanted.length === 0 || given.some((type) => fits(type, wanted))) continue;
    const message = `\`${expression}\` is of type ${given[0]}, and \`${tool.name}\` needs ${wanted.join(' or ')}`;
    context.report(pointer + inside, message, {part: {text: expression, offset: 0}});
  }
}

function fits(type: string, wanted: readonly string[]): boolean {
  return wanted.includes(type) || (type === 'integer' && wanted.includes('number'));
}

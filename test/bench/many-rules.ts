// Policies of many rules, none of which matches the calls of a bench.
import type {PolicyMatcher, PolicyRule} from '@lumenflow/schemas';

/** Most name another tool; one of a hundred must look at the input. */
export function rulesAboutOtherTools(count: number): readonly PolicyRule[] {
  return rules(count, (index) =>
    index % 100 === 0
      ? {tool: 'files:*', arguments: {'/path': {glob: `secret-${index}/**`}}}
      : {tool: `other:verb-${index}`},
  );
}

/** For every tool, each about another value of one argument. */
export function rulesAboutOtherValues(count: number): readonly PolicyRule[] {
  return rules(count, (index) => ({
    arguments: {'/path': index % 2 === 0 ? {glob: `secret-${index}/**`} : {equals: `secret-${index}`}},
  }));
}

/** For every tool, each about another program that a command runs. */
export function rulesAboutOtherCommands(count: number): readonly PolicyRule[] {
  return rules(count, (index) => ({command: {argument: '/command', runs: `program-${index} push`}}));
}

/** For results of every tool, each about another text. */
export function rulesAboutOtherOutputs(count: number): readonly PolicyRule[] {
  return rules(count, (index) => ({output: {regex: `secret-${index}-[0-9a-f]{16}`}}), 'on_tool_result');
}

/** For every tool, in a session that is not tainted. */
export function rulesAboutTaint(count: number): readonly PolicyRule[] {
  return rules(count, (index) => ({tainted: `web:verb-${index}`}));
}

/** For every tool, and for those that administer. */
export function rulesAboutOtherPermissions(count: number): readonly PolicyRule[] {
  return rules(count, () => ({permission: ['admin']}));
}

function rules(
  count: number,
  when: (index: number) => PolicyMatcher,
  trigger: PolicyRule['trigger'] = 'on_tool_request',
): readonly PolicyRule[] {
  return Array.from({length: count}, (_, index) => ({
    id: `rule-${index}`,
    trigger,
    decision: 'deny',
    when: when(index),
  }));
}

// `carries`: whether a call's input contains what an untrusted tool returned. Where that is not known, a rule takes it for the worse.
import type {PolicyRequest} from '../policy-request.ts';
import {carriesText} from '../taint/carries-text.ts';
import {compileSources} from '../taint/compile-sources.ts';
import {textsIn} from '../texts-in-value.ts';
import type {MatcherKey} from './matcher-key.ts';
import {reachOfCalls, requiresTaint, sourcesOf} from './tainted-key.ts';

const exampleText = 'a text that an untrusted tool returned';

export const carriesKey: MatcherKey = {
  compile(operand, pointer, site) {
    const isNamed = compileSources(operand, pointer, site);
    return (request) => {
      const origins = (request.tainted?.() ?? []).filter(isNamed);
      const input = inputOf(request);
      if (origins.length === 0 || input === undefined) return false;
      const returned = (request.returned ?? []).filter(isNamed);
      const isUnknown =
        request.returned === undefined ||
        origins.some(({inherited}) => inherited === true) ||
        returned.some(({texts}) => texts === undefined);
      if (isUnknown && !site.isPermissive) return true;
      return carriesText(
        textsIn(input),
        returned.flatMap(({texts = []}) => texts),
      );
    };
  },
  reach: reachOfCalls,
  *requires() {
    yield requiresTaint;
  },
  names: () => [],
  example({arguments: given, carries}) {
    if (carries === undefined) return {returned: []};
    const returned = sourcesOf(carries).map(({tool_name}) => ({tool_name, texts: [exampleText]}));
    return {returned, context: {tool_arguments: {...Object(given), carried: exampleText}}};
  },
  insteadIn: (trigger) =>
    trigger === 'on_tool_request' ? undefined : 'use it in a rule of on_tool_request, or use `tainted`',
};

function inputOf({context, input}: PolicyRequest): unknown {
  return context.tool_arguments ?? input;
}

// `output`: what a tool returned. Each text in it counts by itself: values, and names of properties.
import {isRecord} from '../is-record.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {requiredText, withRequiredText} from '../required-text.ts';
import type {MatcherKey} from './matcher-key.ts';

export const outputKey: MatcherKey = {
  compile(operand, pointer, site) {
    const {regex: source, ...others}: Readonly<Record<string, unknown>> = isRecord(operand) ? operand : {};
    if (typeof source !== 'string' || Object.keys(others).length > 0) {
      return site.reject(pointer, 'POLICY_MATCHER_INVALID', '`output` needs a `regex`');
    }
    const regex = site.compileRegex(source);
    if (!regex.ok) {
      const message = `regex \`${source}\` does not compile: ${regex.problem}`;
      const help = 'use RE2 syntax: no look-around, no back-references';
      return site.reject(`${pointer}/regex`, 'POLICY_REGEX_INVALID', message, help);
    }
    const {test} = withRequiredText(regex.value, source);
    return ({output, supposed_output: supposed}) => supposed ?? output?.().some(test) ?? false;
  },
  reach:
    () =>
    ({trigger}) =>
      trigger === 'on_tool_result' ? 'maybe' : 'never',
  *requires({regex}: {readonly regex: string}) {
    const text = requiredText(regex);
    if (text === undefined) return;
    const read = ({output, supposed_output: supposed}: PolicyRequest): readonly string[] | undefined =>
      supposed === undefined ? output?.() : undefined;
    yield {subject: 'output', isText: true, read, values: [text], prefixes: []};
  },
  names: () => [],
  example: ({output}) => (output === undefined ? {} : {output: () => [output]}),
  insteadIn: (trigger) =>
    trigger === 'on_tool_result'
      ? undefined
      : 'use the trigger `on_tool_result`: the output is known only after the call',
};

// `changes`: conditions on what a call has changed.
import {compileChangesMatcher} from '../compile-changes-matcher.ts';
import type {MatcherKey} from './matcher-key.ts';

export const changesKey: MatcherKey = {
  compile: compileChangesMatcher,
  reach:
    () =>
    ({trigger}) =>
      trigger === 'on_changes' ? 'maybe' : 'never',
  requires: () => [],
  names: () => [],
  example({changes}) {
    if (changes === undefined) return {};
    const texts = changes.flatMap(({added_text}) => added_text ?? []);
    return {context: {changes}, added: {texts, isPartial: false}};
  },
  insteadIn: (trigger) =>
    trigger === 'on_changes' ? undefined : 'use the trigger `on_changes`: what a call changes is known only after it',
};

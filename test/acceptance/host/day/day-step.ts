// What can happen on a day on which people and agents share a repository.
import * as fc from 'fast-check';
import {dayDirectories} from './day-tree.ts';

const pathsIn = (directory: string): readonly string[] => [
  ...['f', 'g', 'd', 'd/f', 'd/e', 'd/e/f'].map((name) => `${directory}/${name}`),
  directory,
];
/** Fewer wait for a person than do not. */
const path = fc.oneof(
  {weight: 6, arbitrary: fc.constantFrom(...dayDirectories.slice(0, -1).flatMap(pathsIn))},
  {weight: 1, arbitrary: fc.constantFrom(...pathsIn('p'))},
);
const act = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({does: fc.constantFrom('write' as const, 'save' as const, 'append' as const), path}),
  },
  {
    weight: 2,
    arbitrary: fc.record({does: fc.constantFrom('remove' as const, 'mkdir' as const, 'chmod' as const), path}),
  },
  {weight: 2, arbitrary: fc.record({does: fc.constantFrom('move' as const, 'link' as const), path, to: path})},
);
type Act = typeof act extends fc.Arbitrary<infer Each> ? Each : never;

const acts = fc.array(act, {minLength: 1, maxLength: 4});
const host = fc.nat(1);
const which = fc.nat(7);
const step = fc.oneof(
  {weight: 3, arbitrary: fc.record({does: fc.constant('people' as const), acts})},
  {weight: 5, arbitrary: fc.record({does: fc.constant('call' as const), host, acts})},
  {weight: 1, arbitrary: fc.record({does: fc.constant('dry run' as const), host, acts})},
  {weight: 2, arbitrary: fc.record({does: fc.constant('both call' as const), acts, others: acts})},
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      host,
      which,
      answer: fc.constantFrom('approve' as const, 'approve' as const, 'reject' as const, 'both' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('settle' as const),
      host,
      which,
      intent: fc.constantFrom('apply' as const, 'discard' as const),
    }),
  },
  {weight: 3, arbitrary: fc.record({does: fc.constant('revert' as const), host, which})},
  {weight: 1, arbitrary: fc.record({does: fc.constant('restart' as const), host})},
  {weight: 1, arbitrary: fc.record({does: fc.constant('kill' as const), acts, afterMs: fc.nat(150)})},
);
export type DayStep = typeof step extends fc.Arbitrary<infer Each> ? Each : never;
export type StepOf<Does extends DayStep['does']> = Extract<DayStep, {readonly does: Does}>;

export const dayOf = (maxLength: number): fc.Arbitrary<DayStep[]> =>
  fc.array(step, {minLength: 1, maxLength, size: 'max'});

let written = 0;

/** Each content is another. What cannot be done is not done. */
export function scriptOf(all: readonly Act[]): string {
  return all.map((each) => `(${commandOf(each)}) 2>/dev/null || :`).join('\n');
}

function commandOf({does, path: at, ...rest}: Act): string {
  const to = 'to' in rest ? rest.to : at;
  const text = String((written += 1));
  const commands: Readonly<Record<Act['does'], string>> = {
    write: `echo ${text} > ${at}`,
    append: `echo ${text} >> ${at}`,
    save: `echo ${text} > ${at}.new && mv -T ${at}.new ${at} || rm -f ${at}.new`,
    remove: `rm -r ${at}`,
    mkdir: `mkdir ${at}`,
    chmod: `test ! -L ${at} && chmod 7${written % 2}${written % 5} ${at}`,
    move: `mv -T ${at} ${to}`,
    link: `ln -sT f ${to}`,
  };
  return commands[does];
}

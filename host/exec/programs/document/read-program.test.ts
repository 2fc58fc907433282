import {expect, test} from 'vitest';
import {readProgram} from './read-program.ts';

const text = `name: places
steps:
  - let:
      plain: \${size(a) + }
      quoted: "x \${size(a) + }"
      folded: >-
        first line
        \${size(a) + }
`;

test.each([
  ['plain', 'p.yaml:4:26'],
  ['quoted', 'p.yaml:5:30'],
  ['folded', 'p.yaml:8:21'],
])('an expression in a %s text has its position', (name, where) => {
  const read = readProgram({file: 'p.yaml', text});
  const document = read.ok ? read.value : undefined;
  expect(document?.locate(`/steps/0/let/${name}`, {text: 'size(a) + ', offset: 10})).toBe(where);
});

// What is checked before a program runs.
import {checkProgram, runProgram} from '@lumenflow/host/exec';
import {expect, it} from 'vitest';
import {programWorkspace} from './program-workspace.fixture.ts';

const workspace = programWorkspace();
const {made} = workspace;
const by = 'shop';

it('finds all problems of a program at once, each with its position', async () => {
  const text = `name: broken
inputs: {count: {type: integer, default: x}}
steps:
  - {call: list:fnd, args: {count: 1}}
  - {call: list:find, args: {count: "\${'a' + 'b'}"}, as: found}
  - {call: list:find, args: {cont: 1}}
  - let: {a: "\${fond.items}", b: "\${found.itms}", c: "\${1 +}"}
  - {let: {found: 1}, call: item:write}
  - {foreach: found.items, item: each, steps: [{call: item:write, args: {id: "\${each.idd}"}}]}
  - {retry: 2, steps: [{call: item:write, args: {id: a}}]}
  - {if: size(found.items), then: [{let: {d: 1}}]}
  - {let: {e: "\${d}"}}
  - {try: [{let: {f: 1}}]}
  - {return: 1}
  - {call: item:purge}
`;
  const {check, document} = await checkProgram(workspace.host.runtime, {file: 'broken.yaml', text});
  expect(document.ok).toBe(false);
  expect(check.problems.map(({where, message}) => `${where} ${message}`)).toMatchInlineSnapshot(`
    [
      "broken.yaml:2:42 the default does not match its schema: the value must be a whole number but is a string",
      "broken.yaml:4:12 there is no tool \`list:fnd\`",
      "broken.yaml:5:40 \`'a' + 'b'\` is of type string, and \`list:find\` needs integer",
      "broken.yaml:6:29 the input of \`list:find\`: \`count\` is missing",
      "broken.yaml:6:36 the input of \`list:find\`: unknown key \`cont\` (did you mean \`count\`? allowed here: count)",
      "broken.yaml:7:17 \`fond\` is not defined here: did you mean \`found\`?",
      "broken.yaml:7:37 there is no member \`itms\`: did you mean \`items\`?",
      "broken.yaml:7:60 Unexpected token: EOF",
      "broken.yaml:8:5 a step needs exactly one of \`let\`, \`call\`, \`if\`, \`switch\`, \`foreach\`, \`parallel\`, \`try\`, \`retry\`, \`timeout\`, \`wait_for_approval\`, \`return\`: it has \`let\` and \`call\`",
      "broken.yaml:9:5 \`foreach\` needs \`max\`",
      "broken.yaml:9:81 there is no member \`idd\`: did you mean \`id\`?",
      "broken.yaml:10:31 \`item:write\` is not idempotent, so it cannot be retried",
      "broken.yaml:11:10 \`size(found.items)\` is of type integer, not true or false",
      "broken.yaml:12:18 \`d\` is not defined here: the names here are \`inputs\`, \`found\`, \`a\`, \`b\`, \`c\`",
      "broken.yaml:13:5 \`try\` needs \`catch\`, \`finally\` or both",
      "broken.yaml:15:5 this step is never reached: the steps before it always return",
    ]
  `);
  expect(check.calls.find(({tool_id}) => tool_id === 'item:purge')).toMatchObject({
    policy: 'denied',
    where: 'broken.yaml:15:12',
  });
  const started = await runProgram(workspace.host, {program: {file: 'broken.yaml', text}, by});
  expect(started).toMatchObject({ok: false, problem: {code: 'INVALID_INPUT'}});
  expect(made).toEqual([]);
});

it('rejects a program that runs code, whose calls no preview can show', async () => {
  const code = {language: 'javascript', code: 'await tools.item.write({id: "a"});'};
  const steps = [
    {retry: 2, steps: [{call: 'code:run', args: code}]},
    {call: 'code:run-sandboxed', args: code},
  ];
  const {check} = await checkProgram(workspace.host.runtime, {
    file: 'coding.json',
    text: JSON.stringify({name: 'coding', steps}),
  });
  expect(check.problems).toMatchObject([
    {pointer: '/steps/0/steps/0/call', message: 'a program cannot run code'},
    {pointer: '/steps/1/call', message: 'a program cannot run code'},
  ]);
});

it('rejects a program that contains itself, and inputs that do not match', async () => {
  const cyclic = {name: 'cyclic', steps: [{let: {a: {}}}]};
  Object.assign(cyclic.steps[0]?.let.a ?? {}, {cyclic});
  const {check} = await checkProgram(workspace.host.runtime, cyclic as never);
  expect(check.problems).toMatchObject([{message: expect.stringContaining('circular') as string}]);
  const program = {name: 'typed', inputs: {count: {type: 'integer'}}, steps: [{return: '${inputs.count}'}]} as const;
  expect(await runProgram(workspace.host, {program: program as never, inputs: {count: 'x'}, by})).toMatchObject({
    problem: {message: expect.stringContaining('/count') as string},
  });
  expect(await runProgram(workspace.host, {program: program as never, inputs: {count: 2}, by})).toMatchObject({
    value: {value: 2},
  });
});

it('follows the names and members of values into expressions', async () => {
  const step = (expression: string): string => `  - {let: {v: ${JSON.stringify(`\${${expression}}`)}}}`;
  const problems = async (expression: string): Promise<readonly string[]> => {
    const steps = ['  - {call: list:find, args: {count: 1}, as: found}', step(expression)];
    const text = ['name: members', 'steps:', ...steps].join('\n');
    const {check} = await checkProgram(workspace.host.runtime, {file: 'm.yaml', text});
    return check.problems.map(({where, message}) => `${where} ${message}`);
  };
  for (const valid of [
    'found.items.map(i, i.id)',
    'found.items.filter(i, i.id != "").map(i, i.id + found.items[0].id)',
    'cel.bind(x, found.items, x[0].id)',
    'has(found.items) ? type(found) == map : optional.of(1).hasValue()',
    'found.?items.orValue([])',
  ]) {
    expect(await problems(valid)).toEqual([]);
  }
  expect(await problems('found.items.map(i, i.ids)')).toEqual([
    'm.yaml:4:37 there is no member `ids`: did you mean `id`?',
  ]);
  const only = async (expression: string): Promise<string> => (await problems(expression)).join();
  expect(await only('found.items.filter(i, true)[0].name')).toContain('no member `name`: it has `id`');
  expect(await only('found.items.exists(i, item)')).toContain('`item` is not defined here');
  expect(await only('found.items.map(found, found.id) + i')).toContain('`i` is not defined here');
});

it('rejects a program that would take long to check', async () => {
  const steps = Array.from({length: 301}, (_, index) => ({let: {[`v${index}`]: 1}}));
  const {check} = await checkProgram(workspace.host.runtime, {
    name: 'long',
    steps: [{try: steps.slice(0, 200), finally: steps.slice(200)}],
  } as never);
  expect(check.problems).toMatchObject([{pointer: '/steps', message: 'the program has 302 steps, and can have 300'}]);
});

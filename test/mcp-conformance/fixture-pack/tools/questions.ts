// Tools that ask the client: each is called again with the answers.
import {defineTool} from '@lumenflow/pack-sdk';
import {answerTo, ask, form, listRoots, sample, say, type Answers} from './asked.ts';

const text = {type: 'string'};
const asking = (name: string, question: object, answerOf: (answer: Readonly<Record<string, unknown>>) => object) =>
  defineTool<Answers, object>({
    run: (input) => {
      const answer = answerTo(input, name);
      return answer ? answerOf(answer) : ask({[name]: question});
    },
  });
const reported = ({action, content}: Readonly<Record<string, unknown>>): object =>
  say(`User response: action=${String(action)}, content=${JSON.stringify(content ?? {})}`);
const completed = ({action, content}: Readonly<Record<string, unknown>>): object =>
  say(`Elicitation completed: action=${String(action)}, content=${JSON.stringify(content ?? {})}`);

export const sampling = defineTool<Answers & {readonly prompt: string}, object>({
  run: (input) => {
    const answer = answerTo(input, 'reply');
    const content = answer?.['content'] as {readonly text?: string} | undefined;
    return answer ? say(`LLM response: ${content?.text ?? ''}`) : ask({reply: sample(input.prompt, 100)});
  },
});

export const elicitation = defineTool<Answers & {readonly message: string}, object>({
  run: (input) => {
    const answer = answerTo(input, 'user');
    const properties = {
      username: {...text, description: "User's response"},
      email: {...text, description: "User's email address"},
    };
    return answer ? reported(answer) : ask({user: form(input.message, properties, ['username', 'email'])});
  },
});

export const defaults = asking(
  'values',
  form('Look at these', {
    name: {...text, default: 'John Doe'},
    age: {type: 'integer', default: 30},
    score: {type: 'number', default: 95.5},
    status: {...text, enum: ['active', 'inactive', 'pending'], default: 'active'},
    verified: {type: 'boolean', default: true},
  }),
  completed,
);

const options = ['option1', 'option2', 'option3'];
const titled = (ordinals: readonly string[], what: string): readonly object[] =>
  ordinals.map((ordinal, index) => ({const: `value${index + 1}`, title: `${ordinal} ${what}`}));
export const enums = asking(
  'choices',
  form('Choose', {
    untitledSingle: {...text, enum: options},
    titledSingle: {...text, oneOf: titled(['First', 'Second', 'Third'], 'Option')},
    legacyEnum: {
      ...text,
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: {type: 'array', items: {...text, enum: options}},
    titledMulti: {type: 'array', items: {anyOf: titled(['First', 'Second', 'Third'], 'Choice')}},
  }),
  completed,
);

export const streaming = defineTool<Answers, object>({
  async run(input, context) {
    await context.progress({progress: 1, total: 2});
    const answer = answerTo(input, 'user_name');
    return answer ? reported(answer) : ask({user_name: form('What is your name?', {name: text}, ['name'])});
  },
});

const nameForm = form('What is your name?', {name: text}, ['name']);
export const userName = asking('user_name', nameForm, ({content}) =>
  say(`Hello, ${String((content as {readonly name?: unknown} | undefined)?.name)}!`),
);
export const capital = asking('capital_question', sample('What is the capital of France?', 100), ({content}) =>
  say(String((content as {readonly text?: unknown} | undefined)?.text)),
);
export const roots = asking('client_roots', listRoots, (answer) => say(`Roots: ${JSON.stringify(answer['roots'])}`));

const questions = {user_name: nameForm, greeting: sample('Generate a greeting', 50), client_roots: listRoots};
export const three = defineTool<Answers, object>({
  run: (input) => {
    const isAnswered = Object.keys(questions).every((name) => answerTo(input, name));
    return isAnswered ? say(`Answered: ${JSON.stringify(input.input_responses)}`) : ask(questions, 'asked');
  },
});

export const confirmed = defineTool<Answers, object>({
  run: (input) => {
    const answer = answerTo(input, 'confirm');
    if (answer && input.request_state === 'to be confirmed') return say('state-ok');
    return ask({confirm: form('Please confirm', {ok: {type: 'boolean'}}, ['ok'])}, 'to be confirmed');
  },
});

export const twice = defineTool<Answers, object>({
  run: (input) => {
    const color = answerTo(input, 'step2');
    if (color && input.request_state === 'step 2') return say(`Chosen: ${JSON.stringify(color['content'])}`);
    return answerTo(input, 'step1')
      ? ask({step2: form('Step 2: What is your favorite color?', {color: text}, ['color'])}, 'step 2')
      : ask({step1: form('Step 1: What is your name?', {name: text}, ['name'])}, 'step 1');
  },
});

// Prompts: tools that give messages.
import {defineTool} from '@lumenflow/pack-sdk';
import {answerTo, ask, form, type Answers} from './asked.ts';
import {png} from './content.ts';

const messages = (...contents: readonly object[]): object => ({
  messages: contents.map((content) => ({role: 'user', content})),
});
const text = (words: string): object => ({type: 'text', text: words});

export const simple = defineTool<unknown, object>({
  run: () => messages(text('This is a simple prompt for testing.')),
});

export const withArguments = defineTool<{readonly arg1: string; readonly arg2: string}, object>({
  run: ({arg1, arg2}) => messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
});

export const withResource = defineTool<{readonly resourceUri: string}, object>({
  run: ({resourceUri: uri}) =>
    messages(
      {type: 'resource', resource: {uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.'}},
      text('Please process the embedded resource above.'),
    ),
});

export const withImage = defineTool<unknown, object>({
  run: () => messages({type: 'image', data: png, mimeType: 'image/png'}, text('Please analyze the image above.')),
});

export const asking = defineTool<Answers, object>({
  run: (input) => {
    const answer = answerTo(input, 'user_context');
    return answer
      ? messages(text(`Context: ${JSON.stringify(answer['content'])}`))
      : ask({user_context: form('What context should the prompt use?', {context: {type: 'string'}}, ['context'])});
  },
});

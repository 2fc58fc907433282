// Handlers that give the protocol's own results.
import {defineTool, ToolError} from '@lumenflow/pack-sdk';

export const misshapen = defineTool<unknown, object>({run: () => ({contents: 'none'})});

interface Naming {
  readonly thing?: string;
  readonly input_responses?: {readonly name?: {readonly content?: {readonly name?: string}}};
  readonly request_state?: string;
}

export const nameIt = defineTool<Naming, object>({
  run({thing = 'it', input_responses, request_state = 'no state'}) {
    const name = input_responses?.name?.content?.name;
    if (name !== undefined) return {content: [{type: 'text', text: `${thing} is ${name}, ${request_state}`}]};
    const requestedSchema = {type: 'object', properties: {name: {type: 'string'}}, required: ['name']};
    return {
      resultType: 'input_required',
      inputRequests: {
        name: {method: 'elicitation/create', params: {mode: 'form', message: `Name ${thing}`, requestedSchema}},
      },
      requestState: 'as asked',
    };
  },
});

export const verse = defineTool<{readonly mood: string}, object>({
  run: ({mood}) => ({messages: [{role: 'user', content: {type: 'text', text: `A ${mood} verse`}}]}),
});

export const page = defineTool<{readonly number: string}, object>({
  run({number}) {
    if (number === '0') throw new ToolError('NO_SUCH_PAGE', 'pages begin with 1');
    if (number === '13') return {contents: []};
    return {contents: [{uri: `desk://book/${number}`, mimeType: 'text/plain', text: `page ${number}`}]};
  },
});

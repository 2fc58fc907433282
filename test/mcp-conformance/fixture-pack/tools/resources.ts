// Resources: tools that give what there is at an address.
import {defineTool} from '@lumenflow/pack-sdk';
import {png} from './content.ts';

const at = (uri: string, mimeType: string, content: object): object => ({contents: [{uri, mimeType, ...content}]});
const give = (result: object) => defineTool<unknown, object>({run: () => result});

export const text = give(
  at('test://static-text', 'text/plain', {text: 'This is the content of the static text resource.'}),
);
export const binary = give(at('test://static-binary', 'image/png', {blob: png}));

export const template = defineTool<{readonly id: string}, object>({
  run: ({id}) => {
    const found = JSON.stringify({id, templateTest: true, data: `Data for ID: ${id}`});
    return at(`test://template/${id}/data`, 'application/json', {text: found});
  },
});

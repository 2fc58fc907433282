import {defineTool} from '@lumenflow/pack-sdk';
import {runtimeCliAdapter} from '@lumenflow/pack-sdk/cli';

export const askOnPool = defineTool({run: async () => await runtimeCliAdapter.run('words')});

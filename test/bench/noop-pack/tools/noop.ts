import {defineTool} from '@lumenflow/pack-sdk';

export const noop = defineTool<unknown, unknown>({run: (input) => input});

import {defineTool} from '@lumenflow/pack-sdk';

export const greet = defineTool<{name: string}, {greeting: string}>({
  run: ({name}, context) => ({greeting: `Hello ${name}, in lane ${context.lane_id}`}),
});

import type {ToolFailure} from '@lumenflow/schemas';

export const tooManyCalls: ToolFailure = {
  code: 'LIMIT_EXCEEDED',
  message: 'the program reached its limit of tool_calls',
  details: {limit: 'tool_calls'},
};

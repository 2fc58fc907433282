// The names that texts of a workspace can mention: of its tools, and their former ones.
import type {ToolNames} from './client-text.ts';
import type {Conversation} from './conversation.ts';

export function toolNames({runtime: {workspace}}: Pick<Conversation, 'runtime'>): ToolNames {
  const {tools, renamed} = workspace;
  return {has: (name) => tools.has(name) || renamed.has(name)};
}

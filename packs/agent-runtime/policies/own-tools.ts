// The tools that run sessions. Neither intents nor the limit on tool calls apply to them.

export const turnTool = 'agent:execute-turn';

export function isOwnTool(name: string): boolean {
  return /^agent(?:-session|-workflow|-schedule)?:/u.test(name);
}

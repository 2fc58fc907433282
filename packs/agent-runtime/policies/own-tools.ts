// Which tools are the runtime's own: sessions are made of them, so neither intents nor the limit of calls govern them.

export const turnTool = 'agent:execute-turn';

export function isOwnTool(name: string): boolean {
  return /^agent(?:-session|-workflow|-schedule)?:/u.test(name);
}

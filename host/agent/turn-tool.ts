/** The tool that asks a model for the next turn. */
export const turnTool = 'agent:execute-turn';

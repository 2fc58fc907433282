/** Without the tools that the kernel offers in every workspace. */
export function toolsOfPacks<T extends {readonly tool: {readonly name: string}}>(tools: readonly T[]): readonly T[] {
  return tools.filter(({tool}) => !tool.name.startsWith('kernel:'));
}

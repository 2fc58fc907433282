// What a pin allows: each of its tools, getting prompts, and reading resources.
import type {PackPin} from '@lumenflow/schemas';

type Grant = NonNullable<PackPin['prompts']>;

/** With the names that messages have for them. */
export function pinnedGrants({tools = {}, prompts, resources}: PackPin): readonly (readonly [string, Grant])[] {
  return [
    ...Object.entries(tools).flatMap(([name, tool]) => (tool === undefined ? [] : [[name, tool] as const])),
    ...(prompts === undefined ? [] : [['prompts', prompts] as const]),
    ...(resources === undefined ? [] : [['resources', resources] as const]),
  ];
}

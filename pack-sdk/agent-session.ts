// What a pack that runs agents serves: see `@lumenflow/schemas/agent-session`.
export type * from '@lumenflow/schemas/agent-session';

/** The two logs of a workspace: events, and the records of calls. */
export type LogName = 'events' | 'traces';

export const logNames: readonly LogName[] = ['events', 'traces'];

// What LumenFlow itself records in the metadata of a call, and later reads as fact: runs of programs and sessions of agents continue
// from it. Callers cannot set it, because a call of theirs would then be the outcome of a step.

const names = [
  'program_run',
  'program_step',
  'agent_turn_index',
  'agent_tool_call_count',
  'agent_tool_call_id',
  'claim_of',
  'claimed_by',
  'completion_of',
  'completed_by',
] as const;

export type RecordedMetadata = Readonly<Partial<Record<(typeof names)[number], unknown>>>;

/** The first of its names in the metadata of a caller. */
export function recordedMetadata(metadata: Readonly<Record<string, unknown>>): string | undefined {
  return names.find((name) => Object.hasOwn(metadata, name));
}

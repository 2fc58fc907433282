// The bounds of a run: the lowest of what LumenFlow, the program and the request allow.
import type {ProgramLimits} from '@lumenflow/schemas';

export const limitsMax: Required<ProgramLimits> = {
  steps: 10_000,
  tool_calls: 1_000,
  wall_time_ms: 3_600_000,
  output_bytes: 10 * 1024 * 1024,
  depth: 16,
  parallel: 16,
};

export function programLimits(...lower: readonly (ProgramLimits | undefined)[]): Required<ProgramLimits> {
  const lowest = (key: keyof ProgramLimits): number =>
    Math.min(...[limitsMax, ...lower].map((each) => each?.[key] ?? Infinity));
  return {
    steps: lowest('steps'),
    tool_calls: lowest('tool_calls'),
    wall_time_ms: lowest('wall_time_ms'),
    output_bytes: lowest('output_bytes'),
    depth: lowest('depth'),
    parallel: lowest('parallel'),
  };
}

import type {ToolFailure} from '@lumenflow/schemas';

export function overTime(wallMs: number): ToolFailure {
  const message = `the code did not finish within ${wallMs} ms`;
  return {code: 'TOOL_TIMEOUT', message, details: {limit: 'wall_time_ms', wall_time_ms: wallMs}};
}

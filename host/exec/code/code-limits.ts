// The limits of one run: a request can only lower them.
import type {CodeLimits} from '@lumenflow/schemas';

const mebibyte = 1024 * 1024;

export function codeLimits(asked: CodeLimits | undefined): Required<CodeLimits> {
  return {
    tool_calls: 1_000,
    wall_time_ms: 60_000,
    output_bytes: mebibyte,
    memory_bytes: 64 * mebibyte,
    ...asked,
  };
}

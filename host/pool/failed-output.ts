// The output of a call that the host itself failed.
import type {ToolOutput} from '@lumenflow/schemas';
import type {CallErrorCode} from '@lumenflow/kernel';

export function failedOutput(code: CallErrorCode, message: string, details?: Record<string, unknown>): ToolOutput {
  return {success: false, error: details === undefined ? {code, message} : {code, message, details}};
}

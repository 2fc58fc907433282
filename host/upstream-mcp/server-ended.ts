// Whether a call failed because its server ended or could not be reached. The server reports other failures itself.
import type {ToolOutput} from '@lumenflow/schemas';

export function serverEnded({error}: ToolOutput): boolean {
  return error?.code === 'TOOL_CRASHED' || (error?.code === 'UPSTREAM_FAILED' && error.details?.['ended'] === true);
}

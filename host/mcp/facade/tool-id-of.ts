import {fromMcpName} from '../tool-name.ts';

/** The name of a tool that a client wrote as the workspace does, `file:read`, or as clients do, `file_read`. */
export function toolIdOf(text: string): string {
  return text.includes(':') ? text : fromMcpName(text);
}

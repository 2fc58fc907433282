// `lumenflow mcp` with a wrong command line. A client shows its user only what the server answers, so it answers with the mistake.
import type {ToolFailure} from '@lumenflow/schemas';
import {serveMcpStdio, Unavailable} from '../../mcp/index.ts';
import {version} from '../../version.ts';
import type {CliContext} from '../command.ts';

/** Resolves when the client closes its end. */
export async function mcpMisused(
  {signal, notify, errorStyle}: Pick<CliContext, 'signal' | 'notify' | 'errorStyle'>,
  {code, message}: ToolFailure,
): Promise<void> {
  const remedy =
    'ask the user to correct the command line of this MCP server, and to restart it: see `lumenflow mcp --help`';
  const report = (text: string): void => notify(errorStyle.dim(text));
  await serveMcpStdio(() => Promise.reject(new Unavailable({code, message, details: {remedy}})), {
    version,
    stdin: process.stdin,
    stdout: process.stdout,
    signal,
    onError: () => undefined,
    onMistake: report,
  });
}

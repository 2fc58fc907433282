// Serves a call with the connection that earlier calls left, or with a new one. What is in this module lasts as long as the
// sandbox.
import {isToolError, ToolError, type ToolContext} from '@lumenflow/pack-sdk';
import {ProtocolError, SdkError, SdkErrorCode} from '@modelcontextprotocol/client';
import {hideSecrets} from '../../secrets/hide-secrets.ts';
import type {UpstreamServer} from '../upstream-server.ts';
import {secretsOf} from './secrets-of.ts';
import {Connection} from './connection.ts';

let shared: Connection | undefined;

/**
 * Throws ToolError UPSTREAM_FAILED when the server cannot be started or reached, ends, or does not speak the protocol. `ended` in
 * its details: the server cannot serve another call.
 */
export async function withConnection<T>(
  server: UpstreamServer,
  context: ToolContext,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const secrets = secretsOf(server, context.env);
  let connection = shared;
  try {
    connection ??= await Connection.open(server, context);
    if (server.isLasting) shared = connection;
    connection.serve(context);
    await connection.check(context.signal);
    return hideSecrets(await work(connection), secrets);
  } catch (error) {
    if (context.signal.aborted) {
      connection?.doubt();
      throw error;
    }
    const {code, message, details} = isToolError(error) ? error : failureOf(error, server, connection);
    throw new ToolError(code, hideSecrets(message, secrets), hideSecrets(details, secrets));
  } finally {
    connection?.serve(undefined);
    if (!server.isLasting) await connection?.end();
  }
}

function failureOf(error: unknown, server: UpstreamServer, connection: Connection | undefined): ToolError {
  const {pack, url} = server;
  const ended = connection?.isClosed !== false || (url !== undefined && !isReply(error));
  return new ToolError('UPSTREAM_FAILED', `the server of the pack \`${pack}\` failed: ${messageOf(error)}`, {
    server: pack,
    ended,
    remedy:
      url === undefined
        ? 'read the log of the call, and try the `command` of the pin in the workspace'
        : `check that ${new URL(url).origin} can be reached, and the \`headers\` of the pin`,
  });
}

/** Whether the server replied, with an error or with an invalid result. */
function isReply(error: unknown): boolean {
  return ProtocolError.isInstance(error) || (SdkError.isInstance(error) && error.code === SdkErrorCode.InvalidResult);
}

/** Node gives the reason for a failed connection in the cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  return `${error.message}${code}`;
}

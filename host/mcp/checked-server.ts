// The SDK's server, with one kind of error for malformed params. The SDK reports them as internal errors, or with all that its
// validator knows.
import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server';

type Handler = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>;

export class CheckedServer extends Server {
  protected override _wrapHandler(method: string, handler: Handler): Handler {
    // oxlint-disable-next-line no-underscore-dangle -- the SDK's hook for subclasses
    const wrapped = super._wrapHandler(method, handler);
    return async (request, context) => {
      try {
        return await wrapped(request, context);
      } catch (error) {
        const issues = issuesIn(error);
        if (issues === undefined) throw error;
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `the params of ${method} are not valid: ${issues}`);
      }
    };
  }
}

interface Issue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The SDK passes the validator's issues as JSON in the message. */
function issuesIn(error: unknown): string | undefined {
  const message = error instanceof Error ? error.message : '';
  const [list] = /\[\s*\{[^]*\]$/u.exec(message) ?? [];
  if (list === undefined) return undefined;
  try {
    const issues = JSON.parse(list) as readonly Issue[];
    return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  } catch {
    return undefined;
  }
}

// One call of a server's tool. The server can ask questions while the call runs: then the call waits, and the next call of the same
// tool continues it with the answers.
import type {CallToolResult, Client, ElicitRequest, ElicitResult} from '@modelcontextprotocol/client';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {randomUUID} from 'node:crypto';
import {hideSecrets, type Secret} from '../../secrets/hide-secrets.ts';
import {patienceMs} from './patience-ms.ts';

/** What a handler returns so that its caller asks the client. */
export interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<Record<string, Pick<ElicitRequest, 'method' | 'params'>>>;
  readonly requestState: string;
}

interface RequestedCall {
  readonly name: string;
  readonly arguments: object;
  /** Not to be repeated in progress. */
  readonly secrets: readonly Secret[];
}

interface Question {
  readonly request: Pick<ElicitRequest, 'method' | 'params'>;
  answer(result: ElicitResult): void;
}

export class UpstreamCall {
  readonly id: string = randomUUID();
  readonly #tool: string;
  readonly #session: string;
  readonly #abort = new AbortController();
  readonly #questions = new Map<string, Question>();
  readonly #result: Promise<CallToolResult>;
  #context: ToolContext;
  #onQuestion = (): void => undefined;

  constructor(client: Client, request: RequestedCall, context: ToolContext) {
    this.#context = context;
    this.#tool = request.name;
    this.#session = context.session_id;
    this.#result = client.callTool(
      {name: request.name, arguments: {...request.arguments}},
      {
        signal: this.#abort.signal,
        onprogress: (progress) =>
          void this.#context.progress(hideSecrets(progress, request.secrets)).catch(() => undefined),
        timeout: patienceMs,
      },
    );
    // Reported by `next`, which no caller may be waiting for when the server ends.
    this.#result.catch(() => undefined);
  }

  /** Whether a call continues this one: it is of the same tool and session, because each round is decided as a call of its tool. */
  isContinuedBy(id: string, tool: string, {session_id}: Pick<ToolContext, 'session_id'>): boolean {
    return id === this.id && tool === this.#tool && session_id === this.#session;
  }

  /** The server asks. Resolves with the answer. */
  async ask(request: Pick<ElicitRequest, 'method' | 'params'>): Promise<ElicitResult> {
    return await new Promise((answer) => {
      this.#questions.set(`question-${this.#questions.size + 1}`, {request, answer});
      this.#onQuestion();
    });
  }

  /** A question without an answer is cancelled. */
  answer(responses: Readonly<Record<string, unknown>>): void {
    const open = [...this.#questions];
    this.#questions.clear();
    for (const [name, {answer}] of open) answer((responses[name] as ElicitResult | undefined) ?? {action: 'cancel'});
  }

  cancel(reason: unknown): void {
    this.#abort.abort(reason);
    this.answer({});
  }

  /** The result, or the questions before it. The context is that of the current round. */
  async next(context: ToolContext): Promise<CallToolResult | InputRequired> {
    this.#context = context;
    const asked = new Promise<undefined>((resolve) => (this.#onQuestion = () => resolve(undefined)));
    if (this.#questions.size > 0) this.#onQuestion();
    const {signal} = context;
    const onAbort = (): void => this.cancel(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    try {
      const result = await Promise.race([this.#result, asked]);
      return result ?? this.#inputRequired();
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #inputRequired(): InputRequired {
    const asked = Array.from(this.#questions, ([name, {request}]) => [name, request] as const);
    return {resultType: 'input_required', inputRequests: Object.fromEntries(asked), requestState: this.id};
  }
}

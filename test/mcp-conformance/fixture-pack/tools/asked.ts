// Questions of a handler, and what the client answered to them: unchecked, since a client may send anything.

export interface Answers {
  readonly input_responses?: Readonly<Record<string, unknown>>;
  readonly request_state?: string;
}

export const ask = (inputRequests: Readonly<Record<string, object>>, requestState?: string): object => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState !== undefined && {requestState}),
});

export const form = (message: string, properties: object, required?: readonly string[]): object => ({
  method: 'elicitation/create',
  params: {mode: 'form', message, requestedSchema: {type: 'object', properties, ...(required && {required})}},
});

export const sample = (text: string, maxTokens: number): object => ({
  method: 'sampling/createMessage',
  params: {messages: [{role: 'user', content: {type: 'text', text}}], maxTokens},
});

export const listRoots: object = {method: 'roots/list', params: {}};

/** Undefined for a value that is not an answer. */
export function answerTo(answers: Answers, name: string): Readonly<Record<string, unknown>> | undefined {
  const answer = answers.input_responses?.[name];
  return typeof answer === 'object' && answer !== null ? (answer as Readonly<Record<string, unknown>>) : undefined;
}

export const say = (text: string): object => ({content: [{type: 'text', text}]});

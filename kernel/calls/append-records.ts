// Appends records whose contents are stored first. Between the two, a rule of the workspace can delete an old content that is equal to one
// of them. It is then stored again, so that no record refers to a content that is gone.
import {isContentDeleted} from '../errors.ts';
import type {Kernel} from '../context/kernel.ts';
import type {ReceivedCall} from './call.ts';
import {readInput} from './read-input.ts';

/** A deletion has few steps that reach the same content. */
const attemptsMax = 10;

/** `store` stores the contents and appends the records that refer to them. */
export async function storeAndAppend<Result>(store: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await store();
    } catch (error) {
      if (!isContentDeleted(error) || attempt === attemptsMax) throw error;
    }
  }
}

/** Also for a call whose input was stored earlier. Returns the call with the ref of its input. */
export async function appendWithInput<Call extends ReceivedCall & {readonly input_ref?: string | undefined}>(
  kernel: Kernel,
  given: Call,
  append: (call: Call) => Promise<void>,
): Promise<Call> {
  let call = given;
  let isStored = true;
  return await storeAndAppend(async () => {
    if (!isStored) call = await withStoredInput(kernel, call);
    isStored = false;
    await append(call);
    return call;
  });
}

async function withStoredInput<Call extends ReceivedCall & {readonly input_ref?: string | undefined}>(
  kernel: Kernel,
  call: Call,
): Promise<Call> {
  const {tool, request} = call as Call & {readonly tool?: Parameters<typeof readInput>[0]};
  if (call.input_ref === undefined) return call;
  const read = readInput(tool ?? {name: request.name}, request.input);
  const {text} = read.ok ? read : read.problem;
  return text === undefined ? call : {...call, input_ref: (await kernel.ports.contents.put(text)).ref};
}

// Appends what refers to the input of a call, which was stored earlier and may be gone: see `storeAndAppend`.
import {storeAndAppend} from '../context/store-and-append.ts';
import type {Kernel} from '../context/kernel.ts';
import type {ReceivedCall} from './call.ts';
import {readInput} from './read-input.ts';

type WithInput = ReceivedCall & {readonly input_ref?: string | undefined};

/** Returns the call with the ref of its input. */
export async function appendWithInput<Call extends WithInput>(
  kernel: Kernel,
  given: Call,
  append: (call: Call) => Promise<void>,
): Promise<Call> {
  return await withInput(kernel, given, async (call) => {
    await append(call);
    return call;
  });
}

/** `use` appends records or events that refer to the input. It is repeated with another ref if the input was deleted before. */
export async function withInput<Call extends WithInput, Result>(
  kernel: Kernel,
  given: Call,
  use: (call: Call) => Promise<Result>,
): Promise<Result> {
  let call = given;
  let isStored = true;
  return await storeAndAppend(async () => {
    if (!isStored) call = await withStoredInput(kernel, call);
    isStored = false;
    return await use(call);
  });
}

async function withStoredInput<Call extends WithInput>(kernel: Kernel, call: Call): Promise<Call> {
  const {tool, request} = call as Call & {readonly tool?: Parameters<typeof readInput>[0]};
  if (call.input_ref === undefined) return call;
  const read = readInput(tool ?? {name: request.name}, request.input);
  const {text} = read.ok ? read : read.problem;
  return text === undefined ? call : {...call, input_ref: (await kernel.ports.contents.put(text)).ref};
}

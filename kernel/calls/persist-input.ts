// Stores the input by its hash, with canonical paths, before any rule inspects it. The call then uses the stored copy, so a
// caller that changes its object later has no effect.
import type {Kernel} from '../kernel.ts';
import {grow, refuse, type NarrowedCall, type PersistedCall, type Refusal} from './call.ts';
import {readInput} from './read-input.ts';

export async function persistInput(kernel: Kernel, call: NarrowedCall): Promise<PersistedCall | Refusal> {
  const read = readInput(call.tool, call.request.input);
  if ('message' in read) {
    const refused = read.text === undefined ? call : grow(call, await putInput(kernel, read.text));
    return refuse(refused, read.code ?? 'INVALID_INPUT', read.message, read.details);
  }
  const {input_hash, input_ref} = await putInput(kernel, read.text);
  return grow(call, {
    input_hash,
    input_ref,
    request: {...call.request, input: read.value},
    ...(read.paths && {paths: read.paths}),
  });
}

async function putInput({ports}: Kernel, text: string): Promise<Pick<PersistedCall, 'input_hash' | 'input_ref'>> {
  const {hash, ref} = await ports.contents.put(text);
  return {input_hash: hash, input_ref: ref};
}

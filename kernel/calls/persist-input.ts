// Stores the input by its hash, with canonical paths, before any rule inspects it. The call then uses the stored copy, so a
// caller that changes its object later has no effect.
import type {Kernel} from '../context/kernel.ts';
import {grow, refuse, type NarrowedCall, type PersistedCall, type Refusal} from './call.ts';
import {readInput} from './read-input.ts';

export async function persistInput(kernel: Kernel, call: NarrowedCall): Promise<PersistedCall | Refusal> {
  const {contents} = kernel.ports;
  const read = readInput(call.tool, call.request.input);
  if (!read.ok) {
    const {code, message, details, text} = read.problem;
    if (text === undefined) return refuse(call, code, message, details);
    const {hash, ref} = await contents.put(text);
    return refuse(grow(call, {input_hash: hash, input_ref: ref}), code, message, details);
  }
  const {hash, ref} = await contents.put(read.text);
  const request = {...call.request, input: read.value};
  return grow(call, {input_hash: hash, input_ref: ref, request, paths: read.paths});
}

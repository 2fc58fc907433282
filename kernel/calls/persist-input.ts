// The input, its paths canonical, kept by its hash before anything else looks at it. From here on the call works on
// what was kept: a caller that changes its object meanwhile changes nothing.
import type {Kernel} from '../kernel.ts';
import {refuse, type Growing, type NarrowedCall, type PersistedCall, type Refusal} from './call.ts';
import {readInput} from './read-input.ts';

export async function persistInput(kernel: Kernel, call: NarrowedCall): Promise<PersistedCall | Refusal> {
  const read = readInput(call.tool, call.request.input);
  const persisted = call as Growing<PersistedCall>;
  if (read.text !== undefined) {
    const {hash, ref} = await kernel.ports.contents.put(read.text);
    persisted.input_hash = hash;
    persisted.input_ref = ref;
  }
  if ('message' in read) return refuse(persisted, read.code ?? 'INVALID_INPUT', read.message, read.details);
  persisted.request = {...call.request, input: read.value};
  if (read.paths !== undefined) persisted.paths = read.paths;
  return persisted;
}

// The input as canonical JSON, kept by its hash before anything else looks at it. From here on the call works on
// what was kept: a caller that changes its object meanwhile changes nothing.
import {canonicalJson, isNotCanonicalError} from '../evidence/index.ts';
import type {Kernel} from '../kernel.ts';
import {refuse, type Growing, type NarrowedCall, type PersistedCall, type Refusal} from './call.ts';

export async function persistInput(kernel: Kernel, call: NarrowedCall): Promise<PersistedCall | Refusal> {
  let text: string;
  try {
    text = canonicalJson(call.request.input);
  } catch (error) {
    if (!isNotCanonicalError(error)) throw error;
    return refuse(call, 'INVALID_INPUT', `the input cannot be kept as JSON without loss: ${error.message}`, {
      pointer: error.pointer,
    });
  }
  const {hash, ref} = await kernel.ports.evidence.putBlob(text);
  const request = {...call.request, input: JSON.parse(text) as unknown};
  const persisted = call as Growing<PersistedCall>;
  persisted.request = request;
  persisted.input_hash = hash;
  persisted.input_ref = ref;
  return persisted;
}

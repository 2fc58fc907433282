// The input as canonical JSON, kept by its hash before anything else looks at it.
import {canonicalJson, isNotCanonicalError} from '../evidence/index.ts';
import type {Kernel} from '../kernel.ts';
import {refuse, type NarrowedCall, type PersistedCall, type Refusal} from './call.ts';

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
  return {...call, input_hash: hash, input_ref: ref};
}

// The output of `policy explain`: the kernel's explanation and its parts.
import type {Explanation} from '@lumenflow/kernel';
import type {ScopeLayerView} from './scope-layers.ts';

export interface ShownExplanation {
  readonly explanation: Explanation;
  readonly scopes: readonly ScopeLayerView[];
  /** Without any input, missing required fields do not count against the call. */
  readonly is_input_given: boolean;
}

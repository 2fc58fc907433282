// What `policy explain` tells: the kernel's explanation, and what it is made of.
import type {Explanation} from '@lumenflow/kernel';
import type {ScopeLayerView} from './scope-layers.ts';

export interface ToldExplanation {
  readonly explanation: Explanation;
  readonly scopes: readonly ScopeLayerView[];
  /** Asked without any input, what the tool requires of it is not held against the call. */
  readonly is_input_given: boolean;
}

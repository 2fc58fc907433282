// Where conditions of rules that compile are inspected again.
import {createLayerCaches} from '../layer-caches.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {PolicyCompilerPorts} from '../policy-compiler-ports.ts';

export function reviewSite({compileRegex}: Pick<PolicyCompilerPorts, 'compileRegex'>): MatcherSite {
  return {
    compileRegex,
    isPermissive: false,
    reject: () => () => false,
    describeTool: () => undefined,
    ...createLayerCaches(),
  };
}

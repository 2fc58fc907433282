// The rules of a layer of workspace.yaml with the places they are written at.
import type {PolicyLayer} from '@lumenflow/schemas';
import type {LocatedRule} from '../policy/index.ts';

/** `at` is the JSON pointer of the policies. */
export function locateRules(
  policies: PolicyLayer | undefined,
  at: string,
  locate: (pointer: string) => string,
): readonly LocatedRule[] {
  return (policies?.rules ?? []).map((rule, index) => ({
    rule,
    where: locate(`${at}/rules/${index}`),
    locate: (pointer: string) => locate(`${at}/rules/${index}${pointer}`),
  }));
}

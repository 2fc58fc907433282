// The rules of a layer of workspace.yaml with the places they are written at.
import type {PolicyLayer} from '@lumenflow/schemas';
import type {PlacedRule} from '../policy/index.ts';

/** `at` is the JSON pointer of the policies. */
export function placedRules(
  policies: PolicyLayer | undefined,
  at: string,
  locate: (pointer: string) => string,
): readonly PlacedRule[] {
  return (policies?.rules ?? []).map((rule, index) => ({
    rule,
    where: locate(`${at}/rules/${index}`),
    locate: (pointer: string) => locate(`${at}/rules/${index}${pointer}`),
  }));
}

// The entries of an allowlist as rules. One entry that cannot be parsed makes the whole list unusable.
import {failed, ok, type Outcome} from '../outcome.ts';
import {parseNetworkRule, type NetworkRule} from './network-rules.ts';

const entriesMax = 500;

export function parseAllowlist(entries: readonly string[]): Outcome<readonly NetworkRule[]> {
  if (entries.length > entriesMax) {
    return failed({
      message: `the allowlist has ${entries.length} entries; the limit is ${entriesMax}`,
      help: 'list fewer entries',
    });
  }
  const rules = entries.map((text) => [text, parseNetworkRule(text)] as const);
  const wrong = rules.find(([, rule]) => rule === undefined);
  if (wrong !== undefined) {
    return failed({
      message: `the allowlist entry \`${wrong[0]}\` is neither a host with a port nor an address range`,
      help: 'use a form such as `api.example.com:443`, `*.example.com:443` or `10.0.0.0/8:443`',
    });
  }
  return ok(rules.flatMap(([, rule]) => rule ?? []));
}

// How often each rule matched and decided the calls of a window. Rules that decided nothing come first: they may be mistakes.
import type {HttpRuleHit, HttpRuleHits} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useMemo} from 'preact/hooks';
import {matchesWords} from '../../text/matches-words.ts';
import {Badge, Loaded, ReceiptLink, Section, Table} from './elements.tsx';
import {useResource} from './page-session.ts';

export interface RuleHitsProps {
  /** `all` for the whole log. */
  readonly hours: string;
  /** Words of the filter. */
  readonly text: string;
}

export function RuleHits({hours, text}: RuleHitsProps): JSX.Element {
  const path = useMemo(() => pathOf(hours), [hours]);
  const hits = useResource<HttpRuleHits>(path);
  return (
    <Section title="How often rules decided">
      <Loaded from={hits}>
        {({calls, is_complete, rules}) => {
          const shown = rules
            .filter((rule) => matchesWords(text, [rule.rule_id, rule.layer, rule.of, rule.decision]))
            .toSorted((a, b) => a.decided - b.decided);
          const silent = rules.filter(({decided}) => decided === 0).length;
          return (
            <>
              <p class="quiet">
                {silent} of {rules.length} rules decided none of {is_complete ? 'the' : 'the newest'}{' '}
                {calls.toLocaleString('en')} calls.
              </p>
              {shown.length === 0 ? <p class="empty">No rule matches.</p> : <RuleTable of={shown} />}
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function pathOf(hours: string): string {
  if (hours === 'all') return '/v1/policy/rules';
  const since = new Date(Date.now() - Number(hours) * 3_600_000).toISOString();
  return `/v1/policy/rules?since=${encodeURIComponent(since)}`;
}

function RuleTable({of}: {readonly of: readonly HttpRuleHit[]}): JSX.Element {
  return (
    <Table name="tools policy" titles={['Rule', 'Says', {number: 'Decided'}, {number: 'Matched'}, 'Newest call']}>
      {of.map((rule) => (
        <tr key={`${rule.layer} ${rule.of} ${rule.rule_id}`}>
          <td>
            <code>{rule.rule_id}</code>
            <small class="quiet">
              {rule.layer} {rule.of}
              {rule.trigger !== 'on_tool_request' && `, ${rule.trigger}`}
            </small>
          </td>
          <td data-label="says">
            <Badge of={rule.decision} />
          </td>
          <td data-label="decided" class="number">
            {rule.decided === 0 ? 'never' : rule.decided.toLocaleString('en')}
          </td>
          <td data-label="matched" class="number">
            {rule.matched.toLocaleString('en')}
          </td>
          <td data-label="newest call">
            {rule.receipt_id === undefined ? <span class="quiet">none</span> : <ReceiptLink id={rule.receipt_id} />}
          </td>
        </tr>
      ))}
    </Table>
  );
}

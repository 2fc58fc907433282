// The policy of a lane as a table: for each tool the decision before any input is known, and the rule that decides.
import type {HttpPolicyCell, HttpPolicyMatrix} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {matchesWords} from '../../text/matches-words.ts';
import {Badge, Loaded, Section, Table} from './elements.tsx';
import {useResource} from './page-session.ts';

export interface EffectivePolicyProps {
  readonly lane: string;
  /** Words of the filter. */
  readonly text: string;
  /** Also tools that agents do not see. */
  readonly showsAll: boolean;
}

export function EffectivePolicy({lane, text, showsAll}: EffectivePolicyProps): JSX.Element {
  const matrix = useResource<HttpPolicyMatrix>(
    `/v1/policy/matrix?lane=${encodeURIComponent(lane)}`,
    /^(?:tools_changed|pack_reloaded)$/,
  );
  return (
    <Section title={`What agents may do in lane ${lane}`}>
      <p class="quiet">Before any input is known. A rule on arguments or paths can be stricter with some input.</p>
      <Loaded from={matrix}>
        {({tools}) => {
          const seen = tools.filter((cell) => showsAll || cell.failure?.code !== 'TOOL_NOT_FOUND');
          const shown = seen.filter((cell) => matchesWords(text, wordsOf(cell)));
          if (shown.length === 0) return <p class="empty">No tool matches.</p>;
          return (
            <Table name="tools policy" titles={['Tool', 'Permission', 'Decision', 'Decided by', 'Depends on input']}>
              {shown.map((cell) => (
                <Row key={cell.tool_name} of={cell} />
              ))}
            </Table>
          );
        }}
      </Loaded>
    </Section>
  );
}

function wordsOf({tool_name, pack_id, permission, decision, deciding}: HttpPolicyCell): readonly string[] {
  return [tool_name, pack_id, permission, decision, deciding?.rule_id ?? ''];
}

function Row({of}: {readonly of: HttpPolicyCell}): JSX.Element {
  const {tool_name, permission, decision, deciding, failure, input_rules} = of;
  return (
    <tr>
      <td>
        <b>{tool_name}</b>
      </td>
      <td data-label="permission">{permission}</td>
      <td data-label="decision">
        <Badge of={failure?.code === 'TOOL_NOT_FOUND' ? 'not offered' : decision} />
      </td>
      <td data-label="decided by">
        {failure !== undefined && <span class="quiet">{failure.message}</span>}
        {failure === undefined && deciding && (
          <>
            <b>{deciding.layer}</b> <code>{deciding.rule_id}</code>
            {deciding.where !== undefined && <small class="quiet">{deciding.where}</small>}
          </>
        )}
      </td>
      <td data-label="depends on input">
        {input_rules.length === 0 ? <span class="quiet">no</span> : <code>{input_rules.join(', ')}</code>}
      </td>
    </tr>
  );
}

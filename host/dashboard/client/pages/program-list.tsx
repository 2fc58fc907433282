// Runs of programs, newest first.
import type {HttpProgramList, ProgramRunSummary} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {matchesWords} from '../../../text/matches-words.ts';
import {Badge, Loaded, Table, Time} from '../elements.tsx';
import {FilterBar} from '../filter-bar.tsx';
import {useResource} from '../page-session.ts';
import {useFilter} from '../place.ts';

export function ProgramListPage(): JSX.Element {
  const list = useResource<HttpProgramList>('/v1/programs', /^task_/);
  const [text] = useFilter('text');
  return (
    <>
      <FilterBar of="program, run, lane or state" />
      <Loaded from={list}>
        {({programs}) => {
          const shown = programs.filter(({name, run_id, lane_id, task_state}) =>
            matchesWords(text, [name, run_id, lane_id, task_state]),
          );
          if (shown.length === 0) {
            return (
              <p class="empty">
                {programs.length === 0 ? (
                  <>
                    No program has run. Start one with <code>lumenflow program run FILE</code>.
                  </>
                ) : (
                  'No run matches.'
                )}
              </p>
            );
          }
          return <Runs of={shown} />;
        }}
      </Loaded>
    </>
  );
}

function Runs({of}: {readonly of: readonly ProgramRunSummary[]}): JSX.Element {
  return (
    <section class="card">
      <Table name="programs" titles={['Program', 'Task', 'Lane', 'Run', 'Started']}>
        {of.map(({name, run_id, lane_id, task_state, created_at}) => (
          <tr key={run_id}>
            <td>
              <a href={`#/programs/${encodeURIComponent(run_id)}`}>{name}</a>
            </td>
            <td>
              <Badge of={task_state} />
            </td>
            <td>{lane_id}</td>
            <td>
              <code>{run_id}</code>
            </td>
            <td>
              <Time at={created_at} />
            </td>
          </tr>
        ))}
      </Table>
    </section>
  );
}

// One run of a program: its state, its graph, and what it returned. A run that is not over is followed.
import type {Program, ProgramRun} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {Badge, Facts, Json, Loaded, Section, TaskLink} from '../elements.tsx';
import {useEvery, useResource} from '../page-session.ts';
import {ProgramGraph} from '../program-graph/graph.tsx';

const followMs = 1_000;

export function ProgramPage({id}: {readonly id: string}): JSX.Element {
  const path = `/v1/programs/${encodeURIComponent(id)}`;
  const program = useResource<Program>(`${path}/program`);
  const run = useResource<ProgramRun>(path, /^(?:task|approval)_/);
  useEvery(followMs, () => {
    // Steps that end do not cause an event.
    if (run.data && !isOver(run.data)) run.reload();
  });
  return (
    <Loaded from={run}>
      {(data) => (
        <>
          <Section title={data.name}>
            <Facts
              of={{
                state: <Badge of={data.state} />,
                steps: `${data.steps.filter(({state}) => state === 'succeeded').length} of ${data.steps.length} ended`,
                task: <TaskLink id={data.run_id} />,
                'waits for':
                  (data.approvals ?? []).length > 0 ? <a href="#/approvals">a person’s answer</a> : undefined,
                failure: data.error && (
                  <>
                    <code>{data.error.code}</code> {data.error.message}
                  </>
                ),
              }}
            />
            {data.state === 'interrupted' && (
              <p class="problem">
                Its process has ended. Continue it with <code>lumenflow program resume {data.run_id}</code>.
              </p>
            )}
          </Section>
          <Loaded from={program}>
            {(steps) => (
              <Section title="Steps">
                {steps.description !== undefined && <p class="quiet">{steps.description}</p>}
                <ProgramGraph of={steps} records={data.steps} />
              </Section>
            )}
          </Loaded>
          {Object.keys(data.inputs).length > 0 && (
            <Section title="Inputs">
              <Json value={data.inputs} label="Inputs" />
            </Section>
          )}
          {data.value !== null && (
            <Section title="Value">
              <Json value={data.value} label="Value" />
            </Section>
          )}
        </>
      )}
    </Loaded>
  );
}

function isOver({state}: ProgramRun): boolean {
  return state === 'succeeded' || state === 'failed';
}

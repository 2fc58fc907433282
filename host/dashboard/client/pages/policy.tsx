// Explains the decision about a hypothetical call, step by step.
import type {HttpExplanation, HttpLaneList, HttpToolList} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Badge, Loaded, Problem, Section, Trace} from '../elements.tsx';
import {useResource, useSession} from '../page-session.ts';
import {Supposed} from '../supposed.tsx';

export function PolicyPage(): JSX.Element {
  const {api} = useSession();
  const lanes = useResource<HttpLaneList>('/v1/lanes');
  const tools = useResource<HttpToolList>('/v1/tools');
  const [explanation, setExplanation] = useState<HttpExplanation>();
  const [error, setError] = useState<Error>();
  const ask = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const query = new URLSearchParams(
      [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    setError(undefined);
    api.get<HttpExplanation>(`/v1/policy/explain?${query}`).then(setExplanation, (problem: Error) => {
      setExplanation(undefined);
      setError(problem);
    });
  };
  return (
    <>
      <Loaded from={lanes}>
        {(data) => (
          <form
            class="card ask"
            onSubmit={(event) => {
              event.preventDefault();
              ask(event.currentTarget);
            }}
          >
            <label>
              Lane
              <select name="lane">
                {data.lanes.map(({spec: {id}}) => (
                  <option key={id}>{id}</option>
                ))}
              </select>
            </label>
            <label>
              Tool
              <input name="tool" list="tools" required />
              <datalist id="tools">
                {tools.data?.tools.map(({name}) => (
                  <option key={name} value={name} />
                ))}
              </datalist>
            </label>
            <label class="wide">
              Input
              <textarea name="input" rows={4} spellcheck={false}>
                {'{}'}
              </textarea>
            </label>
            <button type="submit">Explain</button>
          </form>
        )}
      </Loaded>
      {error && <Problem error={error} />}
      <div role="status">{explanation && <Answer of={explanation} />}</div>
    </>
  );
}

function Answer({of}: {readonly of: HttpExplanation}): JSX.Element {
  return (
    <>
      <Section title="The call would be">
        <Supposed of={of} />
      </Section>
      {of.policy && (
        <Section title="Layer by layer">
          <Trace of={of.policy.trace} />
        </Section>
      )}
      {of.on_changes.length > 0 && (
        <Section title="Checks the changes of the call before they are applied">
          <ul>
            {of.on_changes.map(({rule_id, layer, decision, reason}) => (
              <li key={`${layer} ${rule_id}`}>
                <Badge of={decision} /> <code>{rule_id}</code> (layer {layer}){reason !== undefined && <>: {reason}</>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {of.policy && of.policy.would_change.length > 0 && (
        <Section title="What would change it">
          <ul>
            {of.policy.would_change.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

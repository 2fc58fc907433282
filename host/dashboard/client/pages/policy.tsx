// Explains the decision about a hypothetical call, step by step; and the whole policy: of each tool, and of each rule.
import type {HttpExplanation, HttpLaneList, HttpToolList} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useState} from 'preact/hooks';
import {Badge, Loaded, Problem, Section, Trace} from '../elements.tsx';
import {EffectivePolicy} from '../effective-policy.tsx';
import {Choice, FilterBar} from '../filter-bar.tsx';
import {useFilter} from '../place.ts';
import {RuleHits} from '../rule-hits.tsx';
import {useResource, useSession} from '../page-session.ts';
import {Supposed} from '../supposed.tsx';

export function PolicyPage(): JSX.Element {
  const {api} = useSession();
  const lanes = useResource<HttpLaneList>('/v1/lanes');
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
      <Loaded from={lanes}>{(data) => <Question lanes={idsOf(data)} onAsk={ask} />}</Loaded>
      {error && <Problem error={error} />}
      <div role="status">{explanation && <Answer of={explanation} />}</div>
      <Loaded from={lanes}>{(data) => <Overview lanes={idsOf(data)} />}</Loaded>
    </>
  );
}

function idsOf({lanes}: HttpLaneList): readonly string[] {
  return lanes.map(({spec: {id}}) => id);
}

interface QuestionProps {
  readonly lanes: readonly string[];
  onAsk(form: HTMLFormElement): void;
}

function Question({lanes, onAsk}: QuestionProps): JSX.Element {
  const tools = useResource<HttpToolList>('/v1/tools');
  return (
    <form
      class="card ask"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(event.currentTarget);
      }}
    >
      <label>
        Lane
        <select name="lane">
          {lanes.map((id) => (
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
  );
}

/** By hours, ascending, as objects with such keys are. */
const windows = {1: 'the last hour', 24: 'the last day', 168: 'the last week', all: 'all time'};

/** Of the whole policy, in contrast to one call. */
function Overview({lanes}: {readonly lanes: readonly string[]}): JSX.Element {
  const [text] = useFilter('text');
  const [lane] = useFilter('lane', lanes[0]);
  const [tools] = useFilter('tools', 'offered');
  const [hours] = useFilter('hours', '1');
  return (
    <>
      <FilterBar of="tool, rule or decision">
        <Choice label="Policy of" filter="lane" options={Object.fromEntries(lanes.map((id) => [id, id]))} />
        <Choice label="Show" filter="tools" options={{offered: 'offered to agents', all: 'all'}} />
        <Choice label="Calls of" filter="hours" options={windows} />
      </FilterBar>
      <EffectivePolicy lane={lane} text={text} showsAll={tools === 'all'} />
      <RuleHits hours={hours} text={text} />
    </>
  );
}

function Checks({title, rules}: {readonly title: string; readonly rules: HttpExplanation['on_changes']}): JSX.Element {
  if (rules.length === 0) return <></>;
  return (
    <Section title={title}>
      <ul>
        {rules.map(({rule_id, layer, decision, reason}) => (
          <li key={`${layer} ${rule_id}`}>
            <Badge of={decision} /> <code>{rule_id}</code> (layer {layer}){reason !== undefined && <>: {reason}</>}
          </li>
        ))}
      </ul>
    </Section>
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
      <Checks title="Checks the changes of the call before they are applied" rules={of.on_changes} />
      <Checks title="Checks what the call returns" rules={of.on_result} />
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

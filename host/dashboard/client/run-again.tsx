// Makes the call of a receipt again, with its input or another. The call is explained while its input is edited. It is governed as
// any call of the operator.
import type {HttpExplanation, HttpReceipt} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Decisions, Loaded, Problem, Section} from './elements.tsx';
import {useResource, useSession, type Resource} from './page-session.ts';
import {Supposed} from './supposed.tsx';
import {useSettled} from './use-settled.ts';

/** The longest input that fits the address of an explanation. */
const explainedMax = 16_384;

export function RunAgain({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  const [isOpen, setIsOpen] = useState(false);
  const {started, receipt_id} = receipt;
  const path = `/v1/evidence/${encodeURIComponent(receipt_id)}/input`;
  const input = useResource<unknown>(isOpen && started.input_ref !== undefined ? path : undefined);
  return (
    <Section title="Run again">
      {isOpen ? (
        <Loaded from={started.input_ref === undefined ? noInput : input}>
          {(data) => <Editor receipt={receipt} input={data} onCancel={() => setIsOpen(false)} />}
        </Loaded>
      ) : (
        <button type="button" onClick={() => setIsOpen(true)}>
          Run again with other input…
        </button>
      )}
    </Section>
  );
}

const noInput: Resource<unknown> = {data: {}, reload: () => undefined};

interface EditorProps {
  readonly receipt: HttpReceipt;
  readonly input: unknown;
  onCancel(): void;
}

function Editor({receipt: {started}, input, onCancel}: EditorProps): JSX.Element {
  const {api} = useSession();
  const [text, setText] = useState(() => JSON.stringify(input, undefined, 2));
  const [error, setError] = useState<Error>();
  const [isBusy, setIsBusy] = useState(false);
  const lane = started.lane_id !== undefined && {lane: started.lane_id};
  const parsed = parse(useSettled(text));
  const explanation = useExplanation(started.tool_name, started.lane_id, parsed);
  const run = async (): Promise<void> => {
    const body = {input: JSON.parse(text) as unknown, ...lane};
    const {error: refusal, metadata} = await api.callTool(started.tool_name, body);
    if (metadata?.receipt_id === undefined) throw new Error(refusal?.message ?? 'the call has no receipt');
    location.hash = `#/receipts/${encodeURIComponent(metadata.receipt_id)}`;
  };
  return (
    <form
      class="run-again"
      onSubmit={(event) => {
        event.preventDefault();
        setIsBusy(true);
        setError(undefined);
        run()
          .catch(setError)
          .finally(() => setIsBusy(false));
      }}
    >
      <label>
        Input of {started.tool_name} in lane {started.lane_id ?? 'of the workspace’s first'}
        <textarea
          rows={Math.min(20, text.split('\n').length + 1)}
          spellcheck={false}
          value={text}
          aria-invalid={parsed.problem !== undefined}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <div role="status">
        {parsed.problem !== undefined && <p class="problem">{parsed.problem}</p>}
        {explanation && (
          <>
            <h3>The call would be</h3>
            <Supposed of={explanation}>
              <Decisions of={explanation.policy_decisions} />
            </Supposed>
          </>
        )}
      </div>
      {error && <Problem error={error} />}
      <button type="submit" class="primary" disabled={isBusy || parse(text).problem !== undefined}>
        Run
      </button>{' '}
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </form>
  );
}

interface Parsed {
  readonly json?: string;
  readonly problem?: string;
}

function parse(text: string): Parsed {
  try {
    return {json: JSON.stringify(JSON.parse(text))};
  } catch (error) {
    return {problem: `The input is not JSON: ${(error as Error).message}`};
  }
}

/** The newest explanation. It stays while the next one is loaded. */
function useExplanation(tool: string, lane: string | undefined, {json}: Parsed): HttpExplanation | undefined {
  const fits = json !== undefined && json.length <= explainedMax && lane !== undefined;
  const query = fits ? new URLSearchParams({tool, lane, input: json}) : undefined;
  const {data} = useResource<HttpExplanation>(query && `/v1/policy/explain?${query}`);
  const [shown, setShown] = useState(data);
  useEffect(() => {
    if (data) setShown(data);
  }, [data]);
  return json === undefined ? undefined : shown;
}

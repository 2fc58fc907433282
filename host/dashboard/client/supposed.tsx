// What would become of a call that is not made: the decision, problems of its input, and its paths and scopes.
import type {HttpExplanation} from '@lumenflow/schemas';
import type {ComponentChildren, JSX} from 'preact';
import {Badge, grantTexts, ScopeList} from './elements.tsx';

interface SupposedProps {
  readonly of: HttpExplanation;
  /** Below the decision. */
  readonly children?: ComponentChildren;
}

export function Supposed({of, children}: SupposedProps): JSX.Element {
  return (
    <>
      <p>
        <Badge of={of.decision} /> {of.failure?.message}
        {of.execution_mode !== undefined && of.decision !== 'deny' && <> and run in the {of.execution_mode}</>}
      </p>
      {children}
      {of.input_issues.map(({pointer, message}) => (
        <p key={pointer} class="problem">
          invalid input: {pointer} {message}
        </p>
      ))}
      {of.paths.map(({pointer, path, access, refusal}) => (
        <p key={pointer} class={refusal ? 'problem' : undefined}>
          {refusal ? `${refusal.message}: ${refusal.help}` : `${access} ${path}`}
        </p>
      ))}
      {of.granted_scopes && (
        <>
          <h3>{of.decision === 'deny' ? 'Scopes if it were allowed' : 'Granted scopes'}</h3>
          <ScopeList of={grantTexts(of.granted_scopes)} />
        </>
      )}
    </>
  );
}

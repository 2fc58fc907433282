// The small parts of all pages. Text is always text: nothing here creates markup from data.
import {refusalsOf} from '@lumenflow/kernel';
import type {GrantedScopes, HttpLayerTrace, HttpReceipt, PolicyDecision, Scope} from '@lumenflow/schemas';
import type {ComponentChildren, JSX} from 'preact';
import {showControls} from '../../text/show-controls.ts';
import {outcomeOfCall} from '../../receipts/matches-call.ts';
import type {Resource} from './page-session.ts';

const words: Readonly<Record<string, string>> = {
  allow: 'allowed',
  success: 'allowed',
  deny: 'denied',
  approval_required: 'needs approval',
  open: 'running',
};
const tones: Readonly<Record<string, string>> = {
  allow: 'good',
  success: 'good',
  approved: 'good',
  used: 'good',
  verified: 'good',
  done: 'quiet',
  ready: 'quiet',
  deny: 'bad',
  denied: 'bad',
  invalid: 'bad',
  rejected: 'bad',
  failure: 'bad',
  crashed: 'bad',
  tampered: 'bad',
  truncated: 'bad',
  approval_required: 'wait',
  pending: 'wait',
  blocked: 'wait',
  unsigned_tail: 'wait',
  unattested: 'wait',
  unapproved: 'bad',
  parked: 'wait',
  conflict: 'wait',
  failed: 'bad',
  succeeded: 'good',
  waiting: 'wait',
  interrupted: 'wait',
  ambiguous: 'wait',
};

export function Badge({of}: {readonly of: string}): JSX.Element {
  return <span class={`badge ${tones[of] ?? 'plain'}`}>{words[of] ?? of.replaceAll('_', ' ')}</span>;
}

/** How a call ended. Something can be denied to a call that succeeds. */
export function Verdict({receipt}: {readonly receipt: HttpReceipt}): JSX.Element {
  const {finished} = receipt;
  const outcome = outcomeOfCall(receipt);
  const refusals = outcome === 'success' || outcome === 'failed' ? refusalsOf(finished) : [];
  return (
    <>
      <Badge of={outcome === 'failed' ? (finished?.result ?? outcome) : outcome} />
      {refusals.length > 0 && (
        <small class="refusals" title={refusals.map(({what}) => what).join('\n')}>
          {refusals.length} denied
        </small>
      )}
    </>
  );
}

const shortDay = {month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit', hour12: false} as const;

export function Time({at}: {readonly at: string}): JSX.Element {
  const date = new Date(at);
  const now = new Date();
  const isToday = date.toDateString() === now.toDateString();
  const day = date.getFullYear() === now.getFullYear() ? shortDay : {...shortDay, year: 'numeric' as const};
  return (
    <time dateTime={at} title={date.toLocaleString()}>
      {isToday ? date.toLocaleTimeString([], {hour12: false}) : date.toLocaleString([], day)}
    </time>
  );
}

interface AgeProps {
  readonly since: string;
  /** Text for less than a minute. */
  readonly fresh?: string;
}

/** Age in the largest useful unit. */
export function Age({since, fresh = 'now'}: AgeProps): JSX.Element {
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000));
  const [days, hours] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60)];
  const text = days > 0 ? `${days} d` : hours > 0 ? `${hours} h` : minutes > 0 ? `${minutes} min` : fresh;
  return (
    <time dateTime={since} title={new Date(since).toLocaleString()}>
      {text}
    </time>
  );
}

/** A generated id is unique by its first characters. */
export function shortId(id: string): string {
  return id.replace(/-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/, '');
}

export function TaskLink({id}: {readonly id: string}): JSX.Element {
  return (
    <a href={`#/tasks/${encodeURIComponent(id)}`} title={id}>
      {shortId(id)}
    </a>
  );
}

export function ReceiptLink({id}: {readonly id: string}): JSX.Element {
  return (
    <a href={`#/receipts/${encodeURIComponent(id)}`} title={id}>
      {shortId(id)}
    </a>
  );
}

export function Json({value, label}: {readonly value: unknown; readonly label: string}): JSX.Element {
  return (
    <pre tabIndex={0} role="region" aria-label={label}>
      {typeof value === 'string' ? value : showControls(JSON.stringify(value, undefined, 2))}
    </pre>
  );
}

export function Section({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}): JSX.Element {
  return (
    <section class="card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

export function Facts({of}: {readonly of: Readonly<Record<string, ComponentChildren>>}): JSX.Element {
  const known = Object.entries(of).filter(([, value]) => value !== undefined && value !== '');
  return (
    <dl>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TableProps {
  /** In the style sheet. */
  readonly name: string;
  /** `number`: of a column that is aligned to the right. */
  readonly titles: readonly (string | {readonly number: string})[];
  /** Rows. */
  readonly children: ComponentChildren;
}

export function Table({name, titles, children}: TableProps): JSX.Element {
  return (
    <table class={name}>
      <thead>
        <tr>
          {titles.map((title) =>
            typeof title === 'string' ? (
              <th key={title} scope="col">
                {title}
              </th>
            ) : (
              <th key={title.number} scope="col" class="number">
                {title.number}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

/** The data if it is loaded, otherwise the error. */
export function Loaded<T>({
  from,
  children,
}: {
  readonly from: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
}): JSX.Element {
  if (from.error) return <Problem error={from.error} />;
  return <>{from.data === undefined ? <p class="quiet">Loading …</p> : children(from.data)}</>;
}

export function Problem({error}: {readonly error: Error}): JSX.Element {
  return (
    <p class="problem" role="alert">
      {error.message}
    </p>
  );
}

export function scopeText(scope: Scope): string {
  if (scope.type === 'path') return `${scope.access} ${scope.pattern}`;
  return `network ${scope.posture} ${(scope.allowlist_entries ?? []).join(' ')}`.trim();
}

export function grantTexts({read, write, network}: GrantedScopes): readonly string[] {
  return [
    ...write.map((pattern) => `write ${pattern}`),
    ...read.filter((pattern) => !write.includes(pattern)).map((pattern) => `read ${pattern}`),
    `network ${network.posture} ${network.allowlist_entries.join(' ')}`.trim(),
  ];
}

export function ScopeList({of}: {readonly of: readonly string[]}): JSX.Element {
  if (of.length === 0) return <span class="quiet">nothing</span>;
  return (
    <ul class="scopes">
      {of.map((text) => (
        <li key={text}>
          <code>{text}</code>
        </li>
      ))}
    </ul>
  );
}

export function Decisions({of}: {readonly of: readonly PolicyDecision[]}): JSX.Element {
  return (
    <ol class="decisions">
      {of.map((decision, index) => (
        <li key={index}>
          <Badge of={decision.decision} />
          <span>
            <b>{decision.layer}</b> <code>{decision.rule_id}</code>
            {decision.reason !== undefined && <> — {decision.reason}</>}
            {decision.where !== undefined && <small class="quiet"> {decision.where}</small>}
            {decision.warning !== undefined && <small class="quiet"> {decision.warning}</small>}
          </span>
        </li>
      ))}
    </ol>
  );
}

export function Trace({of}: {readonly of: readonly HttpLayerTrace[]}): JSX.Element {
  return (
    <ol class="trace">
      {of.map((step) => (
        <li key={step.layer}>
          <p>
            <b>{step.layer}</b> {step.decisions.length === 0 && <span class="quiet">no matching rule, </span>}
            <span class="quiet">so far</span> <Badge of={step.decision} />
          </p>
          <Decisions of={step.decisions} />
          {step.rejected.length > 0 && <p class="quiet">Without effect, because an earlier decision is stricter:</p>}
          <Decisions of={step.rejected} />
        </li>
      ))}
    </ol>
  );
}

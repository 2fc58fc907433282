// The input or output of a call for people. A change appears as a diff, text with several lines unchanged, the rest as JSON.
// Nothing is omitted.
import type {JSX} from 'preact';
import {Json} from './elements.tsx';

export function Content({of, label}: {readonly of: unknown; readonly label: string}): JSX.Element {
  if (typeof of !== 'object' || of === null || Array.isArray(of)) return <Json value={of} label={label} />;
  const {old_text, new_text, ...others} = of as Readonly<Record<string, unknown>>;
  const isChange = typeof old_text === 'string' && typeof new_text === 'string';
  const entries = Object.entries(isChange ? others : of);
  const texts = entries.filter((entry): entry is [string, string] => isText(entry[1]));
  const rest = entries.filter(([, value]) => !isText(value));
  return (
    <>
      {(rest.length > 0 || (texts.length === 0 && !isChange)) && (
        <Json value={Object.fromEntries(rest)} label={label} />
      )}
      {isChange && <Difference before={old_text} after={new_text} />}
      {texts.map(([name, text]) => (
        <div key={name}>
          <h3>{name}</h3>
          <Json value={text} label={name} />
        </div>
      ))}
    </>
  );
}

/** JSON would print each line break as two characters. */
function isText(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\n');
}

/** Shows a common prefix and suffix once. */
function Difference({before, after}: {readonly before: string; readonly after: string}): JSX.Element {
  const [old, fresh] = [before.split('\n'), after.split('\n')];
  const head = commonLength(old, fresh);
  const tail = commonLength(old.slice(head).toReversed(), fresh.slice(head).toReversed());
  return (
    <pre class="diff" tabIndex={0} role="region" aria-label="Difference">
      {lines(old.slice(0, head), 'span', ' ')}
      {lines(old.slice(head, old.length - tail), 'del', '-')}
      {lines(fresh.slice(head, fresh.length - tail), 'ins', '+')}
      {lines(old.slice(old.length - tail), 'span', ' ')}
    </pre>
  );
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const differs = one.findIndex((line, index) => line !== other[index]);
  return differs === -1 ? one.length : differs;
}

function lines(texts: readonly string[], Tag: 'span' | 'del' | 'ins', sign: string): readonly JSX.Element[] {
  return texts.map((text, index) => (
    <Tag key={`${Tag}${index}`}>
      {sign} {text}
    </Tag>
  ));
}

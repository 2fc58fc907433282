// The changes of a call by file. Signs mark added and removed lines, in addition to colour.
import type {HttpFileDiff} from '@lumenflow/schemas';
import {pathText} from '../../changes/path-text.ts';
import type {JSX} from 'preact';

interface Shown<T> {
  readonly of: T;
  /** The label of the lines, before the path. */
  readonly label?: string;
}

export function Diff({of, label = 'Lines of'}: Shown<readonly HttpFileDiff[]>): JSX.Element {
  return (
    <div class="files">
      {of.map((file) => (
        <FileDiff key={file.path} of={file} label={label} />
      ))}
    </div>
  );
}

function FileDiff({of: {path, op, from, note, hunks = []}, label}: Required<Shown<HttpFileDiff>>): JSX.Element {
  return (
    <figure>
      <figcaption>
        <b>{op}</b>{' '}
        {op === 'rename' && from !== undefined && (
          <>
            <code>{pathText(from)}</code>
            {' → '}
          </>
        )}
        <code>{pathText(path)}</code>
        {op !== 'rename' && from !== undefined && (
          <>
            {' from '}
            <code>{pathText(from)}</code>
          </>
        )}
        {note !== undefined && <span class="quiet"> {note}</span>}
      </figcaption>
      {hunks.length > 0 && (
        <pre class="diff" tabIndex={0} role="region" aria-label={`${label} ${path}`}>
          {hunks.flatMap(({before_start, after_start, lines}) => [
            <span class="quiet">{`@@ -${before_start} +${after_start} @@`}</span>,
            ...lines.map((line) => <Line of={line} />),
          ])}
        </pre>
      )}
    </figure>
  );
}

function Line({of}: {readonly of: string}): JSX.Element {
  if (of.startsWith('+')) return <ins>{of}</ins>;
  return of.startsWith('-') ? <del>{of}</del> : <span>{of}</span>;
}

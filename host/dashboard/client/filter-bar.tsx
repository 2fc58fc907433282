// The filters of a list, and the keys of its page: / focuses the filter, ? shows all keys.
import type {ComponentChildren, JSX} from 'preact';
import {useRef} from 'preact/hooks';
import {useKeys} from './keys.ts';
import {useFilter} from './place.ts';

interface FilterBarProps {
  /** What the words of the filter are compared with. */
  readonly of: string;
  /** Keys of the page in addition to those of every list. */
  readonly keys?: Readonly<Record<string, string>>;
  readonly children?: ComponentChildren;
}

const listKeys = {'/': 'go to the filter', Esc: 'leave the filter', '?': 'show these keys'};

export function FilterBar({of, keys = {}, children}: FilterBarProps): JSX.Element {
  const [text, setText] = useFilter('text');
  const field = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const showKeys = (): void => help.current?.showModal();
  useKeys({'/': () => field.current?.focus(), '?': showKeys});
  return (
    <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
      <label class="words">
        Filter
        <input
          ref={field}
          type="search"
          placeholder={of}
          title={`Words, each a part of ${of}`}
          value={text}
          spellcheck={false}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
      </label>
      {children}
      <button type="button" class="plain keys" onClick={showKeys}>
        <kbd>?</kbd> Keys
      </button>
      <dialog ref={help} aria-labelledby="keys-title">
        <h2 id="keys-title">Keys</h2>
        <dl class="key-list">
          {Object.entries({...keys, ...listKeys}).map(([key, effect]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{effect}</dd>
            </div>
          ))}
        </dl>
        <button type="button" onClick={() => help.current?.close()}>
          Close
        </button>
      </dialog>
    </form>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly filter: string;
  /** By value; the first one is the default. */
  readonly options: Readonly<Record<string, string>>;
  /** Another filter, whose value loses its meaning. */
  readonly clears?: string;
}

/** A filter with a few values. */
export function Choice({label, filter, options, clears}: ChoiceProps): JSX.Element {
  const [value, setValue] = useFilter(filter, Object.keys(options)[0]);
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => setValue(event.currentTarget.value, {clears})}>
        {Object.entries(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

// The frame of all pages: sign-in, navigation, and the one stream of events that keeps the pages current.
import type {HttpCaller} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState} from 'preact/hooks';
import {createApi} from './api.ts';
import {PendingCount} from './approvals/pending-count.tsx';
import {Problem} from './elements.tsx';
import {ApprovalsPage} from './pages/approvals.tsx';
import {FeedPage} from './pages/feed.tsx';
import {HealthPage} from './pages/health.tsx';
import {KeptChangesPage} from './pages/kept-changes.tsx';
import {PacksPage} from './pages/packs.tsx';
import {PasskeysPage} from './pages/passkeys.tsx';
import {PolicyPage} from './pages/policy.tsx';
import {ProgramPage} from './pages/program.tsx';
import {ProgramListPage} from './pages/program-list.tsx';
import {ReceiptPage} from './pages/receipt.tsx';
import {TaskPage} from './pages/task.tsx';
import {TaskListPage} from './pages/task-list.tsx';
import {usePlace} from './place.ts';
import {takeReturn} from './issuer-sign-in.ts';
import {RestartNotice} from './restart-notice.tsx';
import {SessionContext, type PageSession} from './page-session.ts';
import {SignIn} from './sign-in.tsx';
import {useStream} from './use-stream.ts';

/** Before anything reads the address, which contains a code then. */
const returned = takeReturn();

/** Kept for this tab only, and deleted with it. */
const tokenKey = 'lumenflow-token';

const pages: Readonly<Record<string, readonly [title: string, page: (props: {readonly id: string}) => JSX.Element]>> = {
  calls: ['Calls', FeedPage],
  approvals: ['Approvals', ApprovalsPage],
  changes: ['Changes', KeptChangesPage],
  tasks: ['Tasks', TaskListPage],
  programs: ['Programs', ProgramListPage],
  policy: ['Policy', PolicyPage],
  packs: ['Packs', PacksPage],
  health: ['Health', HealthPage],
};
/** Of the person, not of the workspace. */
const personal: typeof pages = {passkeys: ['Passkeys', PasskeysPage]};
const details: typeof pages = {
  receipts: ['Receipt', ReceiptPage],
  tasks: ['Task', TaskPage],
  programs: ['Program', ProgramPage],
};

export function App(): JSX.Element {
  const [token, setToken] = useState(() => (returned ? '' : (sessionStorage.getItem(tokenKey) ?? '')));
  const [isReturning, setIsReturning] = useState(returned !== undefined);
  const [caller, setCaller] = useState<HttpCaller>();
  const [error, setError] = useState<Error>();
  const signOut = useCallback((why?: Error) => {
    sessionStorage.removeItem(tokenKey);
    setToken('');
    setCaller(undefined);
    setError(why);
  }, []);
  const api = useMemo(() => createApi(token), [token]);
  useEffect(() => {
    returned
      ?.finish()
      .then(setToken, setError)
      .finally(() => setIsReturning(false));
  }, []);
  useEffect(() => {
    if (token === '') return;
    api.get<HttpCaller>('/v1/caller').then((known) => {
      if (known.role === 'agent') return signOut(new Error('the dashboard requires a token with role operator'));
      sessionStorage.setItem(tokenKey, token);
      setError(undefined);
      return setCaller(known);
    }, signOut);
  }, [token]);
  const stream = useStream(api, caller !== undefined, signOut);
  const session = useMemo<PageSession | undefined>(() => caller && {api, caller, ...stream}, [caller, api, stream]);
  if (!session) return <SignIn onToken={setToken} isBusy={token !== '' || isReturning} {...(error && {error})} />;
  return (
    <SessionContext.Provider value={session}>
      <Frame
        caller={session.caller}
        onSignOut={() => {
          // Without it, the sign-in lasts until it expires.
          if (session.caller.person) api.post('/v1/sign-out', {}).then(() => signOut(), signOut);
          else signOut();
        }}
      />
    </SessionContext.Provider>
  );
}

function Frame({caller, onSignOut}: {readonly caller: HttpCaller; readonly onSignOut: () => void}): JSX.Element {
  const {name, id} = usePlace();
  const main = useRef<HTMLElement>(null);
  const [title, Page] = (id === '' ? undefined : details[name]) ??
    pages[name] ??
    personal[name] ?? ['Not found', NotFound];
  // Runs before the paint, so that a new heading never appears with the old title or focus.
  useLayoutEffect(() => {
    document.title = `${title} · LumenFlow`;
    main.current?.focus({preventScroll: true});
    scrollTo(0, 0);
  }, [name, id]);
  return (
    <>
      <header>
        <a
          class="skip"
          href="#main"
          onClick={(event) => {
            event.preventDefault();
            main.current?.focus();
          }}
        >
          Skip to content
        </a>
        <strong class="brand">LumenFlow</strong>
        <nav aria-label="Pages">
          {Object.entries(pages).map(([key, [text]]) => (
            <a key={key} href={`#/${key}`} {...(key === name && {'aria-current': 'page'})}>
              {text}
              {key === 'approvals' && <PendingCount />}
            </a>
          ))}
        </nav>
        <span class="caller">
          <span title={caller.person?.display_name}>{caller.name}</span> <small>{caller.role}</small>
          <a href="#/passkeys" {...(name === 'passkeys' && {'aria-current': 'page' as const})}>
            Passkeys
          </a>
          <button type="button" class="plain" onClick={onSignOut}>
            Sign out
          </button>
        </span>
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        <h1>{title}</h1>
        <RestartNotice />
        <Page key={`${name}/${id}`} id={id} />
      </main>
    </>
  );
}

function NotFound(): JSX.Element {
  return <Problem error={new Error('this page does not exist')} />;
}

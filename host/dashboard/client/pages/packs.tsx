// Packs and their tools, with requested scopes and the scopes that the newest calls were granted.
import type {HttpPack, HttpPackList, HttpReceiptPage} from '@lumenflow/schemas';
import type {JSX} from 'preact';
import {matchesWords} from '../../../text/matches-words.ts';
import {Facts, grantTexts, Loaded, ScopeList, scopeText, Section, Table} from '../elements.tsx';
import {FilterBar} from '../filter-bar.tsx';
import {useFilter} from '../place.ts';
import {useResource} from '../page-session.ts';

const callsSeen = 1_000;

export function PacksPage(): JSX.Element {
  const packs = useResource<HttpPackList>('/v1/packs', /^tools_changed$/);
  const calls = useResource<HttpReceiptPage>(`/v1/evidence?limit=${callsSeen}&result=success`);
  const used = usedScopes(calls.data);
  const [text] = useFilter('text');
  const matching = (pack: HttpPack): HttpPack => ({
    ...pack,
    tools: pack.tools.filter(({name, permission}) => matchesWords(text, [name, permission, pack.id])),
  });
  return (
    <>
      <FilterBar of="tool, permission or pack" />
      <p class="quiet">“Granted” lists the scopes of the newest {callsSeen.toLocaleString('en')} successful calls.</p>
      <Loaded from={packs}>
        {({packs: all}) => {
          const shown = all.map(matching).filter(({tools}) => tools.length > 0 || text.trim() === '');
          if (shown.length === 0) return <p class="empty">No tool matches.</p>;
          return shown.map((pack) => (
            <Section key={pack.id} title={`${pack.id} ${pack.version}`}>
              {pack.description !== undefined && <p>{pack.description}</p>}
              <Facts of={{source: pack.source, trust: pack.trust, integrity: <code>{pack.integrity}</code>}} />
              <Table name="tools" titles={['Tool', 'Permission', 'Asks for', 'Granted']}>
                {pack.tools.map((tool) => (
                  <tr key={tool.name}>
                    <td>
                      <b>{tool.name}</b>
                      <small class="quiet">{tool.description}</small>
                    </td>
                    <td data-label="permission">{tool.permission}</td>
                    <td data-label="asks for">
                      <ScopeList of={tool.required_scopes.map(scopeText)} />
                    </td>
                    <td data-label="granted">
                      {used.has(tool.name) ? (
                        <ScopeList of={[...(used.get(tool.name) ?? [])]} />
                      ) : (
                        <span class="quiet">not called</span>
                      )}
                    </td>
                  </tr>
                ))}
              </Table>
            </Section>
          ));
        }}
      </Loaded>
    </>
  );
}

function usedScopes(page: HttpReceiptPage | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  const used = new Map<string, Set<string>>();
  for (const {started} of page?.receipts ?? []) {
    if (!started.scope_enforced) continue;
    const texts = used.get(started.tool_name) ?? new Set();
    for (const text of grantTexts(started.scope_enforced)) texts.add(text);
    used.set(started.tool_name, texts);
  }
  return used;
}

import {expect, test} from 'vitest';
import {specOf} from '../work-units/work-unit-events.fixture.ts';
import {compareUrl} from './compare-url.ts';
import {requestText} from './request-text.ts';

test('the text of a request has summary, acceptance, gates and evidence', () => {
  const gate = {name: 'test', command: 'x', optional: false, timeout_ms: 1, source: 'config'};
  const {title, body} = requestText({
    spec: specOf(1, {title: 'Größe', acceptance: ['one', 'two\nlines']}),
    gated: {head: 'aaa', onto: 'bbb', tree_hash: 'ccc', receipt_id: 'rcp-1'},
    gates: [gate, {...gate, name: 'lint', optional: true}] as never,
    config: undefined,
  });
  expect(title).toBe('WU-1: Größe');
  for (const part of ['- [ ] one\n- [ ] two\n  lines', '- [x] `test` passed', 'docs/tasks/WU-1.yaml', 'rcp-1', 'aaa']) {
    expect(body).toContain(part);
  }
  expect(body).not.toContain('lint');
});

test.each([
  ['https://user:x@github.com/acme/rooms.git', 'https://github.com/acme/rooms/compare/main...lane/a?expand=1'],
  ['git@github.com:acme/rooms.git', 'https://github.com/acme/rooms/compare/main...lane/a?expand=1'],
  ['ssh://git@git.example:2222/acme/rooms', 'https://git.example/acme/rooms/compare/main...lane/a?expand=1'],
  [
    'https://gitlab.example/acme/rooms.git',
    'https://gitlab.example/acme/rooms/-/merge_requests/new?merge_request%5Bsource_branch%5D=lane%2Fa&merge_request%5Btarget_branch%5D=main',
  ],
  ['/srv/rooms.git', undefined],
])('the page for %s', (remote, page) => {
  expect(compareUrl(remote, 'lane/a', 'main')).toBe(page);
});

import {describe, expect, it} from 'vitest';
import {makeNode} from './memory-node.fixture.ts';
import {fitsSummary, summarizeNodes} from './summarize-nodes.ts';

const of = {wu_id: 'WU-1', lifecycle: 'wu'} as const;

describe('a summary', () => {
  it('replaces working memory, but not open work or project knowledge', () => {
    const [first, second] = [
      makeNode({...of, type: 'checkpoint', content: 'begun'}),
      makeNode({...of, type: 'checkpoint', content: 'half way'}),
    ];
    const note = makeNode({...of, content: 'the cache\nlies'});
    const left = [
      makeNode({...of, type: 'discovery'}),
      makeNode({...of, lifecycle: 'project'}),
      makeNode({...of, type: 'summary'}),
      makeNode({...of, closed: {as: 'archived', at: 'then'}}),
      makeNode({wu_id: 'WU-2'}),
    ];
    const {content, sources} = summarizeNodes('WU-1', [note, ...left, second, first]);
    expect(sources).toEqual([first, second, note]);
    expect(content).toMatch(/^# Memory of WU-1, 3 nodes\n\n## Latest checkpoint\n\nhalf way\n/);
    expect(content).toContain('the cache lies');
    expect(content).toMatch(/## Earlier checkpoints\n\n- \d{4}-\d\d-\d\d begun\n/);
  });

  it("uses the caller's own text, if it is short enough", () => {
    expect(summarizeNodes('WU-1', [makeNode(of)], 'my words').content).toBe('my words');
    expect(fitsSummary('ä'.repeat(4096))).toBe(true);
    expect(fitsSummary('ä'.repeat(4097))).toBe(false);
  });
});

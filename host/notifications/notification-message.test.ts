import type {DueNotification} from '@lumenflow/kernel';
import {expect, test} from 'vitest';
import {notificationMessage} from './notification-message.ts';

const half = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/u;

test.each([0, 1])(
  'a message to Slack is within its limits, and cut between characters: text shifted by %i',
  (shift) => {
    const long = `${'x'.repeat(shift)}${'😀'.repeat(2_000)}`;
    const approval = {
      request_id: 'apr-1',
      state: 'pending',
      subject: {kind: 'call', tool_name: long, task_id: 'a'},
      requested_by: 'ann',
      expires_at: '2026-01-02T00:00:00.000Z',
      rules: [{reason: long}],
    };
    const due = {approval, receiver: {id: 'team', format: 'slack'}, occasion: 'requested', attempt: 1};
    const terms = {url: undefined, now: '2026-01-01T00:00:00.000Z'};
    const {blocks} = notificationMessage(due as unknown as DueNotification, terms) as {
      readonly blocks: readonly [
        {readonly text: {readonly text: string}},
        {readonly fields: readonly {text: string}[]},
      ];
    };
    const texts = [blocks[0].text.text, ...blocks[1].fields.map(({text}) => text)];
    expect(texts.filter((text) => half.test(text))).toEqual([]);
    expect(texts.map(({length}) => length).filter((length) => length > 100)).toEqual([
      expect.closeTo(150, -1),
      expect.closeTo(2_000, -1),
    ]);
  },
);

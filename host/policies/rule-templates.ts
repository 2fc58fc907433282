// Rules that admins often need, each with examples: `lumenflow policy add` writes them into workspace.yaml, to be adapted there.
import type {PolicyExample, PolicyRule} from '@lumenflow/schemas';

export interface RuleTemplate {
  readonly name: string;
  /** What it is for, in one line. */
  readonly purpose: string;
  readonly rule: PolicyRule;
}

type Call = PolicyExample['call'];

interface TemplateWords extends Pick<PolicyRule, 'reason' | 'when' | 'at_most' | 'approvers' | 'redact'> {
  readonly purpose: string;
  readonly trigger?: PolicyRule['trigger'];
  readonly decision: PolicyRule['decision'];
  readonly matches: Call;
  readonly others: Call;
}

function template(name: string, words: TemplateWords): RuleTemplate {
  const {purpose, trigger = 'on_tool_request', decision, matches, others, ...rest} = words;
  const examples: PolicyRule['examples'] = [
    {call: matches, expect: decision},
    {call: others, expect: 'no_match'},
  ];
  return {name, purpose, rule: {id: name, trigger, decision, ...rest, examples}};
}

const privateKey = '-----BEGIN [A-Z ]*PRIVATE KEY-----';

export const ruleTemplates: readonly RuleTemplate[] = [
  template('known-commands', {
    purpose: 'a person agrees to commands other than these',
    decision: 'approval_required',
    reason: 'only known commands run without a person',
    when: {tool: 'shell:run', not: {command: {argument: '/command', runs: ['npm test', 'npm run *', 'git status **']}}},
    matches: {tool: 'shell:run', arguments: {command: 'npm test; npm publish'}},
    others: {tool: 'shell:run', arguments: {command: 'npm test && git status -s'}},
  }),
  template('no-publishing', {
    purpose: 'commands publish and push nothing',
    decision: 'deny',
    reason: 'releases are published by CI',
    when: {tool: 'shell:run', command: {argument: '/command', runs: ['npm publish', 'git push', 'docker push']}},
    matches: {tool: 'shell:run', arguments: {command: 'cd x && npm --tag next publish'}},
    others: {tool: 'shell:run', arguments: {command: 'npm test'}},
  }),
  template('commit-messages', {
    purpose: 'messages of commits have a form',
    decision: 'deny',
    reason: 'write a message such as `fix: close the file`',
    when: {tool: 'git:commit', not: {arguments: {'/message': {regex: '^(?:feat|fix|docs|test|chore): .{3,}'}}}},
    matches: {tool: 'git:commit', arguments: {message: 'stuff'}},
    others: {tool: 'git:commit', arguments: {message: 'fix: close the file'}},
  }),
  template('review-infrastructure', {
    purpose: 'a person agrees to changes of infrastructure',
    decision: 'approval_required',
    reason: 'a person reviews infrastructure',
    when: {writes: ['infra/**', '**/*.tf']},
    matches: {tool: 'file:write', writes: 'infra/main.tf'},
    others: {tool: 'file:write', writes: 'src/main.ts'},
  }),
  template('two-approvals', {
    purpose: 'two persons agree to changes of production',
    decision: 'approval_required',
    reason: 'two persons review production',
    when: {writes: 'production/**'},
    approvers: {count: 2},
    matches: {tool: 'file:write', writes: 'production/app.yaml'},
    others: {tool: 'file:write', writes: 'staging/app.yaml'},
  }),
  template('rate-limit', {
    purpose: 'no session makes more than 60 writing calls in a minute',
    decision: 'deny',
    reason: 'slow down',
    when: {permission: ['write', 'admin']},
    at_most: {count: 60, per: '1m', of: 'session'},
    matches: {permission: 'write', used: 60},
    others: {permission: 'write', used: 59},
  }),
  template('budget', {
    purpose: 'a person agrees to what goes beyond a sum in 24 hours',
    decision: 'approval_required',
    reason: 'the budget of the day is used up',
    when: {tool: 'payments:transfer'},
    at_most: {total: 500, sum: '/amount', per: '24h', of: 'workspace'},
    matches: {tool: 'payments:transfer', arguments: {amount: 101}, used: 400},
    others: {tool: 'payments:transfer', arguments: {amount: 100}, used: 400},
  }),
  template('office-hours', {
    purpose: 'outside office hours, a person agrees to writing calls',
    decision: 'approval_required',
    reason: 'outside office hours, a person must agree',
    when: {permission: ['write', 'admin'], not: {time: {zone: 'UTC', days: 'mon-fri', hours: '09:00-17:00'}}},
    matches: {permission: 'write', at: '2026-11-28T10:00Z'},
    others: {permission: 'write', at: '2026-11-27T10:00Z'},
  }),
  template('frozen-fridays', {
    purpose: 'nothing is pushed on Fridays',
    decision: 'deny',
    reason: 'nothing is pushed on Fridays',
    when: {tool: 'git:push', time: {zone: 'UTC', days: 'fri'}},
    matches: {tool: 'git:push', at: '2026-11-27T10:00Z'},
    others: {tool: 'git:push', at: '2026-11-26T10:00Z'},
  }),
  template('named-people', {
    purpose: 'only these people push',
    decision: 'deny',
    reason: 'only ann and bob push',
    when: {tool: 'git:push', not: {actor: ['ann', 'bob']}},
    matches: {tool: 'git:push', actor: 'mallory'},
    others: {tool: 'git:push', actor: 'ann'},
  }),
  template('agents-do-not-merge', {
    purpose: 'agents merge nothing',
    decision: 'deny',
    reason: 'people merge',
    when: {tool: 'git:merge', role: ['agent']},
    matches: {tool: 'git:merge', role: 'agent'},
    others: {tool: 'git:merge', role: 'person'},
  }),
  template('ask-before-push', {
    purpose: 'a person agrees to each push',
    decision: 'approval_required',
    reason: 'a person looks at what is pushed',
    when: {tool: 'git:push'},
    matches: {tool: 'git:push'},
    others: {tool: 'git:commit'},
  }),
  template('ask-before-delete', {
    purpose: 'a person agrees to deleted files',
    decision: 'approval_required',
    reason: 'a person agrees to deletions',
    when: {tool: '*:delete'},
    matches: {tool: 'file:delete'},
    others: {tool: 'file:read'},
  }),
  template('push-after-checks', {
    purpose: 'nothing is pushed unless the gates passed after the last change',
    decision: 'deny',
    reason: 'run the gates after the last change',
    when: {
      tool: 'git:push',
      not: {
        after: {
          // All gates, on the files as they are.
          call: {
            tool: 'gates',
            arguments: {'/only': {exists: false}, '/commit': {exists: false}, '/dry_run': {exists: false}},
          },
          without: {tool: 'file:*', permission: ['write', 'admin']},
          of: 'task',
        },
      },
    },
    matches: {
      tool: 'git:push',
      before: [
        {tool: 'file:write', permission: 'write'},
        {tool: 'gates', arguments: {only: ['format']}},
      ],
    },
    others: {tool: 'git:push', before: [{tool: 'file:write', permission: 'write'}, {tool: 'gates'}]},
  }),
  template('ask-after-strangers', {
    purpose: 'a person agrees to what leaves the workspace once an agent has read what others wrote',
    decision: 'approval_required',
    reason: 'the agent has read what others wrote',
    when: {sink: ['external', 'privileged'], tainted: true},
    matches: {sink: 'external', tainted: 'web:fetch'},
    others: {sink: 'external'},
  }),
  template('no-copied-text', {
    purpose: 'what others wrote is not copied to the outside',
    decision: 'deny',
    reason: 'the input contains what others wrote',
    when: {sink: ['external'], carries: true},
    matches: {sink: 'external', carries: 'web:fetch'},
    others: {sink: 'external', tainted: 'web:fetch', arguments: {text: 'hello'}},
  }),
  template('no-key-files', {
    purpose: 'keys are neither read nor written; `security.deny_overlays` hides them from searches',
    decision: 'deny',
    reason: 'the call could read or write a key file: name other files or folders',
    when: {any: [{reads: ['**/*.pem', '**/*.key']}, {writes: ['**/*.pem', '**/*.key']}]},
    matches: {tool: 'file:read', reads: 'certs/site.pem'},
    others: {tool: 'file:read', reads: 'README.md'},
  }),
  template('redact-access-keys', {
    purpose: 'access keys are replaced in what calls return',
    trigger: 'on_tool_result',
    decision: 'allow',
    when: {tool: 'file:*'},
    redact: ['AKIA[0-9A-Z]{16}', 'gh[pousr]_[A-Za-z0-9]{36}'],
    matches: {tool: 'file:read'},
    others: {tool: 'git:log'},
  }),
  template('withhold-private-keys', {
    purpose: 'results with private keys are withheld',
    trigger: 'on_tool_result',
    decision: 'deny',
    reason: 'the result contains a private key',
    when: {output: {regex: privateKey}},
    matches: {tool: 'file:read', output: '-----BEGIN RSA PRIVATE KEY-----'},
    others: {tool: 'file:read', output: 'no key'},
  }),
  template('no-keys-in-changes', {
    purpose: 'keys are not written into files',
    trigger: 'on_changes',
    decision: 'deny',
    reason: 'the change contains a key',
    when: {changes: {added_text: {regex: `AKIA[0-9A-Z]{16}|${privateKey}`}}},
    matches: {changes: [{path: 'a.ts', op: 'modify', added_text: `key = 'AKIA${'A'.repeat(16)}'`}]},
    others: {changes: [{path: 'a.ts', op: 'modify', added_text: 'no key'}]},
  }),
  template('review-large-changes', {
    purpose: 'a person reviews changes of more than 20 files',
    trigger: 'on_changes',
    decision: 'approval_required',
    reason: 'a person reviews large changes',
    when: {changes: {max_files: 20}},
    matches: {changes: many(21)},
    others: {changes: many(1)},
  }),
  template('review-dependencies', {
    purpose: 'a person reviews changed dependencies',
    trigger: 'on_changes',
    decision: 'approval_required',
    reason: 'a person reviews new dependencies',
    when: {changes: {any: {path: ['**/package.json', '**/package-lock.json', '**/requirements.txt', '**/go.mod']}}},
    matches: {changes: [{path: 'web/package.json', op: 'modify'}]},
    others: {changes: [{path: 'src/main.ts', op: 'modify'}]},
  }),
];

function many(count: number): NonNullable<Call['changes']> {
  const changes = Array.from({length: count}, (_, index) => ({path: `f${index}`, op: 'create' as const}));
  return changes as NonNullable<Call['changes']>;
}

import type {PolicyMatcher, PolicyRule} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {applyRule} from '../apply-rule.ts';
import {compileRule} from '../compile-rule.ts';
import {policyPorts} from '../policy-ports.fixture.ts';

type Command = NonNullable<PolicyMatcher['command']>;

function matches(decision: PolicyRule['decision'], when: PolicyMatcher, command: unknown): boolean {
  const rule: PolicyRule = {
    id: 'r',
    trigger: 'on_tool_request',
    decision,
    when,
  };
  const {indexed, problems} = compileRule({rule, where: 'w'}, 'workspace', policyPorts);
  expect(problems).toEqual([]);
  const context = {
    trigger: 'on_tool_request',
    run_id: 'r',
    tool_name: 'shell:run',
    tool_arguments: {command},
  } as const;
  return applyRule(indexed.rule, {context}).statement !== undefined;
}

const argument = '/command';
const denies = (runs: Command['runs'] & {}, command: unknown): boolean =>
  matches('deny', {command: {argument, runs}}, command);
const allows = (runs: Command['runs'] & {}, command: unknown): boolean =>
  matches('allow', {command: {argument, runs}}, command);

describe('a rule that denies `git push` matches', () => {
  test.each([
    'git push',
    'git push --force origin main',
    'git -C dir push',
    'cd x && git push',
    '\\!\\\n\\\\\na',
    'true; git push',
    'true\ngit push',
    'true | git push',
    'true & git push',
    'g\'i\'t pu"s"h',
    'g\\it push',
    'git \\\npush',
    'gi\\\nt push',
    'echo \\\\\ngit push',
    'echo "a\\\\\n$(git push)"',
    '>& -git push',
    '>&\\\n\t-git push',
    '/usr/bin/git push',
    './GIT push',
    'GIT_DIR=x git push',
    '>out git push',
    '2>&1 git push',
    '>&-git push',
    '2<&-git push',
    '>&- git push',
    '(git push)',
    'echo $(git push)',
    'echo "$(git push)"',
    'echo `git push`',
    'git$IFS"push"',
    'git ${IFS}push',
    'git $X',
    '$GIT push',
    'git pu*',
    'git {push,pull}',
    'eval git push',
    'eval "git push"',
    'eval "$x"',
    'bash -c "git push"',
    "sh -xc 'true; git push'",
    'bash <<< "git push"',
    'echo git push | bash',
    'bash deploy.sh',
    'cat <<EOF\ngit push\nEOF',
    'alias g=git',
    '. ./script',
    'env X=y git push',
    'env -S "git push"',
    'sudo -u x nice -n 5 timeout 3 git push',
    'xargs git push',
    'xargs -I{} sh -c "git push {}"',
    'find . -exec git push \\;',
    'command git push',
    'exec git push',
    'if true; then git push; fi',
    'f() { git push; }; f',
    '! git push',
    'time git push',
    'python3 -c "import os"',
    'node -e "x"',
    "trap 'git push' EXIT",
    "env -S'git push'",
    "env -vS'git push'",
    "env '--split-string=git push'",
    "su -c'git push' x",
    'script --command="git push" log',
    'echo git push | xargs env',
    'echo push | xargs git',
    'echo push | sudo xargs git',
    "echo 'git push' | xargs -d'\\n' sh -c",
    "echo 'git push' | xargs -I% sh -c %",
    'echo git | xargs -0i% % push',
    "echo 'git push' | parallel",
    "find /bin -name 'gi?' -exec {} push \\;",
    'find push -exec git {} +',
    'find . -exec nice {} push \\;',
    "eval '/bin/gi?' push",
    "sh -c '/bin/gi?'",
    'echo git push | sh -C',
    'bash ./script -c',
    'bash -- -c',
    'echo git push | su',
    'echo git push | unshare -r',
    'echo git push | ssh host',
    "echo 'import os' | python3",
    'python3 - < x',
    'python3 /dev/stdin < x',
    'python3.12 -c "import os"',
    'nodejs -e x',
    'deno eval x',
    "node --import 'data:text/javascript,x' y.js",
    'coreutils git push',
    "let 'a[$(git push)]=1'",
    "[ -v 'a[$(git push)]' ]",
    "printf -v 'a[`git push`]' x",
    "mapfile -C 'git push;' -c 1 < x",
    "compgen -C 'git push'",
    'git\u{a0}push',
    'git\u{2003}push',
    'git push\r',
    'git \u{200b}push',
    'git "push',
    "$'git' push",
    'diff <(git push) x',
    'echo ${x:-$(git push)}',
    'echo $((1))',
    '# x',
    '&& git push',
    'coproc git push',
    ">& 'x$(git push)'",
    ">& $x'$(git push)'",
    ['git', 'push'],
    ['unknown', 'git', 'push'],
    ['/usr/bin/git', '-C', 'x', 'push'],
    ['sh', '-c', 'git push'],
    [],
    [1],
    42,
    null,
  ])('%j', (command) => expect(denies('git push', command)).toBe(true));
});

describe('it does not match', () => {
  test.each([
    'git status',
    'git pull && npm test',
    "git commit -m 'push git'",
    'echo "git push"',
    'echo git push',
    'npm run build 2>&1 | tail -5 > out.txt',
    '[ -f x ] && npm test',
    'pushd git',
    'find . -name {} -exec grep -n push {} \\;',
    'unknown push git',
    'grep -rn "git push" docs',
    'npm test &> out.txt',
    "X='push git' npm test",
    'node server.js',
    'npm test 2>&-',
    'python3 --version',
    'python3 -m pytest',
    "find . -name '*.ts' -exec grep -l push {} +",
    "find . -name '*.ts' | xargs grep -in push",
    'bash -eo pipefail -c "npm test"',
    'sudo npm test',
    "printf '[%s]' push",
    '[ "$x" = push ]',
    'xargs --max-args=3 ls',
    'timeout --signal=KILL 5 npm test',
    ['git', 'status'],
    ['echo', 'git push; git push'],
    '',
    undefined,
  ])('%j', (command) => expect(denies('git push', command)).toBe(false));
});

describe('a rule that allows `npm test` and `ls **`', () => {
  const runs: Command['runs'] & {} = ['npm test', 'ls **'];

  test.each([
    'npm test',
    ' npm  test ',
    "npm 'test'",
    'ls',
    'ls -l src',
    'npm test && ls',
    'npm test | ls 2>&1',
    'npm test >/dev/null',
    ['npm', 'test'],
  ])('matches %j', (command) => expect(allows(runs, command)).toBe(true));

  test.each([
    'npm test -- --evil',
    'npm publish',
    'npm test; rm x',
    'npm test > workspace.yaml',
    'npm test $(rm x)',
    'ls $(rm x)',
    'ls *',
    'ls $HOME',
    'ls ~',
    'PATH=. npm test',
    'LD_PRELOAD=x npm test',
    './npm test',
    'NPM test',
    '/tmp/npm test',
    'env npm test',
    '(npm test)',
    'npm test & ls',
    'npm test | sh',
    '`npm test`',
    'npm test <<x\nx',
    'npm\u{a0}test',
    "npm test 'open",
    'npm() { rm x; }; npm test',
    '',
    [],
    undefined,
  ])('does not match %j', (command) => expect(allows(runs, command)).toBe(false));

  test('the opposite of it in a rule that asks a person matches all else', () => {
    const when: PolicyMatcher = {not: {command: {argument, runs}}};
    expect(matches('approval_required', when, 'npm test')).toBe(false);
    expect(matches('approval_required', when, 'npm test; npm publish')).toBe(true);
    expect(matches('approval_required', when, 'npm "test')).toBe(true);
  });
});

test.each<[string, Command['uses'] & {}]>([
  ['a | b', ['pipe']],
  ['a > b', ['redirect']],
  ['a 2>/dev/null <b', ['redirect']],
  ['a $(b)', ['substitution']],
  ['a $b', ['expansion']],
  ['a ~', ['expansion']],
  ['a; b', ['list']],
  ['a & b', ['background']],
  ['(a)', ['group']],
  ['a=b c', ['assignment']],
  ['sh -c "a | b"', ['pipe']],
])('the constructs of `%s` are found, and no others', (command, uses) => {
  const all = ['assignment', 'background', 'expansion', 'group', 'list', 'pipe', 'redirect', 'substitution'] as const;
  const found = all.filter((use) => matches('deny', {command: {argument, uses: [use]}}, command));
  expect(found).toEqual(uses);
});

test('a construct that cannot be excluded is assumed, and none is taken for certain', () => {
  const when: PolicyMatcher = {command: {argument, uses: ['redirect']}};
  expect(matches('deny', when, 'if a')).toBe(true);
  expect(matches('allow', when, 'if a')).toBe(false);
});

test.each<[unknown, string]>([
  [{argument: '/command'}, '/when/command'],
  [{argument: 'command', runs: 'x'}, '/when/command'],
  [{argument, runs: 'git  push'}, '/when/command/runs'],
  [{argument, runs: ['a', "git 'push'"]}, '/when/command/runs/1'],
  [{argument, runs: '**'}, '/when/command/runs'],
  [{argument, runs: 'a ** b'}, '/when/command/runs'],
  [{argument, uses: ['pipes']}, '/when/command/uses'],
  [{argument, runs: 'a', like: 1}, '/when/command'],
])('%j is an error at %s', (command, pointer) => {
  const rule = {
    id: 'r',
    trigger: 'on_tool_request',
    decision: 'deny',
    when: {command},
  } as PolicyRule;
  const {problems} = compileRule({rule, where: 'w', locate: (at) => at}, 'workspace', policyPorts);
  expect(problems).toMatchObject([{code: 'POLICY_COMMAND_INVALID', where: pointer}]);
});

test('a long line costs no more than its length', () => {
  for (const line of ['sudo '.repeat(6_000), `${'sh -c "'.repeat(300)}a`, '('.repeat(20_000), 'a|'.repeat(10_000)]) {
    expect(denies('git push', line)).toBe(true);
  }
});

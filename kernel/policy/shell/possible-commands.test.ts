// Commands that a line may run although another program comes first.
import {expect, test} from 'vitest';
import {compileCommandPattern} from '../command-pattern.ts';
import {policyPorts} from '../policy-ports.fixture.ts';
import {createShellLines} from './shell-lines.ts';

test.each([
  'true &>x git push',
  'true &>>x git push',
  'x 10>&1 git push',
  "env -S'git -C x' push",
  "env -S 'git' push",
  "eval git ' push'",
  "ssh host git ' push'",
  "watch 'git ' push",
  `eval eval git "' push'"`,
  'unknown git push',
  './deploy.sh --run=git push',
  "unknown --exec 'git push'",
  `unknown 'g"i"t push'`,
  'unknown -egit push',
  'unknown x,git,push',
  'unknown git $X',
  '/lib64/ld-linux-x86-64.so.2 /usr/bin/git push',
  "make CC='git push'",
  "make X='git push'",
  "X='git push' ./y",
  "GIT_EDITOR='git push' git commit",
  "export GIT_PAGER='git push'",
  "env GIT_PAGER='git push' git log",
  "LESSOPEN='|git push' less x",
  'git-push',
  '/usr/lib/git-core/git-push origin',
  'npx concurrently "git push"',
])('%s may run `git push`', (line) => {
  const pattern = compileCommandPattern('git push', policyPorts.compileRegex);
  if (!pattern.ok) throw new Error(pattern.problem);
  const {isOpen, commands, mentioned} = createShellLines().view(line).possible;
  expect(isOpen || commands.some(pattern.value.possibly) || mentioned.some(pattern.value.possiblyIn)).toBe(true);
});

// Work on a repository of git, each with the same result to the byte.
import type {Program} from './program.ts';

const repository = `
export GIT_AUTHOR_DATE=2020-02-02T00:00Z GIT_COMMITTER_DATE=2020-02-02T00:00Z
git init -q -b main; git config user.name a; git config user.email a@example.com; git config gc.auto 0
git add .; git commit -qm one; git branch side; echo more >> docs/a.txt; git commit -qam two
git checkout -q side; echo other > docs/other; git add .; git commit -qm three; git checkout -q main
`;

/** The index and the logs contain times; the index's entries are compared. */
const settled = `
git ls-files --stage > .staged; git status --porcelain > .status; git log --all --format='%H %T %s' | sort > .log
find . -path '*/.git/*' \\( -name index -o -name logs -o -name ORIG_HEAD -o -name 'gc.pid*' -o -name 'autostash' \\) -prune -exec rm -rf {} +
`;

const git = (name: string, script: string): Program => ({
  name,
  before: repository,
  needs: ['git'],
  script: `export GIT_AUTHOR_DATE=2020-02-02T00:00Z GIT_COMMITTER_DATE=2020-02-02T00:00Z
${script}
${settled}`,
});

export const gitPrograms: readonly Program[] = [
  git('git commit', 'echo x >> src/f.c; git add -A; git commit -qm four; rm docs/big; git commit -qam five'),
  git('git merge and cherry-pick', 'git merge -q side -m merged; git checkout -q side; git cherry-pick main~1'),
  git('git rebase', 'git rebase -q side'),
  git('git stash', 'echo x >> src/f.c; echo n > new; git stash -q -u; git stash pop -q; git stash -q'),
  git('git mv of a file', 'git mv docs/a.txt docs/A.TXT; git mv src/f.h docs/; git commit -qm moved'),
  git(
    'git checkout, reset and clean',
    'git checkout -q side; git checkout -q main; echo x > n; git clean -fdq; git reset -q --hard HEAD~1',
  ),
  git('git gc', 'git -c pack.threads=1 gc -q --prune=now'),
  git('git worktree', 'git worktree add -q tree side; echo x > tree/x; git -C tree add x; git -C tree commit -qm x'),
  git(
    'git init and clone',
    'export GIT_TEMPLATE_DIR=/nowhere; git init -q -b main fresh; git clone -q . copy 2>/dev/null; echo 1 > copy/n; git -C copy add n; git -C copy -c user.name=a -c user.email=a@a commit -qm n',
  ),
  git(
    'git apply and am',
    'git format-patch -q -1 --stdout side > /tmp/p; git apply /tmp/p; git checkout -q .; rm docs/other; git am -q /tmp/p',
  ),
  {
    name: 'patch',
    needs: ['patch'],
    script: `printf -- '--- docs/a.txt\\n+++ docs/a.txt\\n@@ -1,3 +1,3 @@\\n-line 1 of a\\n+first\\n line 2 of a\\n line 3 of a\\n' | patch -sp0 -b`,
  },
];

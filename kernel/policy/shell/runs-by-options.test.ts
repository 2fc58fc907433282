import {expect, test} from 'vitest';
import {parseShellLine} from './parse-shell-line.ts';
import {possibleCommands} from './possible-commands.ts';

function isOpen(line: string): boolean {
  return possibleCommands(parseShellLine(line)).isOpen;
}

test.each([
  'sudo -u x -s',
  'sudo -s',
  'sudo -u x',
  'sudo -i -u x',
  'echo git push | xargs -d x -iWORD sh -c WORD',
  "echo 'git push' | xargs -0 -iWORD WORD",
  "perl -M'x;system(q(git push))' y.pl",
  'perl -d x.pl',
  "git -c alias.x='!git push' x",
  "git -C y -c core.pager='git push' log",
  'git config alias.x y',
  'git bisect run x',
  "git rebase -x 'git push' main",
  'git submodule foreach x',
  'git clone ext::x y',
  "tar xf a.tar --to-command='git push'",
  'tar cf a.tar b --checkpoint=1 --checkpoint-action=exec=x',
  'tar --to-c=x -xf a.tar',
  'tar xfI a.tar x',
  'tar -I x -cf a.tar b',
  `awk 'BEGIN{system("git push")}'`,
  `awk 'BEGIN{"git push" | getline}'`,
  'gawk -f -',
  "vim -c '!git push'",
  'vi x',
  'ed',
  "sed '1e git push' x",
  "sed 's/x/git push/e' x",
  'sed -f x y',
  "sed -n -e p -e '1e x' y",
  "rsync -e 'git push' a b",
  "ssh -o ProxyCommand='git push' host ls",
  'npm exec x',
  'tmux new x',
  'find . -exec awk -f - {} +',
  "sort --compress-program='git push' x",
])('%s may run anything', (line) => expect(isOpen(line)).toBe(true));

test.each([
  'sudo -n npm test',
  'sudo -u x npm test',
  'git -c user.name=x commit',
  'git switch -c feature',
  'git commit -c HEAD',
  'git log config',
  'tar xzf a.tar.gz',
  'tar -czf a.tar.gz --exclude=b c',
  "awk '{print $1}' x",
  "awk -F: '{print $1}' /etc/passwd",
  "sed -n '1,5p' x",
  "sed -i 's/a b/c/g' x",
  "sed -e 's|a|b|' x",
  'rsync -a x y',
  'npm run exec-tests',
  'perl x.pl',
])('%s runs what its words show', (line) => expect(isOpen(line)).toBe(false));

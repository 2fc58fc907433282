// Ordinary programs, as people and agents run them. Each starts in a directory that `setUp` has filled.
import {buildPrograms} from './build-programs.ts';
import {gitPrograms} from './git-programs.ts';
import type {Program} from './program.ts';

/** Files are older than the call, so that a time that a program keeps is seen. */
export const setUp = `
mkdir -p src/deep/er docs
for i in 1 2 3; do echo "line $i of a" >> docs/a.txt; echo "int f$i(void);" >> src/f.h; done
printf 'int f1(void) { return 1; }\\nint f2(void) { return 2; }\\n' > src/f.c
printf '#include "f.h"\\nint main(void) { return f1() + f2(); }\\n' > src/main.c
echo deep > src/deep/er/d; chmod 755 src/f.c; ln -s f.c src/link
head -c 3000000 /dev/zero | tr '\\0' x > docs/big
find . -exec touch -h -d '2020-01-01 00:00:00.123456789' {} +
`;

const editors: readonly Program[] = [
  {
    name: 'sed -i',
    needs: ['sed'],
    script: 'sed -i.bak s/line/LINE/ docs/a.txt; sed -i --follow-symlinks s/1/2/ src/link',
  },
  {name: 'ed', needs: ['ed'], script: `printf '1d\\nw\\nq\\n' | ed -s docs/a.txt`},
  {
    name: 'vim',
    needs: ['vim'],
    script: `vim -Nu NONE -es -c '%s/line/LINE/' -c 'set backup writebackup' -c wq docs/a.txt </dev/null`,
  },
  {name: 'perl -pi', needs: ['perl'], script: 'perl -pi.orig -e s/of/OF/ docs/a.txt'},
  {
    name: 'sort -o and uniq',
    script: 'sort -r -o docs/a.txt docs/a.txt; uniq docs/a.txt docs/u; tee -a docs/u < docs/a.txt >/dev/null',
  },
  {
    name: 'split, cat and cut',
    script:
      'split -b 1000000 docs/big docs/part-; cat docs/part-* > docs/joined; cut -c1-3 docs/a.txt > docs/cut; csplit -sf docs/c docs/a.txt 2',
  },
  {name: 'jq', needs: ['jq'], script: `echo '{"b":1,"a":[2]}' > j; jq -S . j > j.new; mv j.new j`},
  {name: 'ctags', needs: ['ctags'], script: 'ctags -f tags -R src'},
];

const archives: readonly Program[] = [
  {
    name: 'tar',
    needs: ['tar'],
    script:
      'tar cf t.tar src docs; rm -r src docs; tar xf t.tar; tar rf t.tar docs/a.txt; touch -d 2020-01-01 t.tar; truncate -s 0 t.tar',
  },
  {
    name: 'tar over what is there',
    needs: ['tar'],
    script:
      'tar czf /tmp/t.tgz src; echo other > src/f.c; tar xzpf /tmp/t.tgz --overwrite; tar xzpf /tmp/t.tgz --unlink-first --recursive-unlink',
  },
  {
    name: 'zip and unzip',
    needs: ['zip', 'unzip'],
    script: 'zip -qrX z.zip src docs; rm -r src; unzip -qo z.zip; zip -qd z.zip docs/big; unzip -qod out z.zip',
  },
  {
    name: 'gzip and xz in place',
    needs: ['xz'],
    script: 'gzip docs/a.txt; xz -T1 src/f.h; gzip -k src/f.c; gunzip docs/a.txt.gz; unxz -k src/f.h.xz',
  },
  {name: 'cpio', needs: ['cpio'], script: 'find src | cpio -o --quiet > /tmp/c; rm -r src; cpio -idm --quiet < /tmp/c'},
  {
    name: 'rsync -a',
    needs: ['rsync'],
    script:
      'rsync -a --delete src/ docs/; rsync -aH --inplace docs/f.c src/f.h; rsync -a --backup --suffix=~ src/ docs/',
  },
  {
    name: 'rsync --inplace',
    needs: ['rsync'],
    script:
      'head -c 3000000 /dev/zero | tr "\\0" y | dd of=/tmp/big bs=1M status=none; touch -d 2021-01-01 /tmp/big; rsync --inplace --no-whole-file -t /tmp/big docs/big',
  },
];

const files: readonly Program[] = [
  {
    name: 'cp -a',
    script:
      'cp -a src copy; cp -al docs linked; cp -p docs/a.txt docs/b.txt; cp --remove-destination src/f.c docs/a.txt',
  },
  {
    name: 'cp --sparse and --reflink',
    script:
      'truncate -s 20M hole; printf x | dd of=hole bs=1 seek=9000000 conv=notrunc status=none; cp --sparse=always hole copy; cp --reflink=auto docs/big docs/second; stat -c "%b" hole copy > blocks',
  },
  {
    name: 'mv of directories',
    script: 'mv src/deep docs/moved; mv docs lib; mkdir d; mv lib d/; mv -T d docs; mv src/f.c src/g.c',
  },
  {
    name: 'writing to files with several names',
    before: 'ln docs/a.txt docs/second; ln docs/a.txt third; ln src/f.h src/deep/twin; ln src/f.c src/deep/code',
    script: 'echo x >> docs/second; chmod 600 third; truncate -s 3 src/deep/twin; rm src/f.c',
  },
  {
    name: 'ln',
    script:
      'ln docs/a.txt docs/second; ln docs/second third; ln -s ../src docs/to-src; ln -sfn deep src/link; echo x >> third; ln -f src/f.h docs/second; echo 1 > one; ln one docs/two; ln one src/three',
  },
  {
    name: 'find -delete and -exec',
    needs: ['find'],
    script: 'find src -type f -name "*.h" -delete; find . -name "*.c" -exec cp {} {}.bak \\;; find . -empty -delete',
  },
  {
    name: 'rm and made again',
    script: 'rm -r src/deep; mkdir -p src/deep; echo new > src/deep/new; rm -r docs; mkdir -m 750 docs',
  },
  {
    name: 'install and mkdir -p',
    script:
      'install -d -m 750 bin; install -m 755 src/f.c bin/; install -D -p src/f.h usr/include/f.h; install -b -m 600 docs/a.txt bin/f.c',
  },
  {
    name: 'dd and truncate',
    script:
      'dd if=/dev/zero of=docs/big bs=1000 seek=5 count=3 conv=notrunc status=none; truncate -s 7 docs/a.txt; truncate -s +4096 src/f.h; : > src/f.c',
  },
  {
    name: 'fallocate',
    needs: ['fallocate'],
    script:
      'fallocate -l 1M new; fallocate -p -o 4096 -l 1000000 docs/big; fallocate -d docs/big; stat -c %b new docs/big > blocks',
  },
  {
    name: 'chmod -R',
    script: 'chmod -R a-w src; chmod 1755 docs/a.txt; chmod 000 docs/big; chmod 711 docs; chmod 1777 .',
  },
  {
    name: 'a read-only tree made and removed',
    script: 'chmod -R a-w src; cp -a src ro; chmod -R u+w src; rm -r src; mkdir new; echo 1 > new/f; chmod 555 new',
  },
  {
    name: 'touch',
    script: `touch -d '2001-02-03 04:05:06.789' docs/a.txt; touch -r docs/a.txt src/f.c; touch -hd 2002-01-01 src/link; touch -d 2003-01-01 src/deep; touch -a -d 2004-01-01 src/f.h; touch -d 1969-01-01 docs/big`,
  },
  {
    name: 'flock and appends',
    needs: ['flock'],
    script:
      'for i in 1 2 3 4; do flock docs/a.txt -c "cat docs/a.txt > /tmp/n; echo $i >> docs/a.txt" & done; wait; sort -o docs/a.txt docs/a.txt; for i in 1 2 3; do echo $i >> log; done',
  },
  {
    name: 'names of all sorts',
    script: `mkdir 'a b' $'\\t'; echo 1 > 'a b/ü'; echo 2 > $'docs/new\\nline'; echo 3 > ./-rf; echo 4 > ':(top)x'; echo 5 > "$(printf 'x%.0s' {1..255})"; echo 6 > 'é'; echo 7 > $(printf 'e\\314\\201'); echo 8 > A; echo 9 > a`,
  },
  {
    name: 'files to directories and back',
    script:
      'rm src/f.h; mkdir src/f.h; echo 1 > src/f.h/x; rm src/f.c; ln -s deep src/f.c; rm -r docs; echo 1 > docs; rm src/link; mkdir src/link; echo 2 > src/link/y; rm -r src/deep; ln -s /usr/bin src/deep',
  },
];

const databases: readonly Program[] = [
  {
    name: 'sqlite3',
    needs: ['sqlite3'],
    script: `sqlite3 db "create table t(a); insert into t values(1)"; sqlite3 db "update t set a = 2; vacuum"; sqlite3 db .dump > dump`,
  },
  {
    name: 'sqlite3 with a write-ahead log',
    needs: ['sqlite3'],
    before: `command -v sqlite3 >/dev/null && sqlite3 db "pragma journal_mode=wal; create table t(a)" > /dev/null`,
    script: `sqlite3 db "insert into t values(1)"; for i in 1 2 3; do sqlite3 -cmd '.timeout 5000' db "insert into t values('x')" & done; wait; sqlite3 db .dump > dump; rm db`,
  },
  {
    name: "Node's files",
    script: `cat > /tmp/a.mjs <<'END'
import fs from 'node:fs'; import {once} from 'node:events';
const watcher = fs.watch('docs'); const seen = once(watcher, 'change');
fs.renameSync(fs.mkdtempSync('made-'), 'made'); fs.writeFileSync('made/f', '1'); fs.renameSync('made/f', 'docs/a.txt'); await seen; watcher.close();
const file = fs.openSync('docs/log', 'a'); fs.writeSync(file, 'a'); fs.writeSync(file, 'b'); fs.fsyncSync(file); fs.ftruncateSync(file, 1); fs.closeSync(file);
fs.cpSync('src', 'copy', {recursive: true, verbatimSymlinks: true, preserveTimestamps: true}); fs.copyFileSync('docs/big', 'docs/second', fs.constants.COPYFILE_FICLONE);
fs.rmSync('src', {recursive: true}); fs.linkSync('docs/big', 'linked'); fs.utimesSync('docs/second', 1e9, 1e9 + 0.5); await fs.promises.appendFile('docs/second', 'x'); fs.chmodSync('docs', 0o700);
const h = await fs.promises.open('docs/big', 'r+'); await h.write('zz', 100); await h.sync(); await h.close(); fs.symlinkSync('nowhere', 'dangling'); fs.writeFileSync('docs/a.txt', 'b', {flag: 'a'});
END
node /tmp/a.mjs`,
  },
];

export const ordinaryPrograms: readonly Program[] = [
  ...gitPrograms,
  ...editors,
  ...archives,
  ...files,
  ...buildPrograms,
  ...databases,
];

// Compilers, package managers and interpreters, with what they leave behind.
import type {Program} from './program.ts';

export const buildPrograms: readonly Program[] = [
  {
    name: 'gcc and ar',
    needs: ['gcc', 'ar'],
    script:
      'gcc -g -c src/f.c -o f.o; ar rcsD libf.a f.o; gcc -g src/main.c libf.a -o prog; ! ./prog; ranlib -D libf.a; strip -o stripped prog',
  },
  {
    name: 'make, twice',
    needs: ['make', 'gcc'],
    before: `printf 'all: prog\\nprog: f.o main.o\\n\\tgcc -o $@ $^\\n%%.o: src/%%.c src/f.h\\n\\tgcc -c -o $@ $<\\n' > Makefile`,
    script: 'make -s -j2; make > second; echo >> src/f.c; make > third; rm -f *.o',
  },
  {
    name: 'tsc -b',
    before: `mkdir -p lib app; echo 'export const one: number = 1;' > lib/one.ts; echo 'import {one} from "../lib/one.js"; export const two = one + 1;' > app/two.ts
echo '{"compilerOptions": {"composite": true, "outDir": "../out/lib", "rootDir": ".", "module": "nodenext", "lib": ["es5"], "types": []}}' > lib/tsconfig.json
echo '{"compilerOptions": {"composite": true, "outDir": "../out/app", "rootDir": ".", "module": "nodenext", "lib": ["es5"], "types": []}, "references": [{"path": "../lib"}]}' > app/tsconfig.json`,
    script:
      'node ../typescript/lib/tsc.js -b app; echo "export const three = 3;" >> lib/one.ts; node ../typescript/lib/tsc.js -b app',
  },
  {
    name: 'npm install and npm ci',
    needs: ['npm'],
    before: `mkdir -p packages/left packages/right; echo '{"name":"left","version":"1.0.0","bin":"left.js","dependencies":{"right":"file:../right"}}' > packages/left/package.json
echo '#!/usr/bin/env node' > packages/left/left.js; echo '{"name":"right","version":"1.0.0"}' > packages/right/package.json; echo 1 > packages/right/index.js
(cd packages; npm pack --silent ./right; npm pack --silent ./left) > /dev/null
echo '{"name":"app","version":"1.0.0","dependencies":{"right":"file:packages/right-1.0.0.tgz"}}' > package.json`,
    script: `export npm_config_cache=/tmp/npm npm_config_update_notifier=false npm_config_audit=false npm_config_fund=false
npm install --silent; npm install --silent ./packages/left; npm ci --silent; npm uninstall --silent left; npm version --silent --no-git-tag-version minor > said; npm pkg set scripts.hello='echo hello > hello'; npm run -s hello`,
  },
  {
    name: 'npm install of a thousand files',
    needs: ['npm'],
    before: `mkdir -p big/lib; echo '{"name":"big","version":"1.0.0"}' > big/package.json
for i in $(seq 20); do mkdir -p big/lib/$i/{a..e}; for j in {0..9}; do for k in {a..e}; do echo "$i $j" > big/lib/$i/$k/$j.js; done; done; done
npm pack --silent ./big > /dev/null; rm -r big; echo '{"name":"app","version":"1.0.0"}' > package.json`,
    script:
      'npm_config_cache=/tmp/npm npm install --silent --no-audit --no-fund --no-update-notifier ./big-1.0.0.tgz; find node_modules -type f | wc -l',
  },
  {
    name: 'python -m venv and pip',
    needs: ['python3', 'pip3'],
    before: `mkdir -p one; echo 'x = 1' > one/__init__.py`,
    script: `export PYTHONDONTWRITEBYTECODE=1 PIP_NO_COMPILE=1
python3 -m venv --without-pip v; python3 -m venv --copies --without-pip c
python3 - <<'END'
import zipfile, hashlib, base64
files = {'two/__init__.py': 'y = 2\\n', 'two-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: two\\nVersion: 1.0\\n', 'two-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nGenerator: test\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n', 'two-1.0.dist-info/entry_points.txt': '[console_scripts]\\ntwo=two:main\\n'}
with zipfile.ZipFile('two-1.0-py3-none-any.whl', 'w') as z:
    for name, text in files.items(): z.writestr(zipfile.ZipInfo(name), text)
    z.writestr(zipfile.ZipInfo('two-1.0.dist-info/RECORD'), ''.join(f'{name},,\\n' for name in files) + 'two-1.0.dist-info/RECORD,,\\n')
END
python3 -m pip --python v/bin/python install -q --no-index --no-deps --disable-pip-version-check ./two-1.0-py3-none-any.whl
find . -name __pycache__ -prune -exec rm -r {} +; v/bin/python -c 'import two; print(two.y)' > said; c/bin/python -c 'print(3)' >> said`,
  },
  {
    name: 'python compiles and writes',
    needs: ['python3'],
    script: `python3 - <<'END'
import os, mmap, shutil, tempfile, fcntl, sqlite3, compileall
with open('docs/big', 'r+b') as f:
    with mmap.mmap(f.fileno(), 0) as m: m[10:13] = b'abc'; m.flush()
with open('docs/a.txt', 'r+') as f:
    fcntl.lockf(f, fcntl.LOCK_EX); f.seek(2); f.write('XX'); f.truncate(20)
shutil.copytree('src', 'tree', symlinks=True); shutil.move('tree', 'docs/tree'); os.replace('src/f.h', 'docs/a.h')
fd, name = tempfile.mkstemp(dir='.'); os.write(fd, b'x'); os.fsync(fd); os.close(fd); os.rename(name, 'made')
d = sqlite3.connect('docs/db'); d.execute('create table t(a)'); d.execute('insert into t values (1)'); d.commit(); d.close()
fd = os.open('docs/s', os.O_RDWR | os.O_CREAT, 0o640); os.posix_fallocate(fd, 0, 4096); os.pwrite(fd, b'z', 9000); os.sendfile(fd, os.open('docs/a.txt', 0), 0, 5); os.close(fd)
END`,
  },
];

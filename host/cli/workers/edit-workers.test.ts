import {expect, test} from 'vitest';
import {withoutWorker, withWorker} from './edit-workers.ts';

const text = `# Our workspace.
id: demo
security:
  allowed_scopes: [] # strict
lanes: [] # none yet
`;
const now = '2026-11-26T09:00:00.000Z';
const later = '2026-12-01T09:00:00.000Z';
const build = {name: 'build', url: 'https://build.example:7070', key: 'build+01020304+AQ=='};
const next = {...build, key: 'build+05060708+Ag=='};

test('a worker is added, and everything else stays', () => {
  expect(withWorker(text, build, now)).toBe(`# Our workspace.
id: demo
security:
  allowed_scopes: [] # strict
  sandbox:
    backends:
      remote:
        workers:
          - name: build
            url: https://build.example:7070
            key: build+01020304+AQ==
lanes: [] # none yet
`);
});

test('further workers are added to the list, and keep its comments', () => {
  const one = withWorker(text, build, now).replace('- name: build', '- name: build # fast');
  const two = withWorker(one, {...next, name: 'other', ca: 'ca.pem'}, now);
  expect(two).toContain('- name: build # fast\n');
  expect(two).toContain(
    '- name: other\n            url: https://build.example:7070\n            key: build+05060708+Ag==\n            ca: ca.pem\n',
  );
});

test('a new key replaces the old one, which stays in the list of former keys', () => {
  const rotated = withWorker(withWorker(text, build, now), next, later);
  expect(rotated).toContain(`          - name: build
            url: https://build.example:7070
            key: build+05060708+Ag==
        former_keys:
          - key: build+01020304+AQ==
            until: 2026-12-01T09:00:00.000Z
`);
  const again = withWorker(rotated, build, later);
  expect(again).toContain('key: build+01020304+AQ==\n        former_keys:\n          - key: build+05060708+Ag==\n');
  expect(withWorker(rotated, {...next, url: 'https://new.example'}, later)).toContain('url: https://new.example\n');
});

test('certificates stay with a new key, and go with a change to http', () => {
  const secure = withWorker(text, {...build, ca: 'ca.pem', client_cert: 'c.pem', client_key: 'k.pem'}, now);
  expect(withWorker(secure, next, later)).toContain('ca: ca.pem\n            client_cert: c.pem\n');
  const plain = withWorker(secure, {...build, url: 'http://127.0.0.1:7070'}, later);
  expect(plain).toBe(withWorker(text, {...build, url: 'http://127.0.0.1:7070'}, now));
});

test('a worker that was added by mistake leaves nothing', () => {
  expect(withoutWorker(withWorker(text, build, now), 'build', undefined)).not.toContain('former_keys');
});

test('a forgotten worker leaves its key among the former ones', () => {
  const forgotten = withoutWorker(withWorker(text, build, now), 'build', later);
  expect(forgotten).toContain(`        workers: []
        former_keys:
          - key: build+01020304+AQ==
            until: 2026-12-01T09:00:00.000Z
`);
  expect(withoutWorker(text, 'build', now)).toBeUndefined();
  expect(withWorker(forgotten!, next, later)).toContain('        workers:\n          - name: build\n');
});

import {expect, test} from 'vitest';
import {engines} from './engines.ts';
import {unmountablePath} from './unmountable-path.ts';

const requestOf = (path: string) => ({HostConfig: {Mounts: [{Target: '/dev/pts'}, {Source: '/a', Target: path}]}});

test.each(['/w/a,source=', '/w/a"b', '/w/a\nb', '/w/a\rb'])('only Podman cannot mount %j', (path) => {
  expect(unmountablePath(requestOf(path), engines.podman)).toBe(path);
  expect(unmountablePath({HostConfig: {Mounts: [{Source: path, Target: '/b'}]}}, engines.podman)).toBe(path);
  expect(unmountablePath(requestOf(path), engines.docker)).toBeUndefined();
});

test.each(['/w/a=b', '/w/a:b', "/w/a'b", '/w/a\tb', '/w/é 日本', '/w/a#b?c%41'])('both can mount %j', (path) => {
  expect(unmountablePath(requestOf(path), engines.podman)).toBeUndefined();
});

test('the container of a network has no mounts', () => {
  expect(unmountablePath({HostConfig: {}}, engines.podman)).toBeUndefined();
});

// When a server reports that it is not ready, and how often it asks its log.
import {expect, test} from 'vitest';
import {createReadiness} from './readiness.ts';

function createLog() {
  const log = {
    now: 0,
    asked: 0,
    isCurrent: true,
    check: (): Promise<void> => Promise.resolve(),
    isWorkspaceCurrent: () => log.isCurrent,
    checkWritable: () => {
      log.asked += 1;
      return log.check();
    },
    monotonic: () => log.now,
  };
  return log;
}

test('it is ready until its log fails, its workspace changes or it drains, and ready again afterwards', async () => {
  const log = createLog();
  const readiness = createReadiness(log, log);
  expect(await readiness.reasons()).toEqual([]);
  log.now += 500;
  log.check = () => Promise.reject(new Error('no space'));
  log.isCurrent = false;
  expect(await readiness.reasons()).toEqual(['WORKSPACE_CHANGED', 'LOG_UNAVAILABLE']);
  log.now += 500;
  log.check = () => Promise.resolve();
  log.isCurrent = true;
  expect(await readiness.reasons()).toEqual([]);
  readiness.drain();
  expect(await readiness.reasons()).toEqual(['DRAINING']);
});

test('many requests cause one check, and a check that does not end causes no second one', async () => {
  const log = createLog();
  const readiness = createReadiness(log, {...log, monotonic: log.monotonic, timeoutMs: 20});
  await Promise.all([readiness.reasons(), readiness.reasons(), readiness.reasons()]);
  expect(log.asked).toBe(1);
  let end: (() => void) | undefined;
  log.check = () => new Promise((resolve) => (end = resolve));
  for (let turn = 0; turn < 3; turn += 1) {
    log.now += 1_000;
    expect(await readiness.reasons()).toEqual(['LOG_UNAVAILABLE']);
  }
  expect(log.asked).toBe(2);
  end?.();
  await new Promise((resolve) => setTimeout(resolve));
  log.check = () => Promise.resolve();
  log.now += 1_000;
  expect(await readiness.reasons()).toEqual([]);
});

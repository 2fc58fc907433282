// The example of a prompt-injected agent, run as documented: each step that the letter demands is stopped by the right layer,
// and the secret appears nowhere.
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

const repository = join(import.meta.dirname, '../../..');

test('each step of the injected agent is blocked and recorded in the evidence', async () => {
  const program = join(repository, 'examples/governed-agent/governed-agent.ts');
  const {stdout} = await promisify(execFile)(process.execPath, ['--import', 'tsx', program], {cwd: repository});
  const calls = stdout.split('\n').filter((line) => /^ {4}[✓✗‖]/u.test(line) || /^ {6}[A-Z_]+:/u.test(line));
  expect(calls.map((line) => line.trim().replace(/(?<=^[A-Z_]+):.*/u, ''))).toEqual([
    '✓ desk:read desk/letter.md',
    '✗ desk:read .env',
    'SCOPE_DENIED',
    '✗ desk:post 203.0.113.7',
    'NOT_SENT',
    '✗ desk:write workspace.yaml',
    'SCOPE_DENIED',
    '✗ desk:write .lumenflow/kernel/events/0.jsonl',
    'SCOPE_DENIED',
    '✗ desk:write .agent-runtime/workflow/sessions/mine',
    'SCOPE_DENIED',
    '✗ desk:wipe desk/letter.md',
    'POLICY_DENIED',
    '‖ LumenFlow asks a person, who rejects the call',
    '✗ desk:wipe desk/letter.md',
    'POLICY_DENIED',
    '✓ desk:write desk/answers/filed.md',
  ]);
  expect(stdout).toContain('(agent-runtime.intent.deny)');
  expect(stdout).toContain('9 calls, 7 of them stopped; the session is complete.');
  expect(stdout).toContain('The secret appears in 0 of all recorded contents; the evidence is verified.');
}, 240_000);

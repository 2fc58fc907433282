import {expect, test} from 'vitest';
import {greeterWorkspaceForEachTest} from '../fixtures/greeter-workspace.ts';

const greeter = greeterWorkspaceForEachTest();

test('a declared dependency that is not installed comes with the command that installs it', async () => {
  await greeter.workspace.write({
    'packs/greeter/package.json': '{"type": "module", "dependencies": {"@acme/notthere": "*"}}',
    'packs/greeter/tools/greet.ts': `import '@acme/notthere/part'; export const greet = 1;`,
  });
  expect((await greeter.workspace.load()).problems).toMatchObject([
    {code: 'PACK_CODE_INVALID', help: 'package.json declares it, but it is not installed: run `npm install`'},
  ]);
});

test('an entry that the SDK does not have is not a missing installation', async () => {
  await greeter.workspace.write({
    'packs/greeter/package.json': '{"type": "module", "dependencies": {"@lumenflow/pack-sdk": "*"}}',
    'packs/greeter/tools/greet.ts': `import '@lumenflow/pack-sdk/tools'; export const greet = 1;`,
  });
  expect((await greeter.workspace.load()).problems[0]?.help).toMatch(/^`@lumenflow\/pack-sdk` has no such entry/u);
});

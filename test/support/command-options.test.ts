import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const source = `import {commandOptions} from ${JSON.stringify(join(import.meta.dirname, 'command-options.ts'))};
process.stdout.write(JSON.stringify(commandOptions('usage\\n', {options: {quick: {type: 'boolean'}}}).values));`;

test.each([
  [['--quick'], 0, '{"quick":true}', ''],
  [['--help'], 0, 'usage\n', ''],
  [['--none'], 2, '', "Unknown option '--none'\n\nusage\n"],
])('%j', (args, status, stdout, stderr) => {
  const script = ['--import', 'tsx', '--input-type=module', '--eval', source, '--', ...args];
  expect(spawnSync(process.execPath, script, {encoding: 'utf8'})).toMatchObject({status, stdout, stderr});
});

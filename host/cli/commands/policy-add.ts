// `lumenflow policy add`: writes a rule from a template into workspace.yaml.
import {nearestName} from '@lumenflow/kernel';
import {parseYamlDocument} from '@lumenflow/kernel/node';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {ruleTemplates} from '../../policies/rule-templates.ts';
import {withTemplate} from '../../policies/with-template.ts';
import {writeWhole} from '../../write-whole.ts';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';

const fileName = 'workspace.yaml';

export const policyAdd: Command = async (context, [name = '']) => {
  const template = ruleTemplates.find((one) => one.name === name);
  if (template === undefined) {
    const nearest = nearestName(
      name,
      ruleTemplates.map((one) => one.name),
    );
    const help = nearest === undefined ? 'list them with `lumenflow policy templates`' : `did you mean \`${nearest}\`?`;
    throw new CliError('INVALID_ARGUMENT', `there is no template \`${name}\``, {help, exitCode: exitCode.usage});
  }
  const root = findWorkspace(context);
  const before = await readFile(join(root, fileName), 'utf8');
  const source = {text: before, file: fileName, validate: validateWorkspace, code: 'WORKSPACE_INVALID'};
  const [problem] = parseYamlDocument(source).problems;
  if (problem) {
    const help = 'run `lumenflow check` to see all problems, and fix them first';
    throw new CliError(problem.code, `${problem.where}: ${problem.message}`, {help});
  }
  const text = withTemplate(before, template);
  if (text === undefined) {
    const help = 'change the rule there, or give it another id';
    throw new CliError('RULE_EXISTS', `${fileName} has a rule \`${name}\` already`, {help});
  }
  await writeWhole(root, fileName, text);
  const {style, errorStyle} = context;
  return {
    data: {rule: template.rule},
    text: () => `${style.good('✔')} ${fileName} has the rule ${style.bold(name)}`,
    note: () => errorStyle.dim('adapt its tools, paths and names; then try it with `lumenflow policy test`'),
  };
};

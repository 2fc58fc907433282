// `lumenflow policy templates`: lists rules that admins often need.
import {ruleTemplates} from '../../policies/rule-templates.ts';
import type {Command} from '../command.ts';
import {renderTable} from '../rendering/render-table.ts';

export const policyTemplates: Command = async ({style}) =>
  await Promise.resolve({
    data: {templates: ruleTemplates},
    text: () =>
      renderTable(
        ruleTemplates,
        [
          {title: 'TEMPLATE', cell: ({name}) => name},
          {title: 'DECISION', cell: ({rule}) => (rule.redact === undefined ? rule.decision : 'redact')},
          {title: 'PURPOSE', cell: ({purpose}) => purpose, shrinksTo: 20},
        ],
        style,
      ),
    note: () => 'add one with `lumenflow policy add TEMPLATE`',
  });

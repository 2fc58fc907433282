import {cliTool, requireOk} from '@lumenflow/pack-sdk/cli';

export const renderMarkdown = cliTool<{markdown: string}, {html: string}>({
  command: 'marked',
  script: 'node_modules/marked/bin/marked.js',
  args: () => [],
  stdin: ({markdown}) => markdown,
  read: (result) => ({html: requireOk('marked', result).stdout}),
});

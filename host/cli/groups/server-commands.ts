// Commands about the server and who may speak to it.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const mcpHelp = `
A client starts this program and speaks to it on stdin and stdout. In its config file:
  {"mcpServers": {"lumenflow": {"command": "npx", "args": ["lumenflow", "mcp", "--workspace", "/path/to/it"]}}}

A tool \`domain:verb\` is called \`domain_verb\`.`;

export function addServerCommands(program: Commander, bind: Bind): void {
  program
    .command('mcp')
    .description('serve the tools to an MCP client, on stdin and stdout')
    .option('--lane <lane>', 'the lane of the task made for the client (default: the first)')
    .option('--task <task>', 'serve within this active task instead')
    .option('--as <name>', 'who the client acts for')
    .option('--watch', 'load packs that are pinned as `dev` anew when their files change')
    .addHelpText('after', mcpHelp)
    .action(bind(async () => (await import('../commands/mcp.ts')).mcp));
  program
    .command('serve')
    .description('serve the HTTP API, MCP at /mcp and the dashboard at /, until Ctrl-C')
    .option('--port <port>', '0 for any that is free', '8787')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--allow-host <name...>', 'further names that requests may use for this server')
    .option('--rate <requests>', 'requests a second for each token, 0 for any number', '1000')
    .option('--watch', 'load packs that are pinned as `dev` anew when their files change')
    .action(bind(async () => (await import('../commands/serve.ts')).serve));
  const token = program.command('token').description('who may speak to the HTTP API');
  token
    .command('create')
    .argument('<name>', 'who it is for: the actor of all that it does')
    .option('--role <role>', 'agent, operator or admin', 'agent')
    .description('make a token and print it, once')
    .action(bind(async () => (await import('../commands/token-create.ts')).tokenCreate));
  token
    .command('list')
    .description('the tokens there are')
    .action(bind(async () => (await import('../commands/token-list.ts')).tokenList));
  token
    .command('revoke')
    .argument('<name>')
    .description('end a token, at once')
    .action(bind(async () => (await import('../commands/token-revoke.ts')).tokenRevoke));
}

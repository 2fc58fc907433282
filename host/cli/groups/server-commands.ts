// Commands that serve the tools, and the tokens for the HTTP API.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const mcpHelp = `
The MCP client starts this command. Add it to the config file of the client:
  {"mcpServers": {"lumenflow": {"command": "npx", "args": ["lumenflow", "mcp", "--workspace", "/path/to/it"]}}}

MCP clients see a tool \`domain:verb\` as \`domain_verb\`.

With --tools, clients list fewer tools. Separate several values by commas:
  search          search_tools, get_tool_doc, run_tool, run_chain, check_program, run_program
                  and run_code, which find and call all others
  direct          all tools (default)
  both            search,direct
  file:*,git:*    the tools with such names`;

const serveHelp = `
Environment:
  OTEL_EXPORTER_OTLP_ENDPOINT  sends traces, metrics and logs by OTLP, for example
                               to http://localhost:4318; other OTEL_EXPORTER_OTLP_
                               variables have their standard meaning

See docs/operations.md for /metrics, /healthz, /readyz and deployment.`;

export function addServerCommands(program: Commander, bind: Bind): void {
  program
    .command('mcp')
    .description('serve the tools to an MCP client over stdin and stdout')
    .option('--lane <lane>', "lane of the client's task (default: the first lane)")
    .option('--task <task>', 'serve in this active task')
    .option('--as <name>', 'name that the client acts for')
    .option('--tools <tools>', 'list only these tools to the client: `search`, `direct`, `both` or patterns')
    .option('--watch', 'reload packs pinned as `dev` when their files change')
    .addHelpText('after', mcpHelp)
    .action(bind(async () => (await import('../commands/mcp.ts')).mcp));
  program
    .command('serve')
    .description('serve the HTTP API, MCP at /mcp and the dashboard at /, until Ctrl-C')
    .option('--port <port>', 'port to listen on; 0 selects a free port', '8787')
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--allow-host <name...>', 'additional host names that requests may use')
    .option('--rate <requests>', 'maximum requests per second and token; 0 sets no limit', '1000')
    .option('--watch', 'reload packs pinned as `dev` when their files change')
    .addOption(new Option('--log <format>', 'format of the log on stderr').choices(['text', 'json']).default('text'))
    .option('--syslog <address...>', 'send an event for each call to udp://, tcp:// or tls://HOST:PORT')
    .option('--drain <seconds>', 'seconds to keep serving after SIGTERM, while /readyz reports DRAINING', '0')
    .option('--grace <seconds>', 'seconds to wait after that for calls in progress', '10')
    .addHelpText('after', serveHelp)
    .action(bind(async () => (await import('../commands/serve.ts')).serve));
  const token = program.command('token').description('manage the tokens for the HTTP API');
  token
    .command('create')
    .argument('<name>', 'name of the token, recorded as the principal of its requests')
    .addOption(
      new Option('--role <role>', 'what the token permits')
        .choices(['agent', 'operator', 'admin', 'directory', 'monitor'])
        .default('agent'),
    )
    .description('create a token and print it once')
    .action(bind(async () => (await import('../commands/token-create.ts')).tokenCreate));
  token
    .command('list')
    .description('list the tokens')
    .action(bind(async () => (await import('../commands/token-list.ts')).tokenList));
  token
    .command('revoke')
    .argument('<name>')
    .description('revoke a token immediately')
    .action(bind(async () => (await import('../commands/token-revoke.ts')).tokenRevoke));
}

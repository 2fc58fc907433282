// Commands for agent sessions.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function addAgentCommands(program: Commander, bind: Bind): void {
  const agent = program.command('agent').description('run agents whose calls are governed');
  agent
    .command('run')
    .argument('<instruction>', 'what the agent should do')
    .description('run an agent session, and ask for approvals in this terminal')
    .option('-m, --model <name>', 'a model in agent_runtime.models (default: default_model)')
    .option('--intent <intent>', 'one intent for all calls (default: the model names an intent)')
    .option('--lane <lane>', "lane of the session's task (default: the first lane)")
    .option('--as <name>', 'name of the agent', 'agent')
    .action(bind(async () => (await import('../commands/agent-run.ts')).agentRun));
  agent
    .command('resume')
    .argument('<session>')
    .description('resume a session after an approval, with a new message, or after a crash')
    .option('-m, --message <text>', 'message to the agent')
    .option('--happened <turn/call>', 'a call with an unknown outcome took effect', collect)
    .option('--did-not-happen <turn/call>', 'the call had no effect and can be repeated', collect)
    .option('--as <name>', 'name of the agent', 'agent')
    .option('--operator', 'act on a session that another person started')
    .action(bind(async () => (await import('../commands/agent-resume.ts')).agentResume));
  agent
    .command('list')
    .description('list the sessions')
    .action(bind(async () => (await import('../commands/agent-list.ts')).agentList));
  agent
    .command('replay')
    .argument('<session>')
    .description("decide each of a session's calls again under the current policy, without running it")
    .action(bind(async () => (await import('../commands/agent-replay.ts')).agentReplay));
}

// Commands about agents' sessions.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

export function addAgentCommands(program: Commander, bind: Bind): void {
  const agent = program.command('agent').description('run agents, governed from end to end');
  agent
    .command('run')
    .argument('<task>', 'what the agent is asked to do')
    .description('run a session of a model; what needs approval is asked here')
    .option('-m, --model <profile>', 'a model of agent_runtime.models (default: its default_model)')
    .option('--intent <intent>', 'the one intent of all its calls (default: the model says)')
    .option('--lane <lane>', "the lane of the session's task (default: the first)")
    .option('--as <name>', 'who the agent is', 'agent')
    .action(bind(async () => (await import('../commands/agent-run.ts')).agentRun));
  agent
    .command('resume')
    .argument('<session>')
    .description('go on with a session: after an approval, with a word more, or after a crash')
    .option('-m, --message <text>', 'what you say to the agent')
    .option('--happened <turn/call>', 'a call of unknown outcome did happen', collect)
    .option('--did-not-happen <turn/call>', 'it did not, and may be made again', collect)
    .option('--as <name>', 'who the agent is', 'agent')
    .option('--operator', 'act on a session that somebody else started')
    .action(bind(async () => (await import('../commands/agent-resume.ts')).agentResume));
  agent
    .command('list')
    .description('the sessions there are')
    .action(bind(async () => (await import('../commands/agent-list.ts')).agentList));
  agent
    .command('replay')
    .argument('<session>')
    .description('decide each call of a session once more, by the policy of today; nothing is run')
    .action(bind(async () => (await import('../commands/agent-replay.ts')).agentReplay));
}

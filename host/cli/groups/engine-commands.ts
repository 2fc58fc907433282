// Commands for the engine of a workspace.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addEngineCommands(program: Commander, bind: Bind): void {
  const engine = program.command('engine').description('check the engine that advances programs and agents');
  engine
    .command('doctor')
    .description('show which engine advances durable runs, whether its server replies, and which runs it has parked')
    .action(bind(async () => (await import('../commands/engine-doctor.ts')).engineDoctor));
}

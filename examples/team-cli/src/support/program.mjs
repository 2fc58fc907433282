// Parses the arguments of every command of this team.
import {Command} from 'commander';

export function program(name, description) {
  return new Command(name).description(description).version('3.1.0').showHelpAfterError();
}

export function die(message, status = 1) {
  console.error(`error: ${message}`);
  process.exit(status);
}

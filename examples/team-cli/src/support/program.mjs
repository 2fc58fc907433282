// How all commands of this team read their arguments.
import {Command} from 'commander';

export function program(name, description) {
  return new Command(name).description(description).version('3.1.0').showHelpAfterError();
}

export function die(message, status = 1) {
  console.error(`error: ${message}`);
  process.exit(status);
}

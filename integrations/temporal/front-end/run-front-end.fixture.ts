// The front end as a process of its own, for tests of the command line: prints its address, and ends with its input.
import {startFrontEnd} from './start-front-end.fixture.ts';

const {address, close} = await startFrontEnd();
process.stdout.write(`${JSON.stringify({address})}\n`);
process.stdin.resume().once('end', () => {
  close();
  process.exit(0);
});

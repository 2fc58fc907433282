// Ids of runs become parts of addresses, keys and queries at a server, so no engine sees one that is not an id.
import type {Engine} from './engine.ts';

/** An id of a task, perhaps with what kind of run it is before it, such as `agent:errand`. */
const runId = /^(?:[a-z]{1,32}:)?[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
const shownMax = 40;

/** The functions of the result reject if the id is not valid. */
export function withCheckedRunIds(engine: Engine): Engine {
  const checked =
    <Rest extends readonly unknown[], T>(work: (run_id: string, ...rest: Rest) => Promise<T>) =>
    async (run_id: string, ...rest: Rest): Promise<T> => {
      if (!runId.test(run_id)) throw new Error(invalid(run_id));
      return await work(run_id, ...rest);
    };
  return {
    name: engine.name,
    start: checked((run_id) => engine.start(run_id)),
    signal: checked((run_id, answered: readonly string[]) => engine.signal(run_id, answered)),
    query: checked((run_id) => engine.query(run_id)),
    wait: checked((run_id, signal?: Parameters<Engine['wait']>[1]) => engine.wait(run_id, signal)),
    cancel: checked((run_id) => engine.cancel(run_id)),
    close: () => engine.close(),
  };
}

function invalid(run_id: string): string {
  const shown = run_id.length > shownMax ? `${run_id.slice(0, shownMax)}…` : run_id;
  return `\`${shown}\` is not a valid id of a run: use letters, digits, \`.\`, \`_\` and \`-\`, at most 128`;
}

// Wraps the `when` of a factory's rule to measure its time. It cannot be stopped here.
import type {FactoryRule} from '@lumenflow/schemas';
import type {PolicyRequest} from './policy-request.ts';
import {WhenFailure} from './ask-rule.ts';

const whenMsMax = 50;
const asksAgainMax = 4;

export function guardFactoryWhen(
  when: NonNullable<FactoryRule['when']>,
  monotonic: () => number,
): (request: PolicyRequest) => unknown {
  return ({context}) => {
    const ask = (): {readonly answer: unknown; readonly elapsedMs: number} => {
      const startedAt = monotonic();
      const answer: unknown = when(context);
      const elapsedMs = monotonic() - startedAt;
      if (typeof answer === 'object') handleRejection(answer);
      return {answer, elapsedMs};
    };
    let asked = ask();
    // A busy machine may delay a quick function, even several times; a slow function is slow each time.
    for (let again = 0; asked.elapsedMs > whenMsMax && again < asksAgainMax; again++) asked = ask();
    const {answer, elapsedMs} = asked;
    if (elapsedMs <= whenMsMax) return answer;
    throw new WhenFailure(`\`when\` took ${Math.round(elapsedMs)} ms, more than ${whenMsMax}`);
  };
}

/** An async `when` is a deny already; its later rejection says nothing more and must not end the process. */
function handleRejection(answer: unknown): void {
  Promise.resolve(answer).then(undefined, () => undefined);
}

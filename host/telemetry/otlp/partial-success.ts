// A collector can accept a request and reject a part of it, or warn. It says so in the body, which is read within bounds: what it
// accepted must not be sent again because its body is broken.
import type {PartialDelivery} from '../delivery/delivery-queue.ts';

const bytesMax = 64 * 1_024;
const readMs = 1_000;
const remarkMax = 300;

/** Undefined if the collector accepted everything, or its body cannot be read. */
export async function readPartialSuccess(response: Response): Promise<PartialDelivery | undefined> {
  const text = await readBounded(response);
  try {
    const {partialSuccess} = JSON.parse(text) as {partialSuccess?: Readonly<Record<string, unknown>>};
    if (typeof partialSuccess !== 'object' || partialSuccess === null) return undefined;
    const {rejectedSpans, rejectedDataPoints, rejectedLogRecords, errorMessage} = partialSuccess;
    // JSON of Protocol Buffers writes 64-bit integers as text.
    const count = Number(rejectedSpans ?? rejectedDataPoints ?? rejectedLogRecords ?? 0);
    const rejected = Number.isSafeInteger(count) && count > 0 ? count : 0;
    const remark = oneLine(typeof errorMessage === 'string' ? errorMessage : '');
    return rejected === 0 && remark === '' ? undefined : {rejected, remark};
  } catch {
    // Not JSON, such as the empty body of a proxy.
    return undefined;
  }
}

/** The text is a stranger's, and goes to a terminal and to a log. */
function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, remarkMax);
}

/** Empty if the body is too long or takes too long. */
async function readBounded(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  let isOver = false;
  const end = async (): Promise<void> => {
    isOver = true;
    await reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(() => void end(), readMs);
  const chunks: Uint8Array[] = [];
  try {
    for (let size = 0; ;) {
      const {done, value} = await reader.read();
      if (done || isOver) return isOver ? '' : Buffer.concat(chunks).toString();
      chunks.push(value);
      size += value.length;
      if (size > bytesMax) await end();
    }
  } catch {
    // The connection broke, or the request's time is over.
    return '';
  } finally {
    clearTimeout(timer);
  }
}

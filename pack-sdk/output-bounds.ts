// What one output may contain. The kernel has the same bounds; here they are held before the output leaves the handler's thread or process, so
// that the host does not have to read what it would refuse.
import type {JsonBounds} from './to-json-value.ts';

export const outputBounds: JsonBounds = {values: 250_000, names: 50_000, characters: 64 * 1024 * 1024};

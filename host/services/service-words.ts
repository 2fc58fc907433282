// How messages about the manifest of a service's pack name its parts.
import type {ManifestWords} from '../manifest-text.ts';

export const serviceWords: ManifestWords = {
  source: "the service's document",
  tools: 'operations',
  fewer: 'select N with `--only`',
};

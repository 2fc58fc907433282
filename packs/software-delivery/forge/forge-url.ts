// The address of a forge's API.
import type {ForgeConfig} from '../pack-config.ts';

const usual = {github: 'https://api.github.com', gitlab: 'https://gitlab.com/api/v4'} as const;

/** Without a slash at the end. */
export function forgeUrl({kind, api_url: url = usual[kind]}: ForgeConfig): string {
  return url.replace(/\/+$/u, '');
}

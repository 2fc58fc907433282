// The pack's name for a state of its tasks.
import type {HttpPackList, HttpTask} from '@lumenflow/schemas';
import {useResource} from './page-session.ts';

/** Undefined if the pack has no name for the state. */
export function useStateAlias(): (task: HttpTask) => string | undefined {
  const {data} = useResource<HttpPackList>('/v1/packs');
  return ({task_type, state}) => {
    const pack = data?.packs.find(({task_types}) => task_type !== undefined && task_types.includes(task_type));
    return pack?.state_aliases[state]?.replaceAll('_', ' ');
  };
}

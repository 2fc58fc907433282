// What a pack calls the state of its tasks.
import type {HttpPackList, HttpTask} from '@lumenflow/schemas';
import {useResource} from './session.ts';

/** Undefined where the pack whose type of task it is has no word of its own. */
export function useStateAlias(): (task: HttpTask) => string | undefined {
  const {data} = useResource<HttpPackList>('/v1/packs');
  return ({task_type, state}) => {
    const pack = data?.packs.find(({task_types}) => task_type !== undefined && task_types.includes(task_type));
    return pack?.state_aliases[state]?.replaceAll('_', ' ');
  };
}

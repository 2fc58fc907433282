// Removes containers that hosts of this machine left when they were killed, and no others.
import type {ContainerApi} from './container-api.ts';
import {isLeftover} from './container-name.ts';
import type {ContainerLife} from './container-life.ts';

export async function reapContainers(
  api: Pick<ContainerApi, 'list'>,
  life: Pick<ContainerLife<unknown>, 'destroy'>,
): Promise<void> {
  const listed = await api.list();
  // A server that does not answer is asked again by the next host.
  const left = listed.ok ? listed.value : [];
  await Promise.all(
    left.map(async ({vmid, name = ''}) => {
      if (isLeftover(name)) await life.destroy({id: Number(vmid), name});
    }),
  );
}

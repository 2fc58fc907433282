// Writes the pin of a service: one line for each operation, with the first sentence of what it does beside it.
import type {ServiceDescription} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {isMap, type Scalar} from 'yaml';
import {firstSentence} from '../../text/first-sentence.ts';
import {writePin} from './write-pin.ts';

const commentMax = 80;

export async function writeServicePin(
  workspaceRoot: string,
  pin: PackPin,
  {operations}: Pick<ServiceDescription, 'operations'>,
): Promise<void> {
  const does = new Map(
    operations.map(({name, description}) => [name, firstSentence(description).slice(0, commentMax)]),
  );
  await writePin(workspaceRoot, pin, (node) => {
    if (!isMap<Scalar<string>>(node)) return;
    for (const key of ['tools', 'credentials']) {
      const map = node.get(key, true);
      if (!isMap<Scalar<string>>(map)) continue;
      for (const {key: name, value} of map.items) {
        if (!isMap(value)) continue;
        value.flow = true;
        const text = key === 'tools' ? does.get(name.value) : undefined;
        if (text !== undefined) value.comment = ` ${text.replaceAll(/\s+/gu, ' ')}`;
      }
    }
  });
}

// Content of every type.
import {defineTool} from '@lumenflow/pack-sdk';

/** A red dot. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
/** Silence: a header of RIFF without samples. */
const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const give = (...content: readonly object[]) => defineTool<unknown, object>({run: () => ({content})});

export const simpleText = give({type: 'text', text: 'This is a simple text response for testing.'});
export const image = give({type: 'image', data: png, mimeType: 'image/png'});
export const audio = give({type: 'audio', data: wav, mimeType: 'audio/wav'});
export const embeddedResource = give({
  type: 'resource',
  resource: {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  },
});
export const mixed = give(
  {type: 'text', text: 'Multiple content types test:'},
  {type: 'image', data: png, mimeType: 'image/png'},
  {
    type: 'resource',
    resource: {
      uri: 'test://mixed-content-resource',
      mimeType: 'application/json',
      text: '{"test":"data","value":123}',
    },
  },
);

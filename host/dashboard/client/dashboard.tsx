// The entry point of the page.
import {render} from 'preact';
import {App} from './app.tsx';

const root = document.querySelector('#app');
if (!root) throw new Error('the page has no #app');
root.replaceChildren();
render(<App />, root);

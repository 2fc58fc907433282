export {reloadOnChange} from './reload-on-change.ts';
export {watchPacks, type PackWatch, type PackWatchOptions} from './watch-packs.ts';

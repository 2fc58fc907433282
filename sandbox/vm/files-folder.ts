/** Where a guest keeps the files of its call, at their absolute paths. */
export const filesFolder = '/files';

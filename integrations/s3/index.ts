// The archive of a workspace's evidence in a bucket.
export {openS3Archive} from './open-s3-archive.ts';
